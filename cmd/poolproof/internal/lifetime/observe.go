package lifetime

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
)

// Most is how many sites one call of [Observe] takes.
const Most = 62

// benchtime is how long each benchmark runs after it has been looked at closely: so long that
// the collector runs by itself, too.
const benchtime = 200 * time.Millisecond

// Observe runs the benchmarks and tests of the question, watched, each in a process of its
// own, and returns an observation for each site, in their order. An error is of the kind
// [fault.Code] where the package does not build or nothing of it can be run, of [fault.Tools]
// where the toolchain cannot be made to watch.
func Observe(ctx context.Context, q Question) ([]Observation, error) {
	w, err := prepare(ctx, &q)
	if err != nil {
		return nil, err
	}
	defer w.remove()
	return w.observe(ctx, q)
}

// prepare builds the binary, in a folder of its own. It fills in what the question leaves
// open.
func prepare(ctx context.Context, q *Question) (w *watched, err error) {
	if len(q.Sites) > Most {
		return nil, fault.Errorf(fault.Input, "%d sites: at most %d are watched at once", len(q.Sites), Most)
	}
	if q.Limit <= 0 {
		q.Limit = time.Minute
	}
	if q.Cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return nil, fault.Errorf(fault.Tools, "no folder for files that are kept: %w", err)
		}
		q.Cache = filepath.Join(dir, "poolproof", "test") // where poolproof test has the same toolchain
	}
	scratch, err := os.MkdirTemp("", "poolproof-lifetimes-")
	if err != nil {
		return nil, fault.Errorf(fault.Tools, "%w", err)
	}
	if w, err = build(ctx, *q, scratch); err == nil {
		return w, nil
	}
	os.RemoveAll(scratch)
	return nil, err
}

// observe runs what the question names.
func (w *watched) observe(ctx context.Context, q Question) ([]Observation, error) {
	r := &runner{watched: w, end: time.Now().Add(q.Limit)}
	for _, name := range q.Benchmarks {
		r.run(ctx, name, "-test.run=^$", "-test.bench="+duet.Pattern(name), "-test.benchtime="+benchtime.String())
	}
	for _, name := range q.Tests {
		r.run(ctx, name, "-test.run="+duet.Pattern(name), "-test.parallel=1")
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(r.seen) == 0 && len(r.failed) > 0 {
		return nil, fault.Errorf(fault.Code, "%s", r.failed[0])
	}
	return w.observations(q.Sites, r.seen, r.failed), nil
}

// runner runs the binary, again and again.
type runner struct {
	*watched
	end    time.Time
	seen   []*record.Process
	failed []string // why something was not seen
}

// run runs one benchmark or test.
func (r *runner) run(ctx context.Context, name string, args ...string) {
	left := time.Until(r.end)
	if left < time.Second || ctx.Err() != nil {
		if ctx.Err() == nil {
			r.failed = append(r.failed, "no time was left for "+name)
		}
		return
	}
	log := filepath.Join(r.scratch, "log"+strconv.Itoa(len(r.seen)+len(r.failed)))
	program := r.program
	program.Env = []string{
		"POOLPROOF_TEST=mode=exact,life=" + strconv.FormatInt((left/4).Milliseconds(), 10),
		"POOLPROOF_TEST_LOG=" + log,
		"POOLPROOF_TEST_LIVES=" + r.list,
	}
	stdout, stderr, err := duet.Exec(ctx, program, left, append(args, "-test.cpu=1")...)
	seen, readErr := record.ReadFile(log)
	switch {
	case readErr != nil:
		err = readErr
	case len(seen.Processes) > 0 && seen.Processes[0].End != nil:
		r.seen = append(r.seen, seen.Processes...)
		if len(seen.Processes[0].Notes) == 0 {
			return // a benchmark that fails in the end was seen all the same
		}
		err = errors.New(seen.Processes[0].Notes[0])
	case err == nil:
		err = errors.New("the process ended and wrote nothing")
	}
	r.failed = append(r.failed, fmt.Sprintf("%s was not watched to its end: %v\n%s", name, err, tail(stdout+stderr)))
}

// tail is the end of what a program has printed.
func tail(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-8):], "\n")
}
