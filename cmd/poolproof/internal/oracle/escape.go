// Package oracle asks the Go compiler what it proves about allocations.
package oracle

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
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
// cache, so a second call is cheap. Nothing is written to dir. The error is an
// *overlay.CommandError where the package does not compile.
func Escapes(ctx context.Context, t *overlay.Toolchain, dir, tags string) ([]Fact, error) {
	out, err := explained(ctx, t, dir, tags, "-m")
	if err != nil {
		return nil, err
	}
	return parse(out), nil
}

// explained builds the package with a flag of the compiler, and returns what that prints.
func explained(ctx context.Context, t *overlay.Toolchain, dir, tags, flag string) ([]byte, error) {
	// A program would be written into the user's folder without -o, and
	// -trimpath in GOFLAGS would change the file names in the facts.
	args := []string{"build", "-o=" + os.DevNull, "-trimpath=false", "-gcflags=" + flag}
	if tags != "" {
		args = append(args, "-tags="+tags)
	}
	return t.GoStderr(ctx, dir, append(args, ".")...)
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

// aboutHeap keeps the lines that say where memory comes from: what leaks or is
// inlined says nothing of that, nor does a parameter that does not escape.
func aboutHeap(text string) bool {
	if strings.Contains(text, "escapes to heap") || strings.HasPrefix(text, "moved to heap: ") {
		return true
	}
	what, local := strings.CutSuffix(text, " does not escape")
	return local && (strings.ContainsAny(what, "({&") || what == "func literal")
}
