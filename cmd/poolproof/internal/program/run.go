package program

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/procgroup"
)

// Times that a program gets for what is not its work.
const (
	readyPause = 10 * time.Millisecond
	stopTime   = 5 * time.Second
)

// one runs the program once, and its load, and returns the metrics.
func (q *Question) one(ctx context.Context, binary string) (map[string]float64, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	addr, err := freeAddress()
	if err != nil {
		return nil, err
	}
	p := &process{ready: q.Ready, seen: make(chan struct{})}
	p.cmd = exec.CommandContext(ctx, binary, substitute(q.Cmd[1:], addr)...)
	p.cmd.Env = append(os.Environ(), "ADDR="+addr, "GODEBUG="+strings.TrimPrefix(os.Getenv("GODEBUG")+",gctrace=1", ","))
	if err := p.start(); err != nil {
		return nil, fault.Errorf(fault.Code, "-cmd: %w", err)
	}
	defer p.kill()
	if len(q.Load) == 0 {
		return q.toItsEnd(ctx, p)
	}
	if err := p.waitReady(ctx, addr, q.Timeout); err != nil {
		return nil, err
	}
	before, _ := cpuOf(p.cmd.Process.Pid)
	text, err := q.load(ctx, addr)
	if err != nil {
		return nil, err
	}
	if p.gone() {
		return nil, fault.Errorf(fault.Code, "-cmd: the program ended under load: %s", p.lastWords())
	}
	after, inside := cpuOf(p.cmd.Process.Pid)
	p.stop()
	values, missing := printed(text, q.Metrics)
	if len(missing) > 0 {
		return nil, fault.Errorf(fault.Input, "-metric: what -load printed has no %s; it ends with: %s", strings.Join(missing, ", "), ending(text))
	}
	if !inside {
		before, after = 0, p.cmd.ProcessState.UserTime()+p.cmd.ProcessState.SystemTime()
	}
	p.add(values, after-before)
	if n := values[requests]; n > 0 {
		values[cpu] /= n
		delete(values, requests)
	}
	return values, nil
}

// toItsEnd is the run of a program without load.
func (q *Question) toItsEnd(ctx context.Context, p *process) (map[string]float64, error) {
	start := time.Now()
	select {
	case <-p.done:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	took := time.Since(start)
	if p.err != nil {
		return nil, fault.Errorf(fault.Code, "-cmd: %w: %s", p.err, p.lastWords())
	}
	values, missing := printed(p.text(), q.Metrics)
	if len(missing) > 0 {
		return nil, fault.Errorf(fault.Input, "-metric: what the program printed has no %s; it ends with: %s", strings.Join(missing, ", "), ending(p.text()))
	}
	p.add(values, p.cmd.ProcessState.UserTime()+p.cmd.ProcessState.SystemTime())
	values[wall] = float64(took)
	return values, nil
}

// load runs the load command and returns what it printed.
func (q *Question) load(ctx context.Context, addr string) (string, error) {
	cmd := exec.CommandContext(ctx, q.Load[0], substitute(q.Load[1:], addr)...)
	cmd.Env = append(os.Environ(), "ADDR="+addr)
	procgroup.Own(cmd)
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if errors.Is(err, exec.ErrNotFound) {
		return "", fault.Errorf(fault.Input, "-load: %w", err)
	}
	if err != nil {
		return "", fault.Errorf(fault.Code, "-load fails: %w: %s", err, ending(string(out)))
	}
	if line := failed(string(out)); line != "" {
		return "", fault.Errorf(fault.Code, "-load: requests fail, and an error may be faster than an answer: %s", ending(line))
	}
	return string(out), nil
}

// process is a running program.
type process struct {
	cmd   *exec.Cmd
	ready *regexp.Regexp
	seen  chan struct{} // closed when ready has matched
	done  chan struct{}
	err   error // valid after done

	mu    sync.Mutex
	out   bytes.Buffer // what it printed, but for the runtime's lines
	trace trace
	found bool
}

func (p *process) start() error {
	procgroup.Own(p.cmd)
	procgroup.Tie(p.cmd)
	read, write := io.Pipe()
	p.cmd.Stdout, p.cmd.Stderr = write, write
	if err := p.cmd.Start(); err != nil {
		return err
	}
	p.done = make(chan struct{})
	lines := make(chan struct{})
	go func() {
		defer close(lines)
		r := bufio.NewReader(read)
		for {
			line, err := r.ReadString('\n')
			p.take(line)
			if err != nil {
				return
			}
		}
	}()
	go func() {
		p.err = p.cmd.Wait()
		write.Close()
		<-lines
		close(p.done)
	}()
	return nil
}

// mostOutput bounds what is kept of a program's output.
const mostOutput = 1 << 20

func (p *process) take(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.trace.line(line) {
		return
	}
	if p.out.Len() < mostOutput {
		p.out.WriteString(line)
	}
	if p.ready != nil && !p.found && p.ready.MatchString(line) {
		p.found = true
		close(p.seen)
	}
}

func (p *process) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.String()
}

