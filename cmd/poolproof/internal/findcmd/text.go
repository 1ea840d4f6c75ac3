package findcmd

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile/candidate"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile/own"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/rewrite/reuse"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// text returns the text that find prints.
func (r *found) text(why bool) string {
	var b strings.Builder
	r.head(&b)
	for i, c := range r.candidates {
		fmt.Fprintf(&b, "\n%2d. %s:%d %s: %s\n", i+1, build.FromHere(c.File), c.Line, c.Function, what(c.Site))
		fmt.Fprintf(&b, "    %s\n", weight(c))
		o, watched := r.lifetimes[c.Site]
		if watched {
			fmt.Fprintf(&b, "    %s\n", lives(o))
		}
		if why && watched {
			fmt.Fprintf(&b, "    %s\n", seen(o))
		}
		if why {
			for _, line := range reasons(c) {
				fmt.Fprintf(&b, "    %s\n", line)
			}
		}
		if c.Tryable() {
			fmt.Fprintf(&b, "    try %s\n    %s\n", tryable(c), r.command(c))
		} else {
			fmt.Fprintf(&b, "    nothing to try: %s\n", c.Why)
		}
	}
	r.foot(&b)
	return b.String()
}

// head says what was profiled.
func (r *found) head(b *strings.Builder) {
	if len(r.sources) > 0 {
		fmt.Fprintf(b, "%s: %s and %s were allocated\n", strings.Join(r.sources, ", "), bytes(r.profile.Bytes), words.Plural(int(r.profile.Objects), "object", "objects"))
		return
	}
	benchmarks, took := 0, time.Duration(0)
	for _, p := range r.packages {
		benchmarks += len(p.Benchmarks)
		took += p.Took
	}
	of := words.Plural(len(r.packages), "package", "packages")
	if len(r.packages) == 1 {
		of = r.packages[0].Path
	}
	fmt.Fprintf(b, "%s of %s, profiled in %s\n", words.Plural(benchmarks, "benchmark", "benchmarks"), of, took.Round(time.Second))
	if r.lifetimes != nil {
		fmt.Fprintf(b, "lifetimes of the objects of %s, watched in %s\n", words.Plural(len(r.lifetimes), "site", "sites"), r.watched.Round(time.Second))
	}
}

// what says what allocates at a site.
func what(s *profile.Site) string {
	switch {
	case s.Kind == profile.KindConstructor:
		return fmt.Sprintf("%s makes a %s in each operation, which has a Reset method", profile.Short(s.Callee), strings.TrimPrefix(s.Type, "*"))
	case s.Kind == profile.KindGrowth && s.Callee == "":
		return "growth of " + s.Expr
	case s.Kind == profile.KindGrowth:
		return "growth of a buffer in " + profile.Short(s.Callee)
	case s.Kind == profile.KindCallee:
		return "in " + profile.Short(s.Callee)
	case s.Expr == "":
		return string(s.Kind)
	}
	return string(s.Kind) + ", " + s.Expr
}

// weight says what a site has of all, and the most that a change can win.
func weight(c candidate.Candidate) string {
	s := fmt.Sprintf("%s of the bytes, %s of the objects", percent(c.ByteShare), percent(c.ObjectShare))
	switch {
	case c.Bound.Benchmark == profile.OfProfile:
		s += fmt.Sprintf("; can win at most %s of the CPU time", percent(c.Bound.CPU))
	case c.Bound.Benchmark != "":
		s += fmt.Sprintf("; can win at most %s of the CPU time and %s of the bytes of %s", percent(c.Bound.CPU), percent(c.Bound.Bytes), c.Bound.Benchmark)
	}
	return s
}

// tryable lists the variants, each with its evidence.
func tryable(c candidate.Candidate) string {
	var parts []string
	for _, v := range c.Variants {
		parts = append(parts, fmt.Sprintf("%s (%s)", v.Name, v.Evidence))
	}
	return strings.Join(parts, ", ")
}

