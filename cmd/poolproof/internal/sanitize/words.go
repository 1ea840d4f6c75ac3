package sanitize

import (
	"bytes"
	"encoding/json"
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