func (p *process) lastWords() string { return ending(p.text()) }

func (p *process) gone() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// waitReady waits until the program says that it is ready, or takes connections.
func (p *process) waitReady(ctx context.Context, addr string, limit time.Duration) error {
	deadline := time.NewTimer(limit)
	defer deadline.Stop()
	poll := time.NewTicker(readyPause)
	defer poll.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-p.done:
			return fault.Errorf(fault.Code, "-cmd: the program ended before it was ready: %s", p.lastWords())
		case <-deadline.C:
			how := "takes no connection on " + addr + ", which $ADDR stands for in -cmd"
			if p.ready != nil {
				how = "has printed nothing that -ready matches"
			}
			return fault.Errorf(fault.Code, "-cmd: after %s the program %s; it printed: %s", limit, how, p.lastWords())
		case <-p.seen:
			return nil
		case <-poll.C:
			if p.ready != nil {
				continue
			}
			if c, err := net.DialTimeout("tcp", addr, readyPause); err == nil {
				c.Close()
				return nil
			}
		}
	}
}

// stop ends the program as Ctrl-C does, and then at once.
func (p *process) stop() {
	_ = p.cmd.Cancel() // it may have ended
	select {
	case <-p.done:
	case <-time.After(stopTime):
		p.kill()
	}
}

func (p *process) kill() {
	_ = procgroup.Kill(p.cmd)
	<-p.done
}

// add adds what the system and the runtime say of a run that has ended.
func (p *process) add(values map[string]float64, used time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	own := map[string]float64{cpu: float64(used), rss: peakRSS(p.cmd.ProcessState), cycles: float64(p.trace.cycles), pauses: p.trace.pauses, longest: p.trace.longest}
	if p.trace.peak > 0 {
		own[heap] = p.trace.peak
	}
	maps.Copy(values, own)
}

// freeAddress is one of the loopback interface that nobody listens on.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// substitute puts the address into a command line.
func substitute(words []string, addr string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = strings.ReplaceAll(strings.ReplaceAll(w, "$ADDR", addr), "${ADDR}", addr)
	}
	return out
}

// ending is the end of an output, in one line.
func ending(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if text == "" {
		return "(nothing)"
	}
	const most = 300
	if len(text) > most {
		text = "..." + strings.ToValidUTF8(text[len(text)-most:], "")
	}
	return fmt.Sprintf("%q", text)
}

// gcLine is a line of GODEBUG=gctrace=1: the stops at the beginning and at the end of a
// collection, in ms with the time that goroutines took to stop, and the heap before and after it,
// in MB.
var gcLine = regexp.MustCompile(`^gc \d+ @[0-9.]+s .*?: ([0-9.]+)\+[0-9.]+\+([0-9.]+) ms clock, .* (\d+)->(\d+)->(\d+) MB, `)

// trace adds up what the runtime prints of its collections.
type trace struct {
	cycles          int
	peak            float64 // bytes
	pauses, longest float64 // ns
}

// line reports whether a line is the runtime's.
func (t *trace) line(s string) bool {
	m := gcLine.FindStringSubmatch(s)
	if m == nil {
		return false
	}
	t.cycles++
	for _, ms := range m[1:3] {
		if v, err := strconv.ParseFloat(ms, 64); err == nil {
			t.pauses += v * float64(time.Millisecond)
			t.longest = max(t.longest, v*float64(time.Millisecond))
		}
	}
	for _, mb := range m[3:5] {
		if v, err := strconv.ParseFloat(mb, 64); err == nil {
			t.peak = max(t.peak, v*(1<<20))
		}
	}
	return true
}
