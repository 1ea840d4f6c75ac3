// Package study holds the data that travels between the stages of an
// experiment: a study file becomes a plan, a plan is measured into records,
// plan and records are judged into a verdict file. Every type is a plain value
// with a JSON form; nothing here runs, measures or prints.
package study

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"
)

// Schema is the version of the JSON form of plans, records and verdict files.
const Schema = 2

// Kind says what question a plan answers.
type Kind string

const (
	KindStudy  Kind = "study"  // a study file: arms against a baseline, with expectations
	KindVary   Kind = "vary"   // arms are KEY=value parts of benchmark names
	KindAA     Kind = "aa"     // every benchmark against itself: the machine's noise floor
	KindBase   Kind = "base"   // a package in two git revisions
	KindUnpool Kind = "unpool" // a package as it is against the same without one of its pools
	KindSite   Kind = "site"   // a package whose memory is used again, in one way or another, against itself
	KindFiles  Kind = "files"  // two Go benchmark files that somebody made
)

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

// Binary is one test binary.
type Binary struct {
	ID      string `json:"id"`      // unique within the plan
	Package string `json:"package"` // import path
	Dir     string `json:"dir"`     // directory in which it runs, relative to the module's root
	SHA256  string `json:"sha256"`  // of the file, hexadecimal
	// Layout is 0 for the plain build; 1, 2, ... for a padded build: the same
	// source, its functions laid out in another way.
	Layout    int    `json:"layout"`
	Tags      string `json:"tags,omitempty"`      // build tags of this binary that others of the plan do not have
	Module    string `json:"module,omitempty"`    // path of its module where that is not the plan's
	Toolchain string `json:"toolchain,omitempty"` // where it is not the plan's
}

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

// Comparison is one arm against its baseline on one benchmark in one cell.
type Comparison struct {
	ID             string   `json:"id"`        // unique within the plan, stable over runs
	Benchmark      string   `json:"benchmark"` // what both sides run: a label, or the name without its KEY=value part
	Arm            string   `json:"arm"`       // label of the candidate
	Baseline       string   `json:"baseline"`  // label of the baseline
	BaselineBench  Bench    `json:"baseline_bench"`
	CandidateBench Bench    `json:"candidate_bench"`
	Cell           []string `json:"cell,omitempty"`  // NAME=value added to both sides' environment
	Pace           *Pace    `json:"pace,omitempty"`  // operations start at a fixed rate; nil: as fast as they go
	Falls          []string `json:"falls,omitempty"` // exact counters ("B/op", "allocs/op") that the arm claims to lower
	// Allocates is how often an operation of the baseline must allocate at
	// least for the comparison to be valid; 0: any.
	Allocates int       `json:"allocates,omitempty"`
	Rises     []string  `json:"rises,omitempty"`    // exact counters that the arm claims to raise
	Isolated  bool      `json:"isolated,omitempty"` // the code under study is all that the benchmark does
	Expect    []Verdict `json:"expect,omitempty"`   // verdicts that the study expects, any of them
	// ExpectedBefore holds the verdicts that the study expected until it was
	// measured, where it expects others now.
	ExpectedBefore []Verdict `json:"expected_before,omitempty"`
	Late           bool      `json:"late,omitempty"` // measured when all that is not late is decided
	// Invalid, if not empty, says why the comparison was rejected before any
	// timing (the code under study is never executed). It is not measured.
	Invalid string `json:"invalid,omitempty"`
	// Unsafe, if not empty, says how a side misuses a sync.Pool. It is not
	// measured: what a wrong program costs is no answer.
	Unsafe string `json:"unsafe,omitempty"`
	// Failed, if not nil, says how a side's benchmark fails. It is not
	// measured.
	Failed *Failure `json:"failed,omitempty"`
	// Skipped, if not empty, says why the comparison is not measured although
	// it is valid (the budget does not reach it).
	Skipped string `json:"skipped,omitempty"`
	// Pool says, for KindUnpool, which pool the baseline does without, and how an
	// operation of the candidate uses it.
	Pool *PoolUse `json:"pool,omitempty"`
	// Variant is, for KindSite, the ID of the variant that the candidate is.
	Variant string `json:"variant,omitempty"`
	// Escape holds the compiler's words on the allocations of the code under
	// study, shown where a verdict is INVALID.
	Escape []string `json:"escape,omitempty"`
}

