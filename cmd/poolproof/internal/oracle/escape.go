// Package oracle asks the Go compiler what it proves about allocations.
package oracle

import (
	"context"
	"fmt"
	"iter"
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

// Inlines begins the fact that the compiler can put a declared function into its callers; the name follows.
const Inlines = "can inline "

// literal matches the name of a function value, or of the body of a loop over a function.
var literal = regexp.MustCompile(`\.func\d|-range\d`)

var factLine = regexp.MustCompile(`^(?:\./)?([^:\s]+\.go):(\d+):(\d+): (.*)$`)

// Escapes returns what the compiler says of the heap in the package of dir
// (test files left out), and which declared functions it can put into their callers, in its order. The go command replays it from its
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

// factsIn are the lines of the compiler that have a place.
func factsIn(out []byte) iter.Seq[Fact] {
	return func(yield func(Fact) bool) {
		for line := range strings.Lines(string(out)) {
			m := factLine.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
			if m == nil {
				continue
			}
			f := Fact{File: m[1], Text: m[4]}
			f.Line, _ = strconv.Atoi(m[2])
			f.Col, _ = strconv.Atoi(m[3])
			if !yield(f) {
				return
			}
		}
	}
}

func parse(out []byte) []Fact {
	var facts []Fact
	seen := map[Fact]bool{}
	for f := range factsIn(out) {
		if (aboutHeap(f.Text) || strings.HasPrefix(f.Text, Inlines) && !literal.MatchString(f.Text)) && !seen[f] { // a generic function prints once an instance
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

// Reason is a fact with the compiler's reason for it.
type Reason struct {
	Fact
	// How says how the memory leaves its function: the last step of the flow, as
	// "return" or "call parameter"; "" where it does not escape.
	How  string
	What string // the expression of that step
	At   int    // its line
}

// Reasons is [Escapes] with the reason of each fact.
func Reasons(ctx context.Context, t *overlay.Toolchain, dir, tags string) ([]Reason, error) {
	out, err := explained(ctx, t, dir, tags, "-m=2")
	if err != nil {
		return nil, err
	}
	return reasons(out), nil
}

// flowHead matches the line above the reasons of a fact, and step a reason.
var (
	flowHead = regexp.MustCompile(`^(.*) escapes to heap(?: in .*)?:$`)
	step     = regexp.MustCompile(`^    from (.*) \(([^()]*)\) at (?:\./)?[^:\s]+:(\d+):\d+$`)
)

func reasons(out []byte) []Reason {
	last := map[Fact]Reason{} // of a place without its text: the step that was printed last
	var all []Reason
	seen := map[Reason]bool{}
	for f := range factsIn(out) {
		at, text := Fact{File: f.File, Line: f.Line, Col: f.Col}, f.Text
		if flowHead.MatchString(text) {
			last[at] = Reason{}
			continue
		}
		if s := step.FindStringSubmatch(text); s != nil {
			r := Reason{What: s[1], How: s[2]}
			r.At, _ = strconv.Atoi(s[3])
			last[at] = r
			continue
		}
		if strings.HasPrefix(text, " ") || !aboutHeap(text) {
			continue
		}
		r := Reason{Fact: f}
		if !strings.HasSuffix(text, "does not escape") {
			r.How, r.What, r.At = last[at].How, last[at].What, last[at].At
		}
		if !seen[r] {
			seen[r] = true
			all = append(all, r)
		}
	}
	return all
}

// Words says in plain English why the memory of the fact is where it is.
func (r Reason) Words() string {
	if strings.HasSuffix(r.Text, "does not escape") {
		return "it does not leave its function; its size is why it is not on the stack"
	}
	at := fmt.Sprintf(" (line %d)", r.At)
	switch r.How {
	case "":
		return r.Text
	case "return":
		return "it is returned" + at
	case "call parameter":
		return "it is passed to " + cut(r.What) + ", which may keep it" + at
	case "too large for stack":
		return "it is too large for the stack"
	case "captured by a closure", "reference": // the latter of a variable that the closure shares
		return "a closure keeps it" + at
	case "key of map put", "map literal key", "map literal value":
		return "a map keeps it" + at
	case "send":
		return "it is sent on a channel" + at
	case "assign", "assign-pair", "range", "appended slice...", "appendee slice", "struct literal element", "array literal element", "slice-literal-element":
		return "it is stored by " + cut(r.What) + at
	case "interface-converted":
		return "it is converted to an interface that leaves the function" + at
	}
	return cut(r.What) + " (" + r.How + ") lets it leave the function" + at
}

// cut shortens source text.
func cut(s string) string {
	const most = 50
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}
