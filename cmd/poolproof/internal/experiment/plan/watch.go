package plan

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/progress"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/gotest"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// How long a benchmark runs under the sanitizer.
const (
	watchTime = "20ms"                 // as -benchtime, of what is fast
	fast      = 500 * time.Microsecond // for one operation with its set-up
	watchMost = 200 * time.Millisecond // without the sanitizer, which makes it several times as long
)

// part is the work of one run of the sanitizer: benchmarks of one binary in
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
		_, env := study.Settings(c.Cell)
		env = slices.DeleteFunc(env, ofRuntime)
		sides := []study.Bench{c.BaselineBench, c.CandidateBench}
		if c.Pool != nil {
			sides = sides[1:] // without a pool there is less to misuse
		}
		for _, s := range sides {
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
	for _, n := range []int{100, 10} {
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

func (q part) options(t *build.Target) (sanitize.Options, error) {
	patterns := make([]string, len(q.leaves))
	for i, leaf := range q.leaves {
		patterns[i] = duet.Pattern(leaf)
	}
	flags := []string{"-run=^$", "-bench=" + strings.Join(patterns, "|"), "-benchtime=" + q.benchtime}
	if t.Tags != "" {
		flags = append(flags, "-tags="+t.Tags)
	}
	own, err := t.Overlay()
	if own != "" {
		flags = append(flags, "-overlay="+own)
	}
	return sanitize.Options{
		Dir: t.Package.Dir, Packages: []string{"."}, Flags: flags, Env: slices.Concat(t.Env, q.env),
		Reuse: "off", // it repeats tests, and none runs
	}, err
}

// pooled keeps the parts whose binaries use a pool.
func pooled(ctx context.Context, bs *build.Set, parts []part) (kept []part, err error) {
	uses := map[string]bool{}
	for _, q := range parts {
		if _, known := uses[q.binary]; !known {
			if uses[q.binary], err = usesPools(ctx, bs.Target(q.binary)); err != nil {
				return nil, err
			}
		}
		if uses[q.binary] {
			kept = append(kept, q)
		}
	}
	return kept, nil
}

// watch runs the parts under the sanitizer, as many at once as there are
// processors: nothing is timed here. The first part of each binary builds what its
// others use, so these wait.
func watch(ctx context.Context, bs *build.Set, parts []part, o ask.Options, seen *safety) error {
	if len(parts) == 0 {
		return nil
	}
	var first, rest []int
	begun := map[string]bool{}
	tell := &told{say: o.Progress, now: time.Now, last: time.Now()}
	for i, q := range parts {
		tell.all += len(q.leaves)
		if begun[q.binary] {
			rest = append(rest, i)
			continue
		}
		begun[q.binary] = true
		first = append(first, i)
	}
	o.Progress.Step(fmt.Sprintf("checking with poolproof test how %s of %s use pools", benchmarks(tell.all), bs.Main().Package.Path))
	results, errs := make([]*sanitize.Result, len(parts)), make([]error, len(parts))
	for _, wave := range [][]int{first, rest} {
		build.Together(len(wave), func(k int) {
			q := parts[wave[k]]
			how, err := q.options(bs.Target(q.binary))
			if err != nil {
				errs[wave[k]] = err
				return
			}
			how.Stdout = tell.lines()
			results[wave[k]], errs[wave[k]] = sanitize.Run(ctx, how)
		})
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for i, q := range parts {
		seen.add(q, results[i], errs[i])
	}
	return nil
}

// told tells the user now and then how many benchmarks have been watched.
type told struct {
	say progress.Reporter
	now func() time.Time

	mu        sync.Mutex
	done, all int
	last      time.Time
}

// quietly is how long the user hears nothing at most, if benchmarks end.
const quietly = 5 * time.Second

// one counts a benchmark that has ended.
func (t *told) one() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done++
	if now := t.now(); now.Sub(t.last) >= quietly && t.done < t.all {
		t.last = now
		t.say.Step(fmt.Sprintf("checked %d of %s", t.done, benchmarks(t.all)))
	}
}

// lines is where go test prints a part, whose results are counted.
func (t *told) lines() io.Writer {
	return &gotest.Lines{Each: func(line []byte) {
		if bytes.HasPrefix(line, []byte("Benchmark")) && bytes.Contains(line, []byte(" ns/op")) {
			t.one()
		}
	}}
}
