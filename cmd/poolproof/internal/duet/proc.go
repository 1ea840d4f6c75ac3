package duet

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Program is one process to start.
type Program struct {
	Binary string   // absolute file name
	Dir    string   // where it runs: the package's directory, as under go test
	Env    []string // added to the environment
}

// exitGrace is how long a process may take to end once it has nothing more to
// do. A busy machine takes its time to print why; one that hangs is ended.
const exitGrace = 10 * time.Second

// BenchError is a benchmark that cannot be measured. Its text is one line, with
// the position in the user's source where one is known.
type BenchError struct {
	Status study.Status
	Text   string // one line
}

func (e *BenchError) Error() string { return e.Text }

// Proc is a live test binary that serves bursts. One request may be
// outstanding; a Proc is used by one goroutine. After an error it is of no use
// but to be closed: each further request fails at once.
type Proc struct {
	Version string // runtime.Version of the process
	On      int    // the processor for the thread of the bursts of Run, 1 for the first; 0: any

	cmd      *exec.Cmd
	commands *os.File
	answers  *os.File
	lines    *bufio.Reader
	output   *tail // standard output
	errors   *tail // standard error
	timeout  time.Duration
	leaf     string       // the benchmark that it serves; "" on the way to one
	previous string       // the one before
	skipped  []string     // benchmarks that have skipped themselves
	expected string       // the one benchmark that it was started for, if so
	broken   error        // why no request can be made any more
	stuck    bool         // an answer is outstanding, and is not waited for
	wait     func() error // waits for the process, once
}

// Start starts a process that will serve the benchmarks that match the
// pattern, in their order. No test is run. An answer that takes longer than
// timeout fails the request. A binary that does not prove to be an
// instrumented one is an error; one that panics before it could is a
// *BenchError. Close or Leave it. more are further arguments of the binary.
func Start(ctx context.Context, s Program, pattern string, timeout time.Duration, more ...string) (*Proc, error) {
	childIn, commands, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	answers, childOut, err := os.Pipe()
	if err != nil {
		childIn.Close()
		commands.Close()
		return nil, err
	}
	p := &Proc{
		cmd: exec.Command(s.Binary, append([]string{"-test.run=^$", "-test.bench=" + pattern, "-test.benchtime=1x",
			"-test.timeout=0", "-test.paniconexit0"}, more...)...),
		commands: commands, answers: answers, lines: bufio.NewReader(answers),
		output: new(tail), errors: new(tail), timeout: timeout,
	}
	p.cmd.Dir = s.Dir
	p.cmd.Env = append(append(os.Environ(), "PWD="+s.Dir, "POOLPROOF_DUET=1"), s.Env...)
	p.cmd.Stdout, p.cmd.Stderr = p.output, p.errors
	p.cmd.ExtraFiles = []*os.File{childIn, childOut}
	p.cmd.WaitDelay = time.Second // grandchildren may hold its output open
	ownGroup(p.cmd)
	err = p.cmd.Start()
	childIn.Close()
	childOut.Close()
	if err != nil {
		commands.Close()
		answers.Close()
		return nil, fmt.Errorf("starting %s: %w", s.Binary, err)
	}
	p.wait = sync.OnceValue(p.cmd.Wait)
	hello, err := p.ask(ctx, "")
	if err != nil {
		if errors.Is(err, io.EOF) {
			p.awaitExit(exitGrace)
		}
		p.Close()
		if errors.Is(err, io.EOF) {
			if text, ok := p.panicked(); ok {
				return nil, &BenchError{study.StatusCrashed, text}
			}
			return nil, fmt.Errorf("%s does not answer as an instrumented test binary: %s", s.Binary, p.lastWords("it ended"))
		}
		return nil, err
	}
	version, ok := strings.CutPrefix(hello, "hello 1 ")
	if !ok {
		p.Close()
		return nil, fmt.Errorf("%s speaks another protocol: %q", s.Binary, hello)
	}
	p.Version = version
	return p, nil
}

