package candidate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile/attribute"
)

const source = `package m

import "bytes"

type node struct{ next *node }

var kept any

func kinds(n int, p []byte, s string) any {
	a := make([]int, n)                // slice
	b := make(map[int]int, n)          // map
	c := func() int { return n }       // closure
	d := &node{}                       // literal
	e := s + string(p)                 // concat
	f := map[string]int{s: n}          // map literal
	g := make(chan int)                // chan
	kept = []any{a, b, c, d, e, f, g}
	return append([]int(nil), n)       // append
}

func local(n int) int {
	var buf bytes.Buffer               // buffer
	buf.WriteString("x")
	x := make([]byte, n)               // stays
	return len(x) + buf.Len()
}
`

func TestWhatIsSaidOfASite(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "m.go")
	for name, text := range map[string]string{file: source, filepath.Join(dir, "go.mod"): "module example.org/m\n\ngo 1.24\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	chain, err := overlay.Find(t.Context(), dir, t.TempDir(), "GOWORK=off", "GOFLAGS=")
	if err != nil {
		t.Fatal(err)
	}
	scope := new(attribute.Scope)
	if err := scope.Add(t.Context(), chain, dir, "", "."); err != nil {
		t.Fatal(err)
	}
	at := func(mark, text string) (line, column int) {
		for i, l := range strings.Split(source, "\n") {
			if strings.HasSuffix(l, "// "+mark) {
				return i + 1, strings.Index(l, text) + 1
			}
		}
		t.Fatalf("no mark %s", mark)
		return 0, 0
	}
	const boxed = "it is converted to an interface that leaves the function"
	for _, c := range []struct {
		mark, text string // text: what has the column; "": none is known
		site       profile.Site
		word, why  string // the beginning of why; "": there is a variant
	}{
		{"slice", "(", profile.Site{Kind: profile.KindMakeSlice}, boxed, "it may outlive the function"},
		{"map", "(", profile.Site{Kind: profile.KindMakeMap}, "it is stored by", "no pool: it may outlive the function"},
		{"map literal", "{", profile.Site{Kind: profile.KindMakeMap}, "it is stored by", "a map literal"},
		{"chan", "(", profile.Site{Kind: profile.KindMakeChan}, "", "a channel"},
		{"closure", "func", profile.Site{Kind: profile.KindClosure}, "it is stored by", "a function value keeps"},
		{"literal", "&", profile.Site{Kind: profile.KindComposite}, "it is stored by", "an object of the type node"},
		{"concat", "+", profile.Site{Kind: profile.KindConcat}, boxed, ""},
		{"append", "(", profile.Site{Kind: profile.KindAppend}, boxed, "a copy is made"},
		{"stays", "(", profile.Site{Kind: profile.KindMakeSlice}, "it does not leave its function; its size is why", ""},
		{"buffer", "buf", profile.Site{Kind: profile.KindGrowth, Expr: "buf bytes.Buffer"}, "", ""},
		{"slice", "(", profile.Site{Kind: profile.KindMakeMap}, boxed, "it may outlive the function"}, // make( of either
		{"slice", "(", profile.Site{Kind: profile.KindAppend}, "", "it may outlive the function"},     // the compiler says nothing of an append there
		{"slice", "(", profile.Site{Kind: profile.KindCallee, Callee: "example.org/m.F"}, "", "it may outlive the function"},
		{"slice", "", profile.Site{Kind: profile.KindCallee, Callee: "strings.Repeat"}, "", "the allocation is in strings.Repeat"},
		{"slice", "(", profile.Site{Kind: profile.KindBoxing}, boxed, "a value is put into an interface"},
		{"slice", "(", profile.Site{Kind: profile.KindMakeSlice, InPool: true}, boxed, "it fills a pool already"},
		{"buffer", "buf", profile.Site{Kind: profile.KindGrowth, Expr: "buf bytes.Buffer", InPool: true}, "", "the buffer comes from a pool already"},
		{"slice", "(", profile.Site{Kind: profile.KindMakeSlice, Stale: true}, "", "the source on this machine is another version"},
	} {
		s := c.site
		s.Package, s.File, s.Bytes, s.Objects = "example.org/m", file, 64, 1
		if s.Line, s.Column = at(c.mark, c.text); c.text == "" {
			s.Column = 0
		}
		got, err := Of(t.Context(), scope, []*profile.Site{&s})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(got[0].Word, c.word) || (c.word == "") != (got[0].Word == "") {
			t.Errorf("%s, %s: the compiler says %q, want %q", c.mark, s.Kind, got[0].Word, c.word)
		}
		if !strings.HasPrefix(got[0].Why, c.why) || got[0].Tryable() != (c.why == "") {
			t.Errorf("%s, %s: %d variants, %q, want %q", c.mark, s.Kind, len(got[0].Variants), got[0].Why, c.why)
		}
	}
	gone := profile.Site{Package: "example.org/other", File: file, Line: 1}
	if got, err := Of(t.Context(), scope, []*profile.Site{&gone}); err != nil || got[0].Why != "its source cannot be loaded on this machine" {
		t.Errorf("%v, %v", got, err)
	}
}
