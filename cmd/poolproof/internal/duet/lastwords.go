package duet

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// tail keeps the last 64 KiB written to it.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

const tailSize = 64 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, b...)
	if n := len(t.buf) - tailSize; n > tailSize {
		t.buf = append(t.buf[:0], t.buf[n:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf)
}

// subject names what the process is doing.
func (p *Proc) subject() string {
	if p.leaf != "" {
		return p.leaf
	}
	if m := benchFrame.FindStringSubmatch(p.errors.String()); m != nil {
		return m[1]
	}
	if m := printed.FindAllStringSubmatch(p.output.String(), -1); m != nil {
		return "the benchmark after " + m[len(m)-1][1]
	}
	return "the test binary"
}

var (
	// printed matches what testing prints of a benchmark that it has run.
	printed = regexp.MustCompile(`(?m)^(Benchmark\S+?)(?:-\d+)?\s`)
	failed  = regexp.MustCompile(`(?m)--- FAIL: (\S+?)(?:-\d+)?$`)
	// benchFrame matches a benchmark function in a stack.
	benchFrame = regexp.MustCompile(`\.(Benchmark[^\s.(]*)[.(]`)
	// userFrame matches the position line of a stack frame.
	userFrame = regexp.MustCompile(`(?m)^\t(\S+\.go:\d+)`)
)

// ended looks at a process that closed its pipes: nil if all is well, else a
// *BenchError in one line.
func (p *Proc) ended() error {
	p.awaitExit()
	killGroup(p.cmd)
	p.wait()
	if text, ok := p.panicked(); ok {
		return &BenchError{study.StatusCrashed, text}
	}
	state := p.cmd.ProcessState
	if state.Success() {
		return nil
	}
	if failed.MatchString(p.output.String()) {
		return &BenchError{study.StatusFailed, p.failure("")}
	}
	return &BenchError{study.StatusCrashed, fmt.Sprintf("%s ended the process (%v): %s", p.subject(), state, p.lastWords("it calls os.Exit, or was killed"))}
}

// panicked finds a panic or a fatal error of the runtime in the standard
// error: its first line, and the first position that is not the runtime's.
func (p *Proc) panicked() (string, bool) {
	text := p.errors.String()
	for _, word := range []string{"panic: ", "fatal error: "} {
		i := strings.Index(text, word)
		if i < 0 || i > 0 && text[i-1] != '\n' {
			continue
		}
		at := ""
		for _, m := range userFrame.FindAllStringSubmatch(text[i:], -1) {
			if !strings.Contains(m[1], "/src/runtime/") && !strings.Contains(m[1], "/src/testing/") && !strings.Contains(m[1], "/src/internal/") {
				at = " at " + m[1]
				break
			}
		}
		return fmt.Sprintf("%s: %s%s", p.subject(), firstLine(text[i:]), at), true
	}
	return "", false
}

// failure says in one line why the benchmark cannot be measured: the first
// line of its log where testing printed one, else how its server says that it
// left.
func (p *Proc) failure(how string) string {
	if lines := p.failures(); len(lines) > 0 {
		return lines[len(lines)-1]
	}
	switch how {
	case "skipped":
		return p.subject() + " skipped itself"
	case "failed":
		return p.subject() + " failed without a message"
	default:
		return p.subject() + " left its goroutine without a message"
	}
}

// lastWords is the last line of the standard error, or of the standard
// output, or else.
func (p *Proc) lastWords(otherwise string) string {
	for _, t := range []*tail{p.errors, p.output} {
		lines := strings.Split(strings.TrimSpace(t.String()), "\n")
		if last := strings.TrimSpace(lines[len(lines)-1]); last != "" && !strings.HasPrefix(last, "Benchmark") {
			return last
		}
	}
	return otherwise
}

// died reports whether the process panicked or was killed.
func (p *Proc) died() bool {
	_, panicked := p.panicked()
	return panicked || p.cmd.ProcessState != nil && p.cmd.ProcessState.ExitCode() < 0
}

// failures returns a line for each benchmark that failed.
func (p *Proc) failures() []string {
	var lines []string
	text := p.output.String()
	for _, m := range failed.FindAllStringSubmatchIndex(text, -1) {
		line := text[m[2]:m[3]] + " failed"
		_, rest, _ := strings.Cut(text[m[0]:], "\n")
		if why := firstLine(rest); strings.Contains(why, ".go:") {
			line += ": " + strings.TrimSpace(why)
		}
		lines = append(lines, line)
	}
	return lines
}
