package gotest

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
)

// State is how the test of a package ended.
type State string

// The states of a package.
const (
	Passed      State = "ok"
	Failed      State = "failed"
	NoTests     State = "no test files"
	BuildFailed State = "build failed" // go vet, as go test runs it, is part of the build
	SetupFailed State = "setup failed" // the go command could not even load it
)

// Unbuilt reports whether the package could not be built.
func (s State) Unbuilt() bool { return s == BuildFailed || s == SetupFailed }

// Package is the result of one package.
type Package struct {
	Path  string
	State State
	Tests []string // that failed, subtests and what they are part of, in the order of printing

	TimedOut bool // "test timed out", or killed for it by the go command
	Stopped  bool // it ended before all tests had run: a panic, os.Exit, a signal, a timeout
	Killed   bool // by a signal that no process can refuse
	Misused  bool // it has said that a test misused a pool
}

// Misuse is how what a test says begins that has misused a pool.
const Misuse = "misuse of a sync.Pool "

// Leaves returns the failed tests without those that failed only because a subtest did.
func (p Package) Leaves() []string {
	var leaves []string
	for _, t := range p.Tests {
		if !slices.ContainsFunc(p.Tests, func(u string) bool { return strings.HasPrefix(u, t+"/") }) {
			leaves = append(leaves, t)
		}
	}
	return leaves
}

// Watcher reads the standard output of go test while it is printed: it is an
// io.Writer beside the real one. With -json it must be told.
type Watcher struct {
	JSON bool

	lines    Lines
	broken   []string
	packages []Package
	done     atomic.Int32         // packages, for other goroutines
	text     progress             // without JSON: of the package that is being printed
	open     map[string]*progress // with JSON: by import path
}

// progress is the output so far of a package that has not ended.
type progress struct {
	tests    []string
	timedOut bool
	killed   bool
	misused  bool
	ended    bool // the test binary has said FAIL or PASS, as it does after the last test
	state    State
}

// Lines is a writer that hands on each line as soon as it is whole, without its end.
type Lines struct {
	Each func(line []byte)
	rest []byte // of an unfinished line
}

// Write never fails.
func (l *Lines) Write(b []byte) (int, error) {
	l.rest = append(l.rest, b...)
	for {
		line, rest, whole := bytes.Cut(l.rest, []byte("\n"))
		if !whole {
			return len(b), nil
		}
		l.rest = rest
		l.Each(line)
	}
}

// Write never fails.
func (w *Watcher) Write(b []byte) (int, error) {
	w.lines.Each = w.line
	return w.lines.Write(b)
}

// Packages returns the packages that have ended, in the order of their end.
func (w *Watcher) Packages() []Package {
	if rest := w.lines.rest; len(rest) > 0 {
		w.lines.rest = nil
		w.line(rest)
	}
	return w.packages
}

// Done counts the packages that have ended, also while the output is written.
func (w *Watcher) Done() int { return int(w.done.Load()) }

// Broken returns the packages of the build, with -json alone, that did not
// compile; without it the go command says so on standard error.
func (w *Watcher) Broken() []string { return w.broken }

func (w *Watcher) line(text []byte) {
	text = bytes.TrimSuffix(text, []byte("\r"))
	if w.JSON && len(text) > 0 && text[0] == '{' {
		w.event(text)
		return
	}
	if p, ok := packageLine(string(text)); ok {
		w.end(p, &w.text)
		w.text = progress{}
		return
	}
	w.text.see(string(text))
}

// The lines with which the go command ends the output of a package.
var (
	endLine    = regexp.MustCompile(`^(ok  |FAIL|\?   |---)\t(\S+)(?:\t| \[(build failed|setup failed)\]|$)`)
	noTestLine = regexp.MustCompile(`^\t(\S+)\t\tcoverage: 0\.0% of statements$`) // with -cover
)

// packageLine reads such a line.
func packageLine(text string) (Package, bool) {
	if m := noTestLine.FindStringSubmatch(text); m != nil {
		return Package{Path: m[1], State: NoTests}, true
	}
	m := endLine.FindStringSubmatch(text)
	if m == nil {
		return Package{}, false
	}
	p := Package{Path: m[2]}
	switch {
	case m[1] == "ok  ":
		p.State = Passed
	case m[1] == "?   ":
		p.State = NoTests
	case m[3] != "":
		p.State = State(m[3])
	default:
		p.State = Failed
	}
	return p, true
}

func (w *Watcher) end(p Package, s *progress) {
	if p.State == Failed {
		p.Tests, p.TimedOut, p.Killed = s.tests, s.timedOut, s.killed
		p.Stopped = s.timedOut || !s.ended
		p.Misused = s.misused
	}
	w.packages = append(w.packages, p)
	w.done.Add(1)
}

var (
	failLine    = regexp.MustCompile(`^\s*\x16?--- FAIL: (\S+)(?: \(|$)`)
	timeoutLine = regexp.MustCompile(`^(panic: test timed out after |\*\*\* Test killed.*: ran too long)`)
)

// see reads a line that a test binary printed.
func (s *progress) see(text string) {
	switch m := failLine.FindStringSubmatch(text); {
	case m != nil:
		if !slices.Contains(s.tests, m[1]) {
			s.tests = append(s.tests, m[1])
		}
	case timeoutLine.MatchString(text):
		s.timedOut = true
	case text == "signal: killed": // the go command says so, after the output of the binary
		s.killed = true
	case strings.Contains(text, Misuse):
		s.misused = true
	case strings.TrimPrefix(text, "\x16") == "FAIL", text == "PASS":
		s.ended = true
	}
}

// event reads a line of go test -json.
func (w *Watcher) event(text []byte) {
	var e struct{ Action, Package, ImportPath, Test, Output, FailedBuild string }
	if json.Unmarshal(text, &e) != nil {
		return
	}
	if e.Action == "build-fail" {
		path, _, _ := strings.Cut(e.ImportPath, " ") // it may say for which test
		w.broken = append(w.broken, path)
	}
	if e.Package == "" {
		return
	}
	if w.open == nil {
		w.open = map[string]*progress{}
	}
	s := w.open[e.Package]
	if s == nil {
		s = &progress{}
		w.open[e.Package] = s
	}
	switch {
	case e.Action == "output" && e.Test != "":
		s.timedOut = s.timedOut || timeoutLine.MatchString(e.Output)
		s.misused = s.misused || strings.Contains(e.Output, Misuse)
	case e.Action == "output":
		if line := strings.TrimRight(e.Output, "\r\n"); line != "" {
			if p, ok := packageLine(line); ok {
				s.state = p.State
			}
			s.see(line)
		}
	case e.Test != "":
		if e.Action == "fail" && !slices.Contains(s.tests, e.Test) {
			s.tests = append(s.tests, e.Test)
		}
	default:
		w.packageEvent(e.Action, e.Package, e.FailedBuild, s)
	}
}

// packageEvent reads the last event of a package.
func (w *Watcher) packageEvent(action, path, failedBuild string, s *progress) {
	p := Package{Path: path}
	switch action {
	case "pass":
		p.State = Passed
	case "skip":
		p.State = NoTests
	case "fail":
		p.State = Failed
		switch {
		case s.state == SetupFailed:
			p.State = SetupFailed
		case failedBuild != "" || s.state == BuildFailed:
			p.State = BuildFailed
		}
	default:
		return
	}
	w.end(p, s)
	delete(w.open, path)
}
