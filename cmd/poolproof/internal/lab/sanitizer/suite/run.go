package suite

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"
)

// Run describes a test run.
type Run struct {
	Dir      string   // of the module
	Packages []string // patterns
	Args     []string // flags of go test
	Timeout  time.Duration
	Leaks    bool   // count what was never put
	Poison   string // as the command's -poison and -reuse; "": as by default
	Reuse    string
}

// In runs the tests in a mode. An error means that they could not be run at
// all: tests that fail, and do not build, are an outcome.
func (r Run) In(ctx context.Context, m Mode) (*Outcome, error) {
	limited, cancel := context.WithTimeout(ctx, r.Timeout)
	defer cancel()
	start := time.Now()
	var o *Outcome
	var err error
	switch m {
	case Plain:
		o, err = r.goTest(limited)
	case Race:
		o, err = r.goTest(limited, "-race")
	default:
		o, err = r.sanitized(limited, m)
	}
	if err != nil {
		return nil, err
	}
	o.Took = time.Since(start)
	o.Stopped = limited.Err() != nil
	return o, ctx.Err()
}

// goTest runs go test itself.
func (r Run) goTest(ctx context.Context, args ...string) (*Outcome, error) {
	args = append(append([]string{"test", "-json", "-count=1", "-vet=off", fmt.Sprintf("-timeout=%s", r.Timeout)}, args...), r.Args...)
	cmd := process(ctx, r.Dir, "go", append(args, r.Packages...)...)
	out := newReader()
	cmd.Stdout, cmd.Stderr = out, out
	if err := ran(ctx, cmd.Run()); err != nil {
		return nil, err
	}
	return out.outcome(), nil
}

// ran separates a command that failed or was stopped, which is an outcome, from
// one that could not be run.
func ran(ctx context.Context, err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) || ctx.Err() != nil || errors.Is(err, exec.ErrWaitDelay) {
		return nil
	}
	return err
}
