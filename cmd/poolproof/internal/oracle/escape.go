// Package oracle asks the Go compiler what it proves about allocations.
package oracle

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
)

// Fact is one line of the compiler's escape analysis.
type Fact struct {
	File      string // relative to the package's directory, with forward slashes
	Line, Col int
	Text      string // as "make([]int, n) escapes to heap"
}

func (f Fact) String() string { return fmt.Sprintf("%s:%d:%d: %s", f.File, f.Line, f.Col, f.Text) }

var factLine = regexp.MustCompile(`^(?:\./)?([^:\s]+\.go):(\d+):(\d+): (.*)$`)

// Escapes returns what the compiler says of the heap in the package of dir
// (test files left out), in its order. The go command replays it from its
// cache, so a second call is cheap.
func Escapes(ctx context.Context, t *overlay.Toolchain, dir, tags string) ([]Fact, error) {
	args := []string{"build", "-gcflags=-m"}
	if tags != "" {
		args = append(args, "-tags="+tags)
	}
	out, err := t.GoStderr(ctx, dir, append(args, ".")...)
	if err != nil {
		return nil, err
	}
	return parse(out), nil
}

func parse(out []byte) []Fact {
	var facts []Fact
	seen := map[Fact]bool{}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		m := factLine.FindStringSubmatch(lines.Text())
		if m == nil || !aboutHeap(m[4]) {
			continue
		}
		f := Fact{File: m[1], Text: m[4]}
		f.Line, _ = strconv.Atoi(m[2])
		f.Col, _ = strconv.Atoi(m[3])
		if !seen[f] { // a generic function prints once an instance
			seen[f] = true
			facts = append(facts, f)
		}
	}
	return facts
}

// aboutHeap keeps the lines that say where memory comes from; "leaking param"
// and inlining say nothing of that.
func aboutHeap(text string) bool {
	return strings.Contains(text, "escapes to heap") || strings.Contains(text, "moved to heap") ||
		strings.HasSuffix(text, "does not escape") && strings.ContainsAny(text, "({&")
}
