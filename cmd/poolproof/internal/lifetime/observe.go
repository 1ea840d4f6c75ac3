package lifetime

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
)

// benchtime is how long each benchmark runs after it has been looked at closely: so long that
// the collector runs by itself, too.
const benchtime = 200 * time.Millisecond

// observe runs what the question names.
func (w *watched) observe(ctx context.Context, q question, end time.Time) ([]Observation, error) {
	r := &runner{watched: w, end: end}
	for _, name := range q.benchmarks {
		r.run(ctx, name)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(r.seen) == 0 && len(r.failed) > 0 {
		return nil, fault.Errorf(fault.Code, "%s", r.failed[0])
	}
	return w.observations(q.sites, r.seen, r.failed), nil
}

// runner runs the binary, again and again.
type runner struct {
	*watched
	end    time.Time
	seen   []*record.Process
	failed []string // why something was not seen
}

// run runs one benchmark.
func (r *runner) run(ctx context.Context, name string) {
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
	stdout, stderr, err := duet.Exec(ctx, program, left, "-test.run=^$", "-test.bench="+duet.Pattern(name), "-test.benchtime="+benchtime.String(), "-test.cpu=1")
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
