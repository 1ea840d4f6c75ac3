// Package study holds the data that travels between the stages of an
// experiment: a study file becomes a plan, a plan is measured into records,
// plan and records are judged into a verdict file. Every type is a plain value
// with a JSON form; nothing here runs, measures or prints.
package study

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Schema is the version of the JSON form of plans, records and verdict files.
const Schema = 2

// Plan is everything that is decided before the first measurement. Judging is
// a pure function of a plan and its records.
type Plan struct {
	Schema     int      `json:"schema"`
	Kind       Kind     `json:"kind"`
	Title      string   `json:"title"`
	Study      *File    `json:"study,omitempty"` // the study file, for KindStudy
	Module     string   `json:"module"`          // module path of the package under test
	Package    string   `json:"package"`         // import path of the package under test
	Toolchain  string   `json:"toolchain"`       // as "go1.26.8 linux/amd64"
	Engine     Engine   `json:"engine"`
	EngineNote string   `json:"engine_note,omitempty"` // why the engine is not EngineDuet
	Program    Program  `json:"program,omitzero"`      // that made the plan; zero: a version that did not say
	Revision   string   `json:"revision,omitempty"`    // git revision of the package's repository, if known
	Dirty      bool     `json:"dirty,omitempty"`       // the repository differed from Revision; without a Program: the package's module did
	Base       string   `json:"base,omitempty"`        // KindBase: git revision of the baseline
	Env        []string `json:"env"`                   // NAME=value of what shapes a Go program (GOGC, GOMEMLIMIT, ...), sorted
	Command    []string `json:"command"`               // arguments that ask the same question again
	// Question is the question of the run. Command says it as a command line.
	Question    Question     `json:"question"`
	Machine     Machine      `json:"machine"`
	Shard       *Shard       `json:"shard,omitempty"` // which of several machines that was; nil: the only one
	Binaries    []Binary     `json:"binaries"`
	Padded      *Padded      `json:"padded,omitempty"` // in place of the padded builds, in a committed result
	Comparisons []Comparison `json:"comparisons"`      // in the order in which a small budget is spent
	Rule        Rule         `json:"rule"`
	// Failed lists the benchmarks that match the question, fail, and belong to
	// no comparison.
	Failed []Failure `json:"failed,omitempty"`
	Budget Duration  `json:"budget"` // measuring time, builds not counted
	Seed   uint64    `json:"seed"`   // of the coins that choose which side goes first
	// Pools lists, for KindUnpool, all pools that were asked about.
	Pools []ListedPool `json:"pools,omitempty"`
	// Variants lists, for KindSite, all that was asked about.
	Variants []ListedVariant `json:"variants,omitempty"`
	// Tested says, for KindUnpool and KindSite, which tests were not run; "": all were.
	Tested string `json:"tested,omitempty"`
	// Agreed says what the study's test of agreement found before anything was
	// timed, as "TestArmsAgree passes in 2 binaries, with 3 equal results".
	Agreed string `json:"agreed,omitempty"`
	// Safety says what the sanitizer of sync.Pool saw of the benchmarks before
	// anything was timed, or why it was not asked.
	Safety string `json:"safety,omitempty"`
}

// Engine names a way of measuring.
type Engine string

const (
	// EngineDuet interleaves short bursts of two live processes.
	EngineDuet Engine = "duet"
	// EnginePairs starts one process a burst, in pairs of random order. It is
	// used when the toolchain's testing package cannot be instrumented, has a
	// larger error and no CPU window.
	EnginePairs Engine = "interleaved processes"
	// EnginePrinted reads what go test printed: nothing is paired, and all of one
	// side may have run before the other.
	EnginePrinted Engine = "printed lines"
)

// ToolchainOf returns the toolchain that built a binary of the plan.
func (p Plan) ToolchainOf(binary string) string {
	for _, b := range p.Binaries {
		if b.ID == binary && b.Toolchain != "" {
			return b.Toolchain
		}
	}
	return p.Toolchain
}

// Comparison returns the comparison of that ID; zero if the plan does not have it.
func (p Plan) Comparison(id string) Comparison {
	for _, c := range p.Comparisons {
		if c.ID == id {
			return c
		}
	}
	return Comparison{}
}

// wholeRule is the first version of the rule whose plans have all of it in their
// digest.
const wholeRule = 3

// Digest identifies the plan in its records: it changes with everything that a
// measurement or its judgement depends on, and not with the machine, the budget,
// the command line, the prose, what is expected, the builds that were padded
// later, or which comparisons a budget reaches. Before version 3 of the rule it
// had of the rule only how is measured.
func (p Plan) Digest() string {
	same := Plan{
		Schema: p.Schema, Kind: p.Kind, Module: p.Module, Package: p.Package, Toolchain: p.Toolchain,
		Engine: p.Engine, Env: p.Env, Seed: p.Seed,
		Rule: Rule{Burst: p.Rule.Burst, WarmUp: p.Rule.WarmUp, Pairs: p.Rule.Pairs, PairsQuiet: p.Rule.PairsQuiet, Soak: p.Rule.Soak, Stretch: p.Rule.Stretch, Head: p.Rule.Head},
	}
	for _, b := range p.Binaries {
		if b.Layout == 0 {
			same.Binaries = append(same.Binaries, b)
		}
	}
	for _, c := range p.Comparisons {
		same.Comparisons = append(same.Comparisons, Comparison{ID: c.ID, BaselineBench: c.BaselineBench, CandidateBench: c.CandidateBench, Cell: c.Cell, Pace: c.Pace})
	}
	if p.Rule.Version >= wholeRule {
		same.Rule = p.Rule
		for i, c := range p.Comparisons {
			s := &same.Comparisons[i]
			s.Falls, s.Rises, s.Allocates, s.Isolated = c.Falls, c.Rises, c.Allocates, c.Isolated
		}
		if p.Study != nil && len(p.Study.Metrics) > 0 {
			same.Study = &File{Metrics: slices.Clone(p.Study.Metrics)}
			for i := range same.Study.Metrics {
				same.Study.Metrics[i].Title = ""
			}
		}
	}
	b, err := json.Marshal(same)
	if err != nil { // no field can fail to marshal
		panic(err)
	}
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:8])
}

// PaddedBuilds stands for all padded builds of the plan; nil if it has none.
func (p Plan) PaddedBuilds() *Padded {
	h, n := sha256.New(), 0
	for _, b := range slices.SortedFunc(slices.Values(p.Binaries), func(a, b Binary) int { return cmp.Compare(a.ID, b.ID) }) {
		if b.Layout > 0 {
			n++
			h.Write([]byte(b.ID + " " + b.SHA256 + "\n"))
		}
	}
	if n == 0 {
		return p.Padded
	}
	return &Padded{n, hex.EncodeToString(h.Sum(nil))}
}

// Shard says which of several machines a plan was recorded on. It is no part of the plan's
// digest: all shards of a question have the same plan.
type Shard struct {
	Index int    `json:"index"` // from 1
	Of    int    `json:"of"`    // number of shards
	Host  string `json:"host,omitempty"`
}

// ParseShard reads "3/16".
func ParseShard(text string) (Shard, error) {
	index, of, _ := strings.Cut(text, "/")
	i, err1 := strconv.Atoi(index)
	n, err2 := strconv.Atoi(of)
	if err1 != nil || err2 != nil || i < 1 || n < i || n > 10000 {
		return Shard{}, fmt.Errorf("shard %q; write the number of this machine and that of all, from 1, as 3/16", text)
	}
	return Shard{Index: i, Of: n}, nil
}

// String is the form of ParseShard.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Of) }
