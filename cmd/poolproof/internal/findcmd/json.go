package findcmd

import (
	"io"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lifetime"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile/candidate"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile/collect"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/rewrite/reuse"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
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
		Path       string         `json:"path"`
		Benchmarks []string       `json:"benchmarks"`
		Seconds    float64        `json:"seconds"`
		Error      string         `json:"error,omitempty"`
		Left       []collect.Left `json:"left,omitempty"`
	}
	siteJSON struct {
		profile.Site
		Compiler string                `json:"compiler,omitempty"`
		Lives    *lifetime.Observation `json:"lives,omitempty"` // with -lifetimes
		Variants []reuse.Variant       `json:"variants,omitempty"`
		Why      string                `json:"why,omitempty"` // there are no variants
		Command  string                `json:"command,omitempty"`
	}
)

func (r *found) writeJSON(w io.Writer) error {
	file := fileJSON{Schema: 1, Profiles: r.sources, Tests: r.profile.Tests, Elsewhere: r.profile.Elsewhere, Sites: []siteJSON{}, More: r.more, Watched: r.watched.Seconds(), Notes: r.notes}
	for _, p := range r.packages {
		j := packageJSON{Path: p.Path, Benchmarks: []string{}, Seconds: p.Took.Seconds(), Left: p.Left}
		for _, b := range p.Benchmarks {
			j.Benchmarks = append(j.Benchmarks, b.Name)
		}
		if p.Err != nil {
			j.Error = p.Err.Error()
		}
		file.Packages = append(file.Packages, j)
	}
	for _, c := range r.candidates {
		file.Sites = append(file.Sites, r.siteOf(c))
	}
	return study.Encode(w, file)
}

func (r *found) siteOf(c candidate.Candidate) siteJSON {
	j := siteJSON{Site: *c.Site, Compiler: c.Word, Variants: c.Variants, Why: c.Why}
	if j.File = build.FromHere(c.File); j.Bound.Benchmark == profile.OfProfile {
		j.Bound.Benchmark = ""
	}
	if o, watched := r.lifetimes[c.Site]; watched {
		j.Lives = &o
	}
	if c.Tryable() {
		j.Command = r.command(c)
	}
	return j
}
