package sanitize

import (
	"encoding/json"
	"io"
	"regexp"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/finding"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/gotest"
)

// said is the output of failing tests, by package and test.
type said map[finding.Test][]byte

// excerpt is the part of a test's output that says what went wrong.
func excerpt(output []byte) []string {
	const most = 3
	var lines []string
	for line := range strings.Lines(string(output)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "=== ") || strings.HasPrefix(line, "--- ") {
			continue
		}
		if len(lines) == most {
			break
		}
		if len(line) > 200 {
			line = line[:197] + "..."
		}
		lines = append(lines, line)
	}
	return lines
}

const mostSaid = 16 << 10

// listen keeps what tests print, of go test -json.
func (s said) listen() io.Writer {
	return &gotest.Lines{Each: func(line []byte) {
		var e struct{ Action, Package, Test, Output string }
		if json.Unmarshal(line, &e) != nil || e.Action != "output" || e.Test == "" {
			return
		}
		if t := (finding.Test{Package: e.Package, Name: e.Test}); len(s[t]) < mostSaid {
			s[t] = append(s[t], e.Output...)
		}
	}}
}

// poisonForms are the ways in which a byte of poison, 0xdb, shows in what a test prints:
// quoted, in hexadecimal, in decimal, as an int8, or as a character that is none.
var poisonForms = regexp.MustCompile(`\\xdb|0[xX](?:db|DB)+\b|\b(?:db|DB)(?: ?(?:db|DB))+\b|\b219\b|\x{FFFD}`)

// poisonIn keeps the lines of tests' output that show poison.
func (res *Result) poisonIn(words said) {
	for t, output := range words {
		for line := range strings.Lines(string(output)) {
			line = strings.TrimSpace(line)
			if !poisonForms.MatchString(line) {
				continue
			}
			if len(line) > 200 {
				line = strings.ToValidUTF8(line[:197], "") + "..."
			}
			if res.Poison == nil {
				res.Poison = map[string]string{}
			}
			res.Poison[t.Package+" "+t.Name] = line
			break
		}
	}
}
