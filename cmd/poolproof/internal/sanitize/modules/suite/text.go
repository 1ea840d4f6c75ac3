package suite

import (
	"bytes"
	"encoding/json"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/gotest"
)

// reader takes the output of go test -json apart: events for the watcher, what
// the tests printed for people.
type reader struct {
	watcher gotest.Watcher
	text    bytes.Buffer
	rest    []byte
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
	var event struct{ Output string }
	if json.Unmarshal(line, &event) != nil {
		r.text.Write(line)
		return
	}
	r.text.WriteString(event.Output)
}

// outcome is what was read.
func (r *reader) outcome() *Outcome {
	if len(r.rest) > 0 {
		r.line(r.rest)
		r.rest = nil
	}
	return &Outcome{Packages: r.watcher.Packages(), Output: r.text.String()}
}
