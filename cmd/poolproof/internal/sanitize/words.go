package sanitize

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/finding"
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

// eventReader keeps what tests print, of go test -json.
type eventReader struct {
	rest []byte
	said said
}

const mostSaid = 16 << 10

// Write never fails.
func (r *eventReader) Write(b []byte) (int, error) {
	r.rest = append(r.rest, b...)
	for {
		i := bytes.IndexByte(r.rest, '\n')
		if i < 0 {
			return len(b), nil
		}
		var e struct{ Action, Package, Test, Output string }
		if json.Unmarshal(r.rest[:i], &e) == nil && e.Action == "output" && e.Test != "" {
			t := finding.Test{Package: e.Package, Name: e.Test}
			if len(r.said[t]) < mostSaid {
				r.said[t] = append(r.said[t], e.Output...)
			}
		}
		r.rest = r.rest[i+1:]
	}
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
