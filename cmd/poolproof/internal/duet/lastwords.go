package duet

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// subject names what the process is doing.
func (p *Proc) subject() string {
	if p.leaf != "" {
		return p.leaf
	}
	for _, m := range benchFrame.FindAllStringSubmatch(p.errors.String(), -1) {
		if m[1] != "testing" { // testing.Benchmark
			return m[2]
		}
	}
	if p.expected != "" {
		return p.expected
	}
	if p.previous != "" {
		return "the benchmark after " + p.previous
	}
	if m := printed.FindAllStringSubmatch(p.output.String(), -1); m != nil {
		return "the benchmark after " + m[len(m)-1][1]
	}
	return "the test binary"
}

var (
	// printed matches what testing prints of a benchmark that it has run.
	printed = regexp.MustCompile(`(?m)^(Benchmark\S+?)(?:-\d+)?\s`)
	// lastFail matches what testing prints at the end where something failed.
	lastFail = regexp.MustCompile(`(?m)^\x16?FAIL$`)
	failed   = regexp.MustCompile(`(?m)--- FAIL: (\S+)$`)
	// benchFrame matches a benchmark function in a stack.
	benchFrame = regexp.MustCompile(`(?m)^([^\s(]+)\.(Benchmark[^\s.(]*)[.(]`)
	// crash matches the first line of a panic or of a fatal error of the runtime.
	crash = regexp.MustCompile(`(?m)^(?:panic|fatal error): .*$`)
)

// ended looks at a process that closed its pipes: nil if all is well, else a
// *BenchError in one line.
func (p *Proc) ended() error {
	p.awaitExit(exitGrace)
	p.Close()
	state := p.cmd.ProcessState
	if state.Success() {
		return nil
	}
	if text, ok := p.panicked(); ok {
		return &BenchError{study.StatusCrashed, text}
	}
	if p.saidFail() {
		return &BenchError{study.StatusFailed, p.failure("")}
	}
	return &BenchError{study.StatusCrashed, fmt.Sprintf("%s ended the process (%v): %s", p.subject(), state, p.lastWords("it calls os.Exit, or was killed"))}
}

// saidFail reports whether the process came to its end by itself after a
// benchmark had failed: testing says so in the last line.
func (p *Proc) saidFail() bool {
	text := p.output.String()
	return failed.MatchString(text) && lastFail.MatchString(text)
}

// ranNothing explains a process that ended well without a benchmark, if there
// is something to explain.
func (p *Proc) ranNothing() (string, bool) {
	if p.leaf == "" && p.previous == "" && !strings.Contains(p.output.String(), "PASS\n") {
		return "the test binary ended without running a benchmark: does its TestMain call os.Exit without m.Run?", true
	}
	return "", false
}

// panicked finds a panic or a fatal error in the standard error of a process
// that ended: its first line, and the user's position.
func (p *Proc) panicked() (string, bool) {
	if state := p.cmd.ProcessState; state != nil && state.Success() {
		return "", false // it printed the words and lived on
	}
	text := p.errors.String()
	at := crash.FindStringIndex(text)
	if at == nil {
		return "", false
	}
	where := ""
	if pos := position(text[at[1]:], p.cmd.Dir); pos != "" {
		where = " at " + pos
	}
	return clip(p.subject() + ": " + strings.TrimSpace(text[at[0]:at[1]]) + where), true
}

// failure says in one line why the benchmark cannot be measured: the first
// line of its log where testing printed one, else how its server says that it
// left.
func (p *Proc) failure(how string) string {
	all := p.failures()
	for _, f := range slices.Backward(all) {
		if f.Name == p.leaf {
			return f.Failed
		}
	}
	for _, f := range slices.Backward(all) { // a parent fails after its part
		if !slices.ContainsFunc(all, func(part Leaf) bool { return strings.HasPrefix(part.Name, f.Name+"/") }) {
			return f.Failed
		}
	}
	switch how {
	case "skipped":
		return p.subject() + " skipped itself"
	case "unpaced":
		return p.subject() + " does not use b.Loop: a benchmark with a rate needs it, for the loop paces the operations"
	case "early":
		return p.subject() + " left its loop before b.Loop was false: a benchmark with a rate runs all of its operations"
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
			return clip(last)
		}
	}
	return otherwise
}

// failures returns each benchmark that failed without ending the process, and
// what it said.
func (p *Proc) failures() []Leaf {
	var leaves []Leaf
	text := p.output.String()
	for _, m := range failed.FindAllStringSubmatchIndex(text, -1) {
		name := text[m[2]:m[3]]
		if p.leaf != "" && sameLeaf(name, p.leaf) {
			name = p.leaf
		}
		line := name + " failed"
		_, rest, _ := strings.Cut(text[m[0]:], "\n")
		if why := firstLine(rest); strings.Contains(why, ".go:") {
			line += ": " + why
		}
		leaves = append(leaves, Leaf{Name: name, Failed: clip(line)})
	}
	return leaves
}

// sameLeaf reports whether testing printed the name of leaf: it may add the
// number of processors.
func sameLeaf(printed, leaf string) bool {
	procs, ok := strings.CutPrefix(printed, leaf)
	if !ok || procs == "" {
		return ok
	}
	number, ok := strings.CutPrefix(procs, "-")
	_, err := strconv.Atoi(number)
	return ok && err == nil
}

// clip bounds a line that quotes the user's program.
func clip(line string) string {
	const most = 400
	if len(line) <= most {
		return line
	}
	return strings.ToValidUTF8(line[:most], "") + "..."
}
