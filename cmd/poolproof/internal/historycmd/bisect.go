package historycmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/bisect"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/cli"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/git"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/progress"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/trycmd"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// search answers -bisect.
func search(ctx context.Context, f *flags) (int, error) {
	dir, err := os.Getwd()
	if err != nil {
		return exitcode.Usage, err
	}
	s := &searcher{flags: f}
	if s.revisions, err = revisions(ctx, dir, f.first, f.last); err != nil {
		return exitcode.Of(err), err
	}
	n := len(s.revisions) - 1
	s.planned = 2 + int(math.Ceil(math.Log2(float64(n))))
	fmt.Fprintf(os.Stderr, "%d commits; %d comparisons or fewer\n", n, s.planned)
	found, err := bisect.Search(n, func(base, head int, threshold float64) (study.Result, error) {
		return s.compare(ctx, base, head, threshold)
	})
	switch {
	case ctx.Err() != nil:
		return exitcode.Interrupted, fault.Errorf(fault.Interrupted, "interrupted")
	case errors.Is(err, bisect.ErrNoChange):
		fmt.Printf("%s: %v\n", f.bisect, err)
		return exitcode.Findings, nil
	case err != nil:
		return exitcode.Of(err), err
	}
	s.tell(ctx, dir, found)
	if !found.Confirmed {
		return exitcode.Findings, nil
	}
	return exitcode.OK, nil
}

// revisions lists the first revision and those that follow it up to the last, along first
// parents.
func revisions(ctx context.Context, dir, first, last string) ([]string, error) {
	var hashes []string
	for _, rev := range []string{first, last} {
		hash, err := git.Commit(ctx, dir, rev)
		if err != nil {
			return nil, fault.Option("bisect", rev, "there is no such revision here")
		}
		hashes = append(hashes, hash)
	}
	if _, err := git.Text(ctx, dir, "merge-base", "--is-ancestor", hashes[0], hashes[1]); err != nil {
		return nil, fault.Option("bisect", first+".."+last, "%s is no ancestor of %s", first, last)
	}
	out, err := git.Text(ctx, dir, "rev-list", "--first-parent", "--reverse", "--ancestry-path", hashes[0]+".."+hashes[1])
	if err == nil && out == "" {
		return nil, fault.Option("bisect", first+".."+last, "there is no commit between them")
	}
	if err != nil {
		return nil, fault.Option("bisect", first+".."+last, "%w", err)
	}
	return append(hashes[:1], strings.Fields(out)...), nil
}

// searcher compares revisions.
type searcher struct {
	*flags
	revisions []string
	planned   int // comparisons, at most
	asked     int
	spent     time.Duration // measuring
}

// counting is the measuring time of a comparison that asks for counts alone.
const counting = 3 * time.Second

// compare runs one comparison, with its share of what is left of the budget.
func (s *searcher) compare(ctx context.Context, base, head int, threshold float64) (study.Result, error) {
	q := s.Question
	q.Path, q.Base, q.Head, q.Threshold = s.arg, s.revisions[base], s.revisions[head], threshold
	q.Budget = max(2*time.Second, ((s.Budget - s.spent) / time.Duration(max(1, s.planned-s.asked))).Round(100*time.Millisecond))
	if s.asked > 0 && threshold == 0 { // counts decide: a few launches show them
		q.Budget, q.Layout = min(q.Budget, counting), false
	}
	q.Builds = q.Layout
	fmt.Fprintf(os.Stderr, "comparison %d: %s against %s\n", s.asked+1, build.Short(q.Head), build.Short(q.Base))
	p := progress.New(os.Stderr)
	folder := filepath.Join(cmp.Or(s.out, filepath.Join(ask.Results, "bisect")), fmt.Sprintf("%s-%s", build.Short(q.Base), build.Short(q.Head)))
	out, err := experiment.Run(ctx, experiment.Options{Question: q, Out: folder, Progress: p, Show: trycmd.Shown})
	p.Clear()
	if ctx.Err() != nil {
		return study.Result{}, ctx.Err()
	}
	if fault.KindOf(err) == fault.Code {
		first, _, _ := strings.Cut(cli.Worded(err), "\n")
		cli.Complain(fmt.Errorf("%s is passed over: %s", build.Short(q.Head), first))
		return study.Result{}, fault.Errorf(fault.Code, "%w: %s", bisect.ErrBroken, first)
	}
	if err != nil {
		return study.Result{}, err
	}
	s.asked++
	s.spent += time.Duration(out.Verdict.Spent)
	var r []study.Result
	var names []string
	for i, c := range out.Verdict.Plan.Comparisons {
		if c.Complete() {
			r, names = append(r, out.Verdict.Results[i]), append(names, c.Benchmark)
		}
	}
	switch {
	case len(r) != 1:
		return study.Result{}, fault.Option("bench", s.Bench, "it selects %d benchmarks that both revisions have (%s); name one, as 'BenchmarkX$'", len(r), strings.Join(names, ", "))
	case r[0].Failed != nil:
		cli.Complain(fmt.Errorf("%s is passed over: %s", build.Short(q.Head), r[0].Failed))
		return study.Result{}, fmt.Errorf("%w: %s", bisect.ErrBroken, r[0].Failed)
	}
	row := words.Row{Result: r[0], Alone: true}
	fmt.Fprintf(os.Stderr, "  %s, time %s, B/op %s, allocs/op %s\n", r[0].Verdict, row.Change(), row.BytesPerOp(), row.AllocsPerOp())
	return r[0], nil
}

// tell prints what was found.
func (s *searcher) tell(ctx context.Context, dir string, f bisect.Found) {
	subject, _ := git.Text(ctx, dir, "log", "-1", "--format=%h %an %as %s", s.revisions[f.At])
	whole := words.Row{Result: f.Whole, Alone: true}
	what := map[bisect.Metric]string{bisect.Time: whole.Change(), bisect.Bytes: whole.BytesPerOp(), bisect.Allocs: whole.AllocsPerOp()}[f.Metric]
	fmt.Printf("%s of %s: %s from %s to %s\n", f.Metric, f.Whole.Benchmark, what, s.first, s.last)
	switch {
	case f.At-f.Before > 1:
		fmt.Printf("the change is after %s and not after %s; those between cannot be measured\n", build.Short(s.revisions[f.Before]), build.Short(s.revisions[f.At]))
	case f.Confirmed:
		fmt.Printf("changed by: %s\n", subject)
	default:
		fmt.Printf("the search ends at %s, but against the commit before it there is no such change: there may be several small ones; try -keep and poolproof history add them up\n", subject)
	}
	step := words.Row{Result: f.Step, Alone: true}
	if f.Step.Launches > 0 {
		fmt.Printf("against the commit before: %s, time %s, B/op %s, allocs/op %s\n", f.Step.Verdict, step.Change(), step.BytesPerOp(), step.AllocsPerOp())
	}
	fmt.Printf("%s, %s of measuring", words.Plural(f.Comparisons, "comparison", "comparisons"), s.spent.Round(time.Second))
	if f.Unsure > 0 {
		fmt.Printf("; %d of them did not end by a decision, and the mean was taken: a larger -budget decides", f.Unsure)
	}
	fmt.Println()
}
