package oracle

import (
	"slices"
	"strings"
	"testing"
)

const leaving = `package main

import (
	"fmt"
	"os"
)

type box struct{ p []byte }

var sink any

func returned(n int) []byte { return make([]byte, n) }

func passed(i int) { fmt.Fprintln(os.Stdout, i) }

func stored(b *box, n int) {
	p := make([]byte, n)
	b.p = p
}

func keyed(m map[string]int, p []byte) {
	q := string(p)
	m[q] = 1
}

func captured(n int) func() int {
	s := 0
	return func() int { s += n; return s }
}

func sized(n int) int {
	s := make([]int, n)
	return len(s)
}

func large() int {
	s := make([]int, 1<<20)
	return len(s)
}

func sent(c chan *box) { c <- &box{} }

func main() {}
`

func TestReasonsSayHowMemoryLeaves(t *testing.T) {
	tc, dir := program(t, leaving)
	got, err := Reasons(t.Context(), tc, dir, "")
	if err != nil {
		t.Fatal(err)
	}
	words := func(line int, text string) string {
		i := slices.IndexFunc(got, func(r Reason) bool { return r.Line == line && r.Text == text })
		if i < 0 {
			return ""
		}
		return got[i].Words()
	}
	for _, c := range []struct {
		line       int
		text, want string
	}{
		{12, "make([]byte, n) escapes to heap", "it is returned (line 12)"},
		{14, "i escapes to heap", "it is passed to fmt.Fprintln(os.Stdout, ... argument...), which may keep it (line 14)"},
		{17, "make([]byte, n) escapes to heap", "it is stored by b.p = p (line 18)"},
		{22, "string(p) escapes to heap", "a map keeps it (line 23)"},
		{27, "moved to heap: s", "a closure keeps it (line 28)"},
		{28, "func literal escapes to heap", "it is returned (line 28)"},
		{32, "make([]int, n) does not escape", "it does not leave its function; its size is why it is not on the stack"},
		{37, "make([]int, 1048576) escapes to heap", "it is too large for the stack"},
		{41, "&box{} escapes to heap", "it is sent on a channel (line 41)"},
	} {
		if got := words(c.line, c.text); got != c.want {
			t.Errorf("line %d, %s: %q, want %q", c.line, c.text, got, c.want)
		}
	}
	if t.Failed() {
		for _, r := range got {
			t.Log(r, "|", r.How, "|", r.What, "|", r.At)
		}
	}
	facts, err := Escapes(t.Context(), tc, dir, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range facts {
		if !strings.HasPrefix(f.Text, Inlines) && !slices.ContainsFunc(got, func(r Reason) bool { return r.Fact == f }) {
			t.Errorf("%v has no reason", f)
		}
	}
}
