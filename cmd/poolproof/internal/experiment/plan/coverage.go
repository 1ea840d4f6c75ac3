package plan

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/tools/cover"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// coverage counts, by the go command's coverage, how often an operation of a benchmark
// runs each block of some packages. Counts are exact where a CPU profile would have to
// be lucky. Test files are not counted.
type coverage struct {
	t       *build.Target
	timeout time.Duration // without an end of the benchmark
	binary  string
	once    map[string]time.Duration // leaf -> real time of one operation with its set-up
}

// The number of operations by which the two runs differ whose counts are
// subtracted: what the set-up runs is in both and cancels out. Slow benchmarks
// get fewer, so that both runs end in about reachTime.
const (
	reachOps  = 20
	reachTime = 2 * time.Second
	// Those of what is fast: few would show the first miss of a pool, and not how it goes on.
	mostOps   = 2000
	countTime = 100 * time.Millisecond
)

// newCoverage builds the test binary of a package with counters in the named packages.
func newCoverage(ctx context.Context, t *build.Target, timeout time.Duration, leaves []duet.Leaf, packages ...string) (*coverage, error) {
	c := &coverage{t: t, timeout: timeout, binary: filepath.Join(t.Scratch, t.ID+".cover"), once: map[string]time.Duration{}}
	for _, l := range leaves {
		c.once[l.Name] = l.Once
	}
	// What GOFLAGS overlays must be there too for the package to compile.
	dir, err := os.MkdirTemp(t.Scratch, "cover")
	if err != nil {
		return nil, err
	}
	overlaid, err := t.Write(dir)
	if err != nil {
		return nil, err
	}
	// Mode atomic is the only one that the race detector allows.
	args := []string{"test", "-c", "-covermode=atomic", "-coverpkg=" + strings.Join(packages, ","), "-overlay=" + overlaid, "-o", c.binary}
	if _, err := t.Go(ctx, t.Package.Dir, args, "."); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fault.Errorf(fault.Code, "%s does not compile with coverage:\n%w", t.Package.Path, err)
	}
	return c, nil
}

// twoRuns returns the counts of two runs of a benchmark, and by how many operations
// they differ.
func (c *coverage) twoRuns(ctx context.Context, leaf string) (few, many []*cover.Profile, ops int, err error) {
	ops = max(operations(c.once[leaf]), min(mostOps, int(countTime/max(1, c.once[leaf]))))
	if few, err = c.run(ctx, leaf, 1+ops); err != nil {
		return nil, nil, 0, err
	}
	many, err = c.run(ctx, leaf, 1+2*ops)
	return few, many, ops, err
}

// tests returns the counts of the package's tests, run with -short. nil: they do not come to
// their end.
func (c *coverage) tests(ctx context.Context) ([]*cover.Profile, error) {
	out := filepath.Join(c.t.Scratch, c.t.ID+".profile")
	os.Remove(out)
	// One that fails writes its profile, too.
	_, _, _ = duet.Exec(ctx, duet.Program{Binary: c.binary, Dir: c.t.Package.Dir}, longTests, "-test.short", "-test.run=.", "-test.coverprofile="+out)
	profiles, err := cover.ParseProfiles(out)
	if err != nil {
		return nil, ctx.Err()
	}
	return profiles, nil
}

// operations is the difference between the two runs of a benchmark that takes
// that long once.
func operations(once time.Duration) int {
	if once <= 0 {
		return reachOps
	}
	return min(reachOps, max(1, int(reachTime/(3*once))))
}

// run runs n operations and returns the counts.
func (c *coverage) run(ctx context.Context, leaf string, n int) ([]*cover.Profile, error) {
	out := filepath.Join(c.t.Scratch, c.t.ID+".profile")
	os.Remove(out)
	// No single answer to wait for: a run is as long as its operations.
	limit := c.timeout + time.Duration(n+2)*c.once[leaf]*2
	stdout, stderr, err := duet.Exec(ctx, duet.Program{Binary: c.binary, Dir: c.t.Package.Dir}, limit, "-test.run=^$", "-test.bench="+duet.Pattern(leaf),
		"-test.benchtime="+strconv.Itoa(n)+"x", "-test.coverprofile="+out)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return nil, &duet.BenchError{Status: study.StatusTimeout, Text: fmt.Sprintf("%s with coverage did not end its %d operations in %s: it hangs, or needs a longer -timeout", leaf, n, limit)}
	case err != nil:
		line, _, _ := strings.Cut(strings.TrimSpace(stdout+"\n"+stderr), "\n")
		return nil, &duet.BenchError{Status: study.StatusFailed, Text: fmt.Sprintf("%s fails with coverage: %s", leaf, line)}
	}
	profiles, err := cover.ParseProfiles(out)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fault.Errorf(fault.Code, "%s wrote no coverage profile: does its TestMain call os.Exit without m.Run?", leaf)
	}
	if err != nil {
		return nil, fmt.Errorf("coverage profile of %s: %w", leaf, err)
	}
	return profiles, nil
}
