package plan

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// How long a benchmark runs under the sanitizer.
const (
	watchTime = "20ms"                 // as -benchtime, of what is fast
	fast      = 500 * time.Microsecond // for one operation with its set-up
	watchMost = time.Second            // without the sanitizer, which makes it several times as long
)

// part is what one run of the sanitizer can cover: benchmarks of one binary in
// one environment that run for as long.
type part struct {
	binary    string
	env       []string
	benchtime string
	leaves    []string
}

// partsOf lists the benchmarks that will be measured, each in the first of its
// cells. What a cell says to the Go runtime does not matter here. The function
// tells how long a benchmark takes for one operation with its set-up, 0 if that
// is not known.
func partsOf(p *study.Plan, once func(study.Bench) time.Duration) []part {
	var parts []part
	seen := map[side]bool{}
	for _, c := range p.Comparisons {
		if !Measurable(c) {
			continue
		}
		env := slices.DeleteFunc(slices.Clone(c.Cell), ofRuntime)
		for _, s := range []study.Bench{c.BaselineBench, c.CandidateBench} {
			if seen[side{s.Binary, s.Leaf}] {
				continue
			}
			seen[side{s.Binary, s.Leaf}] = true
			benchtime := benchtimeOf(once(s))
			i := slices.IndexFunc(parts, func(q part) bool {
				return q.binary == s.Binary && q.benchtime == benchtime && slices.Equal(q.env, env)
			})
			if i < 0 {
				i = len(parts)
				parts = append(parts, part{binary: s.Binary, env: env, benchtime: benchtime})
			}
			parts[i].leaves = append(parts[i].leaves, s.Leaf)
		}
	}
	return parts
}

// benchtimeOf says how long to watch a benchmark that takes so long for one
// operation with its set-up. A number of operations bounds what -benchtime as a
// time does not: the work of a benchmark that stops its timer. One that takes
// nanoseconds between milliseconds of preparing would run for hours.
func benchtimeOf(once time.Duration) string {
	if once <= fast {
		return watchTime
	}
	for _, n := range []int{1000, 100, 10} {
		if once*time.Duration(n) <= watchMost {
			return fmt.Sprintf("%dx", n)
		}
	}
	return "3x"
}

// ofRuntime reports whether a variable is one of the Go runtime's.
func ofRuntime(variable string) bool {
	name, _, _ := strings.Cut(variable, "=")
	return study.IsRuntimeVariable(name)
}

func (q part) options(t *build.Target, o ask.Options) sanitize.Options {
	patterns := make([]string, len(q.leaves))
	for i, leaf := range q.leaves {
		patterns[i] = duet.Pattern(leaf)
	}
	var tags []string
	if t.Tags != "" {
		tags = strings.FieldsFunc(t.Tags, func(r rune) bool { return r == ',' || r == ' ' })
	}
	return sanitize.Options{
		Dir: t.Package.Dir, Packages: []string{"."}, Run: "^$", Bench: strings.Join(patterns, "|"), Tags: tags,
		Flags: []string{"-benchtime=" + q.benchtime}, Env: slices.Concat(t.Env, q.env),
	}
}
