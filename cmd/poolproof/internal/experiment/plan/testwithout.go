package plan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/rewrite/unpool"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// tested holds the test results of the builds without a pool.
type tested struct {
	broken map[string]string   // by build: what fails in it
	asking map[string][]string // by build: the tests that fail, and that are about the pool
	note   string              // what was not run; "" if all was
}

// longTests is how long all runs of a package's tests may take together, if the budget is less.
const longTests = 20 * time.Second

// testWithout runs, with each pool taken out, the tests of the package with the benchmarks
// and of the package of the pool. Tests that fail with all pools, too, say nothing, and
// nothing do those that ask the pool itself: they count allocations, or get and put.
func testWithout(ctx context.Context, bs *build.Set, o ask.Options, made []study.Binary) (tested, error) {
	t := tested{broken: map[string]string{}, asking: map[string][]string{}}
	byID := map[string]build.Unpooled{}
	for _, u := range bs.Unpooled {
		for _, id := range u.Forms {
			byID[id] = u
		}
	}
	asIs := map[string]testRun{} // by package
	for _, b := range made {
		for _, dir := range packagesOf(bs, byID[b.ID]) {
			before, known := asIs[dir]
			if !known {
				o.Progress.Step("running the tests of " + bs.Main().Named(dir))
				began := time.Now()
				var err error
				if before, err = runTests(ctx, bs.Main(), dir, nil, o.Timeout); err != nil {
					return t, err
				}
				if took := time.Since(began); took*time.Duration(len(made)) > max(o.Budget, longTests) {
					before.long = true
					t.note = join(t.note, fmt.Sprintf("the tests of %s take %s and would run %d times: they were not run without each pool", bs.Main().Named(dir), took.Round(time.Second), len(made)))
				}
				asIs[dir] = before
				if why := cmp.Or(before.whole, strings.Join(before.failed, ", ")); why != "" {
					t.note = join(t.note, fmt.Sprintf("%s fails with all pools, too, in %s", why, bs.Main().Named(dir)))
				}
			}
			if before.long || before.whole != "" || t.broken[b.ID] != "" {
				continue
			}
			o.Progress.Step(fmt.Sprintf("running the tests of %s without %s", bs.Main().Named(dir), byID[b.ID].Pool.Name))
			after, err := runTests(ctx, bs.Target(b.ID), dir, before.failed, o.Timeout)
			if err != nil {
				return t, err
			}
			var asking []string
			for _, name := range after.failed {
				if byID[b.ID].Asks(dir, name) {
					asking = append(asking, name)
				}
			}
			if len(asking) > 0 && len(asking) == len(after.failed) {
				t.asking[b.ID] = append(t.asking[b.ID], asking...)
				// What they may have hidden.
				if after, err = runTests(ctx, bs.Target(b.ID), dir, slices.Concat(before.failed, asking), o.Timeout); err != nil {
					return t, err
				}
			}
			if why := cmp.Or(after.whole, strings.Join(after.failed, ", ")); why != "" {
				t.broken[b.ID] = fails(byID[b.ID], b.ID, t.broken) + ": " + why + " fails"
			}
		}
	}
	return t, nil
}

// fails says what a failure of a build's tests means. Where only the form that one would write fails,
// the pool is not missed: the lines of the files have moved, for example.
func fails(u build.Unpooled, id string, broken map[string]string) string {
	if id == u.Forms[unpool.Written] && broken[u.Forms[unpool.Plain]] == "" {
		return "written without the pool, with other line numbers"
	}
	return "without the pool the package does something else"
}

func join(a, b string) string { return strings.Trim(a+"; "+b, "; ") }

// packagesOf are the folders of the packages whose tests speak of a pool.
func packagesOf(bs *build.Set, u build.Unpooled) []string {
	dirs := []string{bs.Main().Package.Dir}
	if dir := filepath.Dir(u.Pool.Pos.Filename); dir != dirs[0] {
		dirs = append(dirs, dir)
	}
	return dirs
}

// testRun is the result of a package's tests.
type testRun struct {
	failed []string // tests, at the top level
	whole  string   // what ended the process, or kept it from beginning, in a line
	long   bool
}

var failedTest = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)

// runTests runs the tests of a package in the build of a target, without those that are
// named. flags are further ones of go test.
func runTests(ctx context.Context, t *build.Target, dir string, without []string, timeout time.Duration, flags ...string) (testRun, error) {
	out, err := t.Test(ctx, dir, without, timeout, flags...)
	if ctx.Err() != nil {
		return testRun{}, ctx.Err()
	}
	if err == nil {
		return testRun{}, nil
	}
	var r testRun
	for _, m := range failedTest.FindAllStringSubmatch(out, -1) {
		r.failed = append(r.failed, m[1])
	}
	for line := range strings.Lines(out) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "panic:") || strings.HasPrefix(line, "fatal error:") {
			r.whole = line
			break
		}
	}
	if len(r.failed) == 0 && r.whole == "" {
		r.whole = "go test"
		if failed := new(overlay.CommandError); errors.As(err, &failed) {
			r.whole, _, _ = strings.Cut(cmp.Or(failed.Stderr, out, r.whole), "\n")
		}
	}
	return r, nil
}
