package findcmd

import (
	"encoding/json"
	"io"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lifetime"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile/candidate"
)

// The shape of find.json. Shares and bounds are parts, from 0 to 1.
type (
	fileJSON struct {
		Schema   int           `json:"schema"` // 1
		Packages []packageJSON `json:"packages,omitempty"`
		Profiles []string      `json:"profiles,omitempty"`
		// Tests and Elsewhere are allocated by test files themselves, and below no
		// function of the module.
		Tests     profile.Part `json:"tests"`
		Elsewhere profile.Part `json:"elsewhere"`
		Sites     []siteJSON   `json:"sites"`
		More      int          `json:"more"` // sites that are as large, and not listed
		// Watched is how long -lifetimes took, in seconds, its builds included.
		Watched float64  `json:"watched,omitempty"`
		Notes   []string `json:"notes,omitempty"`
	}
	packageJSON struct {
		Path       string     `json:"path"`
		Benchmarks []string   `json:"benchmarks"`
		Seconds    float64    `json:"seconds"`
		Error      string     `json:"error,omitempty"`
		Left       []leftJSON `json:"left,omitempty"`
	}
	leftJSON struct {
		Benchmark string `json:"benchmark"`
		Why       string `json:"why"`
		Failed    bool   `json:"failed,omitempty"`
	}
	siteJSON struct {
		Package  string       `json:"package"`
		Function string       `json:"function"`
		File     string       `json:"file"`
		Line     int          `json:"line"`
		Column   int          `json:"column,omitempty"`
		Kind     profile.Kind `json:"kind"`
		Callee   string       `json:"callee,omitempty"`
		Type     string       `json:"type,omitempty"`
		Expr     string       `json:"expr,omitempty"`
		InPool   bool         `json:"in_pool,omitempty"`

		Bytes       float64 `json:"bytes"`   // of an operation of the first benchmark
		Objects     float64 `json:"objects"` // likewise
		ByteShare   float64 `json:"byte_share"`
		ObjectShare float64 `json:"object_share"`

		Bound      *boundJSON    `json:"bound,omitempty"`
		Benchmarks []reachJSON   `json:"benchmarks,omitempty"`
		Compiler   string        `json:"compiler,omitempty"`
		Lives      *livesJSON    `json:"lives,omitempty"` // with -lifetimes
		Variants   []variantJSON `json:"variants,omitempty"`
		Why        string        `json:"why,omitempty"` // there are no variants
		Command    string        `json:"command,omitempty"`
	}
	livesJSON struct {
		Class  lifetime.Class `json:"class"`
		Why    string         `json:"why"`
		Within string         `json:"within,omitempty"` // the function after which no object can be reached
		// Objects were followed; of these so many can no longer be reached when the function
		// that made them has returned, one that called it, the call by the benchmark and then
		// the operation; or later.
		Objects   int `json:"objects"`
		Function  int `json:"function"`
		Call      int `json:"call"`
		Operation int `json:"operation"`
		Later     int `json:"later"`

		Wait float64 `json:"wait"` // operations until the collector frees one; -1: not seen
	}
	boundJSON struct {
		Benchmark string  `json:"benchmark,omitempty"`
		CPU       float64 `json:"cpu"`
		Bytes     float64 `json:"bytes"`
	}
	reachJSON struct {
		Package     string  `json:"package"`
		Benchmark   string  `json:"benchmark"`
		Bytes       float64 `json:"bytes"` // of an operation
		Objects     float64 `json:"objects"`
		Rate        float64 `json:"rate"` // operations per second
		ByteShare   float64 `json:"byte_share"`
		ObjectShare float64 `json:"object_share"`
	}
	variantJSON struct {
		Name     string `json:"name"`
		Evidence string `json:"evidence"`
		Remark   string `json:"remark,omitempty"`
	}
)

func (r *found) writeJSON(w io.Writer) error {
	file := fileJSON{Schema: 1, Profiles: r.sources, Tests: r.profile.Tests, Elsewhere: r.profile.Elsewhere, Sites: []siteJSON{}, More: r.more, Watched: r.watched.Seconds(), Notes: r.notes}
	for _, p := range r.packages {
		j := packageJSON{Path: p.Path, Benchmarks: []string{}, Seconds: p.Took.Seconds()}
		for _, b := range p.Benchmarks {
			j.Benchmarks = append(j.Benchmarks, b.Name)
		}
		for _, l := range p.Left {
			j.Left = append(j.Left, leftJSON{l.Name, l.Why, l.Failed})
		}
		if p.Err != nil {
			j.Error = p.Err.Error()
		}
		file.Packages = append(file.Packages, j)
	}
	for _, c := range r.candidates {
		file.Sites = append(file.Sites, r.siteOf(c))
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(file)
}

func (r *found) siteOf(c candidate.Candidate) siteJSON {
	j := siteJSON{
		Package: c.Package, Function: c.Function, File: build.FromHere(c.File), Line: c.Line, Column: c.Column, Kind: c.Kind, Callee: c.Callee, Type: c.Type, Expr: c.Expr, InPool: c.InPool,
		Bytes: c.Bytes, Objects: c.Objects, ByteShare: c.ByteShare, ObjectShare: c.ObjectShare, Compiler: c.Word, Why: c.Why,
	}
	if c.Bound.Benchmark != "" {
		j.Bound = &boundJSON{c.Bound.Benchmark, c.Bound.CPU, c.Bound.Bytes}
		if c.Bound.Benchmark == profile.OfProfile {
			j.Bound.Benchmark = ""
		}
	}
	if o, watched := r.lifetimes[c.Site]; watched {
		j.Lives = &livesJSON{o.Class, o.Why, o.Within, o.Objects, o.Function, o.Call, o.Operation, o.Later, o.Wait}
	}
	for _, reach := range c.Benchmarks {
		j.Benchmarks = append(j.Benchmarks, reachJSON(reach))
	}
	for _, v := range c.Variants {
		j.Variants = append(j.Variants, variantJSON{string(v.Name), string(v.Evidence), v.Remark})
	}
	if c.Tryable() {
		j.Command = r.command(c)
	}
	return j
}