// command is the exact command that tries a site: in the package of the benchmark
// that allocates most there.
func (r *found) command(c candidate.Candidate) string {
	folder := filepath.Dir(c.File)
	for _, p := range r.packages {
		if len(c.Benchmarks) > 0 && p.Path == c.Benchmarks[0].Package {
			folder = p.Dir
		}
	}
	seen := ""
	if slices.ContainsFunc(c.Variants, func(v reuse.Variant) bool { return v.Evidence == reuse.Observed }) {
		seen = "+observed"
	}
	return fmt.Sprintf("poolproof try %s -site %s:%d%s", build.Argument(folder), build.FromHere(c.File), c.Line, seen)
}

// reasons are the lines of -why.
func reasons(c candidate.Candidate) (lines []string) {
	if c.Word != "" {
		lines = append(lines, "compiler: "+c.Word)
	}
	for i, r := range c.Benchmarks {
		if i == 3 {
			lines = append(lines, fmt.Sprintf("and %s", words.Plural(len(c.Benchmarks)-i, "benchmark more", "benchmarks more")))
			break
		}
		lines = append(lines, fmt.Sprintf("%s: %s in %s, %s of its bytes, in each operation", r.Benchmark, bytes(r.Bytes), objects(r.Objects), percent(r.ByteShare)))
	}
	return lines
}

// foot says what is not in the list.
func (r *found) foot(b *strings.Builder) {
	var notes []string
	if len(r.candidates) == 0 {
		notes = append(notes, fmt.Sprintf("No site has %s of the bytes or of the objects.", percent(leastShare)))
	}
	if r.more > 0 {
		notes = append(notes, fmt.Sprintf("%s more: -top 0 prints them.", words.Plural(r.more, "site has", "sites have")+" "+percent(leastShare)+" or"))
	}
	if t := r.profile.Tests; max(t.Bytes, t.Objects) >= leastShare {
		notes = append(notes, fmt.Sprintf("Test files allocate %s of the bytes and %s of the objects themselves.", percent(t.Bytes), percent(t.Objects)))
	}
	if e := r.profile.Elsewhere; max(e.Bytes, e.Objects) >= leastShare {
		notes = append(notes, fmt.Sprintf("%s of the bytes and %s of the objects have no function of this module on their stack.", percent(e.Bytes), percent(e.Objects)))
	}
	notes = append(notes, r.notes...)
	for _, p := range r.packages {
		if p.Err != nil {
			notes = append(notes, p.Err.Error())
		}
		notes = append(notes, left(p)...)
	}
	if len(notes) > 0 {
		fmt.Fprintf(b, "\n%s\n", strings.Join(notes, "\n"))
	}
}

// left names the benchmarks of a package that were not profiled, those with the
// same reason together.
func left(p own.Package) (lines []string) {
	const most = 3
	var reasons []string
	names := map[string][]string{}
	for _, l := range p.Left {
		if names[l.Why] == nil {
			reasons = append(reasons, l.Why)
		}
		names[l.Why] = append(names[l.Why], l.Name)
	}
	for _, why := range reasons {
		list := names[why]
		if len(list) > most {
			list = append(list[:most:most], fmt.Sprintf("%d more", len(list)-most))
		}
		lines = append(lines, fmt.Sprintf("Not profiled of %s: %s: %s", p.Path, words.List(list), why))
	}
	return lines
}

// bytes is a number of bytes.
func bytes(n float64) string {
	switch {
	case n >= 10*(1<<30):
		return fmt.Sprintf("%.0f GiB", n/(1<<30))
	case n >= 10*(1<<20):
		return fmt.Sprintf("%.0f MiB", n/(1<<20))
	case n >= 10*(1<<10):
		return fmt.Sprintf("%.0f KiB", n/(1<<10))
	}
	return count(n) + " B"
}

// objects is a number of objects.
func objects(n float64) string {
	if n == 1 {
		return "1 object"
	}
	return count(n) + " objects"
}

// count is a number of objects or bytes, which may be a fraction.
func count(n float64) string {
	if n >= 10 || n == float64(int64(n)) {
		return fmt.Sprintf("%.0f", n)
	}
	return fmt.Sprintf("%.2g", n)
}

// percent is a part in percent, with a digit after the point below 10 %.
func percent(part float64) string {
	if p := 100 * part; p < 9.95 {
		return fmt.Sprintf("%.1f%%", p)
	}
	return fmt.Sprintf("%.0f%%", 100*part)
}
