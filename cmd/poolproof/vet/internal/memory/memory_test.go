package memory_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/sourcetest"
)

const common = `package p
type T struct { a, b *int; in struct { c int }; list [3]int }
func here(p any) {}
func cond() bool { return false }
func run(f func()) { f() }
`

// asked returns the places of a source, the first call of here, and the variable x of F.
func asked(t *testing.T, source string) (p *memory.Places, at *ssa.Call, x *ssa.Alloc) {
	t.Helper()
	funcs := sourcetest.Functions(t, common+source)
	p = memory.NewPlaces(slices.Collect(maps.Values(funcs)))
	for _, name := range slices.Sorted(maps.Keys(funcs)) {
		if calls := sourcetest.Calls(funcs[name], "here"); at == nil && len(calls) > 0 {
			at = calls[0]
		}
	}
	for _, b := range funcs["F"].Blocks {
		for _, instr := range b.Instrs {
			if v, ok := instr.(*ssa.Alloc); ok && v.Comment == "x" {
				x = v
			}
		}
	}
	if at == nil {
		t.Fatal("nothing calls here")
	}
	return p, at, x
}

func TestPlaces(t *testing.T) {
	for source, want := range map[string]string{
		"func F() { var x T; here(&x) }":                                  "x",
		"func F() { var x T; here(&x.in.c) }":                             "x .2.0",
		"func F() { var x T; here(&x.list[1]) }":                          "x .3[1]",
		"func F(i int) { var x T; here(&x.list[i]) }":                     "",
		"func F(x *T) { here(&x.b) }":                                     "x .1",
		"func F(x **T) { here(&(*x).b) }":                                 "x *.1",
		"func F() { x := new(T); here(&x.b); run(func() { x.a = nil }) }": "new .1",
		"var x T; func F() { here(&x.b) }":                                "x .1",
		"func F() { var x T; run(func() { here(&x.b) }) }":                "x .1",
		"func F(x *T) { here(x.b) }":                                      "x .1*",
	} {
		t.Run(source, func(t *testing.T) {
			p, at, _ := asked(t, source)
			place, ok := p.Place(at.Call.Args[0].(*ssa.MakeInterface).X)
			got := ""
			if ok {
				name := place.Base.Name()
				if a, isAlloc := place.Base.(*ssa.Alloc); isAlloc {
					name = a.Comment
				}
				got = strings.TrimSpace(name + " " + place.Path)
			}
			if got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// What a read of x finds: the numbers that were stored, "entry" for what x was at first, "else" for
// what cannot be seen.
func TestWhatAReadFinds(t *testing.T) {
	const shown = "; run(func() { _ = x }) }"
	for source, want := range map[string]string{
		"func F() { x := 1; here(nil)" + shown:                                             "1",
		"func F() { x := 1; x = 2; here(nil)" + shown:                                      "2",
		"func F() { x := 1; if cond() { x = 2 }; here(nil)" + shown:                        "1 2",
		"func F() { x := 1; here(nil); x = 2" + shown:                                      "1",
		"func F() { x := 1; for cond() { here(nil); x = 2 }" + shown:                       "1 2",
		"func F() { x := 1; run(func() { x = 2 }); here(nil)" + shown:                      "1 else",
		"func F() { x := 1; f := func() { x = 2 }; here(nil); f()" + shown:                 "1",
		"func F() { x := 1; f := func() { x = 2 }; f(); here(nil)" + shown:                 "1 else",
		"func F() { x := 1; defer func() { x = 2 }(); here(nil)" + shown:                   "1",
		"func F() { x := 1; keep(&x); here(nil)" + shown + "; func keep(*int) {}":          "1 else",
		"func F() { var x int; here(nil); x = 1" + shown:                                   "entry",
		"func F() { x := 1; run(func() { here(nil); _ = x }); x = 2 }":                     "entry",
		"func F() { x := 1; for cond() { x := 2; here(nil); run(func() { x++ }) }" + shown: "2",
	} {
		t.Run(source, func(t *testing.T) {
			p, at, x := asked(t, source)
			seen := p.Seen(at, x)
			var got []string
			for _, s := range seen.Stores {
				if c, ok := s.Val.(*ssa.Const); ok {
					got = append(got, c.Value.String())
				} else {
					got = append(got, "?")
				}
			}
			slices.Sort(got)
			if seen.Entry {
				got = append(got, "entry")
			}
			if seen.Else {
				got = append(got, "else")
			}
			if fmt.Sprint(got) != "["+want+"]" {
				t.Errorf("%v, want %s", got, want)
			}
		})
	}
}

func TestPlacesWithinPlaces(t *testing.T) {
	x, y := new(ssa.Alloc), new(ssa.Alloc)
	at := func(base ssa.Value, path string) memory.Var { return memory.Var{Base: base, Path: path} }
	for _, test := range []struct {
		v, o memory.Var
		want bool
	}{
		{at(x, ".1"), at(x, ""), true},
		{at(x, ".1"), at(x, ".1"), true},
		{at(x, ".1.2"), at(x, ".1"), true},
		{at(x, ".12"), at(x, ".1"), false},
		{at(x, ""), at(x, ".1"), false},
		{at(x, ".1"), at(y, ""), false},
	} {
		if got := test.v.Within(test.o); got != test.want || test.o.Holds(test.v) != test.want {
			t.Errorf("%q within %q: %t", test.v.Path, test.o.Path, got)
		}
	}
	if v := at(x, ".1*.2"); v.Local() || !at(x, ".1.2").Local() || !at(x, "").Variable() || at(x, ".1").Variable() {
		t.Error("what a pointer in a variable refers to is no part of the variable")
	}
}
