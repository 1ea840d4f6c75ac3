//go:build linux

package cost

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
)

// usage is the processor time and memory of one process.
type usage struct {
	CPU  float64 `json:"cpu"`  // seconds, of user and system
	Wall float64 `json:"wall"` // seconds
	RSS  float64 `json:"rss"`  // the most memory that was resident, in MiB
}

// round is the usage of each binary, on average over its two runs.
type round map[suite.Mode]usage

// measurement holds the usage of a subject.
type measurement struct {
	Subject string  `json:"subject"`
	N       string  `json:"n"` // operations, or rounds of the tests
	Rounds  []round `json:"rounds"`
	Starts  []round `json:"starts"` // without any work
}

// measure lets the binaries of a subject take turns.
func (l *lab) measure(ctx context.Context, set *binaries) (*measurement, error) {
	n, err := l.calibrate(ctx, set)
	if err != nil {
		return nil, err
	}
	m := &measurement{Subject: set.subject.String(), N: n}
	if m.Rounds, err = turns(ctx, set, l.rounds, set.subject.args(n)); err != nil {
		return nil, err
	}
	m.Starts, err = turns(ctx, set, l.starts, []string{"-test.run=^$"})
	return m, err
}

// turns runs each binary twice in a round: in an order, and backwards.
func turns(ctx context.Context, set *binaries, rounds int, args []string) (all []round, err error) {
	for i := range rounds {
		// Each round begins with another binary.
		order := slices.Concat(modes[i%len(modes):], modes[:i%len(modes)])
		back := slices.Clone(order)
		slices.Reverse(back)
		r := round{}
		for _, mode := range slices.Concat(order, back) {
			u, err := set.run(ctx, mode, args)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", mode, err)
			}
			sum := r[mode]
			r[mode] = usage{sum.CPU + u.CPU/2, sum.Wall + u.Wall/2, sum.RSS + u.RSS/2}
		}
		all = append(all, r)
	}
	return all, nil
}

// calibrate finds how many operations take the plain binary long enough.
func (l *lab) calibrate(ctx context.Context, set *binaries) (string, error) {
	start, err := set.run(ctx, suite.Plain, []string{"-test.run=^$"})
	if err != nil {
		return "", err
	}
	for n := 1; ; {
		u, err := set.run(ctx, suite.Plain, set.subject.args(strconv.Itoa(n)))
		if err != nil {
			return "", err
		}
		took, want := u.CPU-start.CPU, l.work.Seconds()
		if took >= want/2 || n > 1<<28 {
			return strconv.Itoa(max(1, int(float64(n)*want/took))), nil
		}
		n *= int(min(20, max(2, want/max(took, 0.001))))
	}
}

// run runs a binary to its end.
func (b *binaries) run(ctx context.Context, mode suite.Mode, args []string) (u usage, err error) {
	cmd := exec.CommandContext(ctx, b.path[mode], args...)
	cmd.Dir = b.dir
	cmd.Env = slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, envPrefix) })
	// The race detector's runtime sleeps for a second before each exit, for
	// reports that may still come: no part of what it costs to watch.
	cmd.Env = append(cmd.Env, "GORACE=atexit_sleep_ms=0")
	if mode == second {
		cmd.Env = append(cmd.Env, envSecond)
	}
	log := ""
	if mode == suite.Fast || mode == suite.Exact {
		from := filepath.Dir(b.path[mode])
		env, err := os.ReadFile(filepath.Join(from, envName))
		if err != nil {
			return u, err
		}
		log = filepath.Join(from, "log")
		if err := os.RemoveAll(log); err != nil {
			return u, err
		}
		cmd.Env = append(append(cmd.Env, strings.Split(string(env), "\n")...), envLog+"="+log, envFields+"="+filepath.Join(from, fieldsName))
	}
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := forgetPeak(); err != nil {
		return u, err
	}
	begin := time.Now()
	err = cmd.Run()
	u.Wall = time.Since(begin).Seconds()
	if err != nil {
		return u, fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, out.String())
	}
	if log != "" {
		if err := watched(log); err != nil {
			return u, err
		}
	}
	r, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return u, errors.New("the system does not say what a process took")
	}
	u.CPU, u.RSS = time.Duration(r.Utime.Nano()+r.Stime.Nano()).Seconds(), float64(r.Maxrss)/1024
	return u, nil
}

// forgetPeak makes this process small, and its memory of now the most that it has
// had: until a new process becomes another program it is this one, and the system
// counts that as its own.
func forgetPeak() error {
	debug.FreeOSMemory()
	return os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

// watched checks that a process was armed to its end and reported nothing.
func watched(log string) error {
	text, err := os.ReadFile(log)
	if err != nil {
		return err
	}
	has := func(event string) bool { return strings.Contains(string(text), `"ev":"`+event+`"`) }
	for _, want := range []string{record.EventStart, record.EventEnd} {
		if !has(want) {
			return fmt.Errorf("its records have no %s", want)
		}
	}
	if has(record.EventReport) {
		return fmt.Errorf("it has findings, and is no measure:\n%s", text)
	}
	return nil
}
