package plan

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize"
	misuse "github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// checkSafe runs the benchmarks of the plan under the sanitizer of sync.Pool
// and sets Unsafe on the comparisons of which a side misuses a pool. Where the
// sanitizer is not to be had, the plan says so and goes on.
func checkSafe(ctx context.Context, bs *build.Set, p *study.Plan, o ask.Options) error {
	switch {
	case p.Kind == study.KindAA:
		return nil
	case o.FromTest != "":
		p.Safety = "not checked: poolproof test runs the tests"
		return nil
	case !o.Sanitize:
		p.Safety = "not checked, as asked"
		return nil
	}
	parts, err := pooled(ctx, bs, partsOf(p, bs.Once))
	if err != nil {
		return err
	}
	limited, cancel := o.Checking(ctx)
	defer cancel()
	var seen safety
	err = limited.Err()
	if err == nil || len(parts) == 0 {
		err = watch(limited, bs, parts, o, &seen)
	}
	switch {
	case err != nil && ctx.Err() == nil && limited.Err() != nil:
		p.Safety = fmt.Sprintf("not checked: the budget of %s for everything left no time", o.Budget)
		return nil
	case err != nil:
		return err
	}
	seen.mark(p)
	return nil
}

// safety holds the sanitizer's findings in the benchmarks of a plan.
type safety struct {
	pooled    bool            // there was something to watch
	unsafe    map[side]string // how a benchmark misuses a pool
	watched   int             // benchmarks that ran to their end
	unwatched int             // benchmarks that did not
	why       string          // of the first of these
	astray    string          // a misuse that no benchmark can be blamed for
}

// add takes in what a run of the sanitizer said of a part. What was found
// counts, whatever else went wrong.
func (s *safety) add(q part, r *sanitize.Result, err error) {
	s.pooled = true
	if s.unsafe == nil {
		s.unsafe = map[side]string{}
	}
	lost := map[string]bool{}
	if err != nil {
		for _, leaf := range q.leaves {
			lost[leaf] = true
		}
		s.why = cmp.Or(s.why, oneLine(err))
	}
	if r != nil {
		for _, f := range r.Failures {
			s.why = cmp.Or(s.why, fmt.Sprintf("%s %s", cmp.Or(f.Test.Name, f.Test.Package), f.Class))
			for _, leaf := range q.leaves {
				// A package that fails as a whole has no name, a benchmark fails with
				// those that it is made of.
				if f.Test.Name == "" || leaf == f.Test.Name || strings.HasPrefix(leaf, f.Test.Name+"/") {
					lost[leaf] = true
				}
			}
		}
		found, elsewhere := misuses(r, q.leaves)
		for leaf, what := range found {
			s.unsafe[side{q.binary, leaf}] = what
			delete(lost, leaf)
		}
		s.astray = cmp.Or(s.astray, elsewhere)
	}
	s.unwatched += len(lost)
	s.watched += len(q.leaves) - len(lost)
}

// mark writes what was seen into the plan.
func (s *safety) mark(p *study.Plan) {
	p.Safety = s.String()
	for i := range p.Comparisons {
		c := &p.Comparisons[i]
		c.Unsafe = cmp.Or(c.Unsafe, s.unsafe[side{c.CandidateBench.Binary, c.CandidateBench.Leaf}], s.unsafe[side{c.BaselineBench.Binary, c.BaselineBench.Leaf}])
	}
}

func (s *safety) String() string {
	var text string
	switch {
	case !s.pooled:
		return "nothing that is built here uses a sync.Pool"
	case s.watched == 0:
		return "not checked: " + s.why
	case len(s.unsafe) == 0:
		text = fmt.Sprintf("no misuse of a pool was seen in %s", benchmarks(s.watched))
	default:
		text = fmt.Sprintf("misuse of a pool in %d of %s", len(s.unsafe), benchmarks(s.watched))
	}
	if s.astray != "" {
		text += "; outside of any benchmark: " + s.astray
	}
	if s.unwatched > 0 {
		text += fmt.Sprintf("; %s could not be watched to the end: %s", benchmarks(s.unwatched), s.why)
	}
	return text
}

// side is a benchmark of a plain binary.
type side struct{ binary, leaf string }

// misuses says of benchmarks what is wrong with them, and what is wrong that
// none of them can be blamed for.
func misuses(r *sanitize.Result, leaves []string) (wrong map[string]string, elsewhere string) {
	wrong = map[string]string{}
	for _, f := range r.Findings {
		for _, report := range f.Reports {
			if report.Severity != misuse.Error || report.Suppressed != nil {
				continue
			}
			what := fmt.Sprintf("%s of %s at %s, put at %s", report.Kind, report.Type, place(report.Access), place(report.Put))
			blamed := false
			for _, test := range report.Tests {
				if !slices.Contains(leaves, test.Name) {
					continue
				}
				blamed = true
				if wrong[test.Name] == "" {
					wrong[test.Name] = fmt.Sprintf("%s misuses a pool: %s; poolproof test -run '^$' -bench '%s' %s shows the stacks",
						test.Name, what, duet.Pattern(test.Name), test.Package)
				}
			}
			if !blamed {
				elsewhere = cmp.Or(elsewhere, what)
			}
		}
	}
	return wrong, elsewhere
}

// place is the first frame of a stack, as file:line.
func place(frames []misuse.Frame) string {
	if len(frames) == 0 {
		return "a place unknown"
	}
	return fmt.Sprintf("%s:%d", filepath.Base(frames[0].File), frames[0].Line)
}

// benchmarks says how many there are.
func benchmarks(n int) string {
	if n == 1 {
		return "1 benchmark"
	}
	return fmt.Sprintf("%d benchmarks", n)
}

// oneLine is the first line of an error.
func oneLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