// Failure is a benchmark that cannot be measured because it fails, panics,
// exits or hangs.
type Failure struct {
	// Side is "baseline" or "candidate"; "" for a benchmark that belongs to no
	// comparison of the plan.
	Side      string `json:"side,omitempty"`
	Binary    string `json:"binary,omitempty"` // ID of its binary, as in Plan.Binaries
	Benchmark string `json:"benchmark"`        // full name
	Text      string `json:"text"`             // one line: what it said, with the position in the user's source
}

// String names the side and says what went wrong.
func (f Failure) String() string {
	if f.Side == "" {
		return f.Text
	}
	return "the " + f.Side + " fails: " + f.Text
}

// Bench returns the benchmark of a side.
func (c Comparison) Bench(s Side) Bench {
	if s == Candidate {
		return c.CandidateBench
	}
	return c.BaselineBench
}

// Complete reports whether both sides are there to be measured. Where one has
// no binary or no such benchmark, Skipped says why.
func (c Comparison) Complete() bool {
	return c.BaselineBench.Binary != "" && c.CandidateBench.Binary != ""
}

// Bench is one benchmark of one binary.
type Bench struct {
	Binary string `json:"binary"` // ID of the plain build (Layout 0); empty: this side cannot be run
	Leaf   string `json:"leaf"`   // full name, as BenchmarkX/key=value/n=5, without -GOMAXPROCS
}

// Rule holds the numbers of the statistical rule. docs/verdicts.md explains
// each of them.
type Rule struct {
	// Version is that of the rule which the plan was made for. Another version
	// judges with its own numbers, but for how was measured and what the user
	// chose.
	Version int `json:"version"`

	Burst      Duration `json:"burst"`       // wall time of a burst
	WarmUp     int      `json:"warm_up"`     // discarded bursts a side and launch
	Pairs      int      `json:"pairs"`       // pairs of bursts a launch when a side allocates
	PairsQuiet int      `json:"pairs_quiet"` // the same when neither side allocates
	Soak       Duration `json:"soak"`        // measured bursts of each side in the first launch of a comparison, at least
	Stretch    Duration `json:"stretch"`     // measured bursts of each side in a launch of FormStretch
	Head       Duration `json:"head"`        // bursts before a stretch that are discarded, at most

	Band  float64 `json:"band"`  // practical equality as a log ratio: log(1.02) for 2 %
	Clock string  `json:"clock"` // "auto", "wall" or "cpu"

	// BytesShare and AllocsShare are the shares of the larger side below which B/op
	// and allocs/op count as equal, where the user chose them; 0: those of the rule.
	BytesShare  float64 `json:"bytes_share,omitzero"`
	AllocsShare float64 `json:"allocs_share,omitzero"`

	Screen      int     `json:"screen"`       // launches after which an effect beyond LayoutBound is looked for
	ScreenAlpha float64 `json:"screen_alpha"` // two-sided, of that look
	Looks       []int   `json:"looks"`        // numbers of launches after which the rule looks, rising
	LongLooks   []int   `json:"long_looks"`   // the same for FormStretch and FormRate
	Alpha       float64 `json:"alpha"`        // two-sided, of each look at up to LateFrom launches
	LateFrom    int     `json:"late_from"`    // looks at more launches than this have LateAlpha
	LateAlpha   float64 `json:"late_alpha"`
	MinCycles   int     `json:"min_cycles"` // fewer collections than this on the side with more: their price is not known

	// PaddedLooks are the numbers of padded builds after which a difference that
	// rests on time alone is looked for over builds; none: layout is not asked.
	PaddedLooks []int   `json:"padded_looks"`
	PaddedAlpha float64 `json:"padded_alpha"` // two-sided, of each of these looks
	LayoutBound float64 `json:"layout_bound"` // log ratio beyond which no layout of a binary makes a difference
}

// Machine describes the computer.
type Machine struct {
	CPU    string `json:"cpu"`
	Cores  int    `json:"cores"` // usable by this process
	OS     string `json:"os"`
	Arch   string `json:"arch"`
	Kernel string `json:"kernel,omitempty"`
	Limits string `json:"limits,omitempty"` // cgroup limits of CPU and memory, if any
}

// Duration is a time.Duration whose JSON form is its String.
type Duration time.Duration

// MarshalText writes the form of time.Duration.String.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText reads what time.ParseDuration reads.
func (d *Duration) UnmarshalText(b []byte) error {
	v, err := time.ParseDuration(string(b))
	*d = Duration(v)
	return err
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
