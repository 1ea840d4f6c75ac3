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
	type place struct{ file, line, col string }
	last := map[place]Reason{} // the step that was printed last
	var all []Reason
	seen := map[Reason]bool{}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		m := factLine.FindStringSubmatch(lines.Text())
		if m == nil {
			continue
		}
		at, text := place{m[1], m[2], m[3]}, m[4]
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
		r := Reason{Fact: Fact{File: m[1], Text: text}}
		r.Line, _ = strconv.Atoi(m[2])
		r.Col, _ = strconv.Atoi(m[3])
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
