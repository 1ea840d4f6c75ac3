package suite

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/gotest"
)

// reader takes the output of go test -json apart: events for the watcher, what
// the tests printed for people.
type reader struct {
	watcher gotest.Watcher
	text    bytes.Buffer
	rest    []byte
	races   int
	raced   []string
}

func newReader() *reader { return &reader{watcher: gotest.Watcher{JSON: true}} }

// Write never fails.
func (r *reader) Write(b []byte) (int, error) {
	r.rest = append(r.rest, b...)
	for {
		i := bytes.IndexByte(r.rest, '\n')
		if i < 0 {
			return len(b), nil
		}
		r.line(r.rest[:i+1])
		r.rest = r.rest[i+1:]
	}
}

func (r *reader) line(line []byte) {
	r.watcher.Write(line)
	var event struct{ Package, Test, Output string }
	if json.Unmarshal(line, &event) != nil {
		r.text.Write(line)
		return
	}
	r.text.WriteString(event.Output)
	r.race(event.Package, event.Test, event.Output)
}

// race takes note of what the race detector says, and of what follows from it:
// package testing says that the test has failed, or the package, and a process
// whose race came later ends with 66.
func (r *reader) race(path, test, output string) {
	if strings.HasPrefix(output, "WARNING: DATA RACE") {
		r.races++
	}
	name := path
	switch {
	case strings.HasSuffix(output, ": race detected during execution of test\n"):
		name += "." + test
	case strings.HasPrefix(output, "testing: race detected outside of test execution"), output == "exit status 66\n":
	default:
		return
	}
	if !slices.Contains(r.raced, name) {
		r.raced = append(r.raced, name)
	}
}

// outcome is the result, as it was read.
func (r *reader) outcome() *Outcome {
	if len(r.rest) > 0 {
		r.line(r.rest)
		r.rest = nil
	}
	return &Outcome{Packages: r.watcher.Packages(), Output: r.text.String(), Races: r.races, Raced: r.raced}
}