// ask sends one command, if any, and reads one line. io.EOF: the process has
// closed its end.
func (p *Proc) ask(ctx context.Context, command string) (line string, err error) {
	if p.broken != nil {
		return "", p.broken
	}
	defer func() { p.broken = err }()
	if err := p.answers.SetReadDeadline(time.Now().Add(p.timeout)); err != nil {
		return "", err
	}
	stop := context.AfterFunc(ctx, func() { p.answers.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if command != "" {
		if _, err := p.commands.WriteString(command + "\n"); err != nil {
			return "", io.EOF // a broken pipe: what the process said last tells more
		}
	}
	line, err = p.lines.ReadString('\n')
	switch {
	case err == nil:
		return strings.TrimSuffix(line, "\n"), nil
	case ctx.Err() != nil:
		p.stuck = true
		return "", ctx.Err()
	case errors.Is(err, os.ErrDeadlineExceeded):
		p.stuck = true
		return "", &BenchError{study.StatusTimeout, fmt.Sprintf("%s gave no answer in %v: it hangs, or needs a longer -timeout", p.subject(), p.timeout)}
	default:
		return "", io.EOF
	}
}

// Next goes on to the next leaf benchmark and returns its full name; io.EOF
// after the last. A *BenchError says that the process is of no use any more.
func (p *Proc) Next(ctx context.Context) (leaf string, err error) {
	command := ""
	if p.leaf != "" {
		command = "next"
		p.leaf, p.previous = "", p.leaf // a failure from here on is another benchmark's
	}
	line, err := p.ask(ctx, command)
	if errors.Is(err, io.EOF) {
		if err := p.ended(); err != nil {
			return "", err
		}
		return "", io.EOF
	}
	if err != nil {
		return "", err
	}
	if quoted, ok := strings.CutPrefix(line, "skip "); ok {
		name, err := strconv.Unquote(quoted)
		if err != nil {
			return "", err
		}
		p.skipped = append(p.skipped, name)
		return p.Next(ctx)
	}
	quoted, ok := strings.CutPrefix(line, "bench ")
	if !ok {
		return "", fmt.Errorf("unexpected answer %q", line)
	}
	p.leaf, err = strconv.Unquote(quoted)
	return p.leaf, err
}

// Run runs n operations of the current leaf, with a forced collection before
// them if forceGC is set, on one processor if On is set. A benchmark that fails, skips, panics, exits or
// hangs gives a *BenchError.
func (p *Proc) Run(ctx context.Context, n int, forceGC bool) (Burst, error) {
	gc := "0"
	if forceGC {
		gc = "1"
	}
	start := time.Now()
	line, err := p.order(ctx, "run "+strconv.Itoa(n)+" "+gc+" "+strconv.Itoa(p.On))
	real := time.Since(start)
	if err != nil {
		return Burst{}, err
	}
	s, err := parseBurst(line)
	s.Real = real
	return s, err
}

// order has the current leaf run a burst and returns the answer. A benchmark
// that does not give it is a *BenchError.
func (p *Proc) order(ctx context.Context, command string) (line string, err error) {
	line, err = p.ask(ctx, command)
	if errors.Is(err, io.EOF) {
		if err := p.ended(); err != nil {
			return "", err
		}
		return "", &BenchError{study.StatusCrashed, p.subject() + " ended the process (exit status 0): it calls os.Exit"}
	}
	if err != nil {
		return "", err
	}
	if how, ok := strings.CutPrefix(line, "fail "); ok {
		p.commands.Close()
		p.awaitExit(exitGrace)
		p.Close()
		p.broken = &BenchError{study.StatusFailed, p.failure(how)}
		if text, ok := p.panicked(); ok {
			p.broken = &BenchError{study.StatusCrashed, text}
		}
		return "", p.broken
	}
	return line, nil
}

// Close ends the process and all of its group, and waits for it. Closing again
// does nothing.
func (p *Proc) Close() {
	p.commands.Close()
	p.answers.Close()
	killGroup(p.cmd)
	p.wait()
}

// Leave lets the process end as under go test, so that profiles and clean-ups
// of the user's TestMain are not cut off, and then closes it. It waits as long
// as for an answer; a second where the process is in the middle of one.
func (p *Proc) Leave() {
	grace := p.timeout
	if p.stuck {
		grace = min(grace, time.Second)
	}
	if p.leaf != "" {
		p.commands.WriteString("next\n") // it may be gone already
	}
	p.commands.Close()
	p.awaitExit(grace)
	p.Close()
}

// CPU returns the CPU time of the whole life of a closed process.
func (p *Proc) CPU() time.Duration {
	if p.cmd.ProcessState == nil {
		return 0
	}
	return p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime()
}

// awaitExit waits for the process to end by itself, but not longer than grace.
func (p *Proc) awaitExit(grace time.Duration) {
	done := make(chan struct{})
	go func() { p.wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(grace):
	}
}
