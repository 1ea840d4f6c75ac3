package flow_test

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/sourcetest"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// common is shared by the sources of the tests. They say themselves what
// must be known of the arguments of some functions that do nothing.
const common = `package p

import "unsafe"

type buf struct {
	b    []byte
	next *buf
	n    int
	m    map[int]int
	in   struct{ b []byte }
}

func get() *buf           { return new(buf) }
func getSlice() []byte    { return nil }
func other() *buf         { return new(buf) }
func (b *buf) self() *buf { return b }
func cond() bool          { return false }

func same(x, y any)   {}
func differ(x, y any) {}

// Of what get or getSlice has returned.
func must(x any)   {}
func field(x any)  {} // must, through a field
func may(x any)    {}
func holds(x any)  {}
func nothing(x any) {}

func about(cond bool)    {}
func notAbout(cond bool) {}

var _ unsafe.Pointer
`

// said is a call of one of the functions above.
type said struct {
	name string
	args []ssa.Value // before they became interfaces
	line int

	result ssa.Value
}

// load returns the program of a source and what it says, function by function.
func load(t *testing.T, source string) (*flow.Program, map[*ssa.Function][]said) {
	t.Helper()
	funcs := sourcetest.Functions(t, common+source)
	p := flow.NewProgram(slices.Collect(maps.Values(funcs)), func(*types.Func) *summary.Summary { return nil })
	all := make(map[*ssa.Function][]said)
	for _, f := range funcs {
		if f.Name() == "self" {
			s := new(summary.Summary)
			s.AddReturn(summary.Flow{To: 0, From: summary.Bit(0)})
			p.SetOwn(f, s)
		}
		for _, b := range f.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(*ssa.Call)
				if !ok || call.Call.StaticCallee() == nil {
					continue
				}
				s := said{name: call.Call.StaticCallee().Name(), line: f.Prog.Fset.Position(call.Pos()).Line, result: call}
				for _, arg := range call.Call.Args {
					if m, ok := arg.(*ssa.MakeInterface); ok {
						arg = m.X
					}
					s.args = append(s.args, arg)
				}
				all[f] = append(all[f], s)
			}
		}
	}
	return p, all
}

func TestEqualKeysAreEqualValues(t *testing.T) {
	const source = `
func F(a, b *buf, x, y int, list []int, p *int, any1 any) {
	same(x, x)
	differ(x, y)
	same(a.n, a.n)
	differ(a.n, b.n)
	differ(a.n, a.next.n)
	same(a.next.n, a.next.n)
	same(x+1, x+1)
	differ(x+1, 1+x)
	differ(x+1, x+2)
	differ(x+1, x-1)
	same(-x, -x)
	differ(-x, x)
	same(len(list), len(list))
	differ(len(list), cap(list))
	differ(len(list), len(a.b))
	same(len(a.b), len(a.b))
	same(*p, *p)
	same(int64(x), x)
	differ(cond(), cond())
	differ(list[0], list[0])
	var v struct{ n, m int }
	q := &v
	same(v.n, q.n)
	differ(v.n, v.m)
	var arr [2]int
	r := &arr
	same(r[0], arr[0])
	differ(r[0], r[1])
	same("text", "text")
	differ(1, 2)
}
`
	holds(t, source, 26, "same", "differ", func(p *flow.Program, _ *ssa.Function, args []ssa.Value) bool {
		return p.KeyOf(args[0]).Text == p.KeyOf(args[1]).Text
	})
}

// holds expects of n calls in a source that a question about their arguments is
// answered by yes, or by no, as the called function says.
func holds(t *testing.T, source string, n int, yes, no string, question func(*flow.Program, *ssa.Function, []ssa.Value) bool) {
	t.Helper()
	p, all := load(t, source)
	for f, calls := range all {
		for _, c := range calls {
			if c.name != yes && c.name != no {
				continue
			}
			n--
			if got := question(p, f, c.args); got != (c.name == yes) {
				t.Errorf("line %d: %t for %s", c.line, got, c.name)
			}
		}
	}
	if n != 0 {
		t.Errorf("%d calls more than there are", n)
	}
}

func TestWhatIsAnAliasOfAnObject(t *testing.T) {
	for name, source := range map[string]string{
		"itself":                    `func F() { b := get(); must(b) }`,
		"another one":               `func F() { b := get(); b.n = 1; nothing(other()) }`,
		"as an interface":           `func F() { var x any = get(); must(x.(*buf)) }`,
		"by another name":           `func F() { b := get(); c := b; must(c) }`,
		"by a method":               `func F() { b := get(); must(b.self()) }`,
		"a number in it":            `func F() { b := get(); nothing(b.n) }`,
		"a slice in it":             `func F() { b := get(); field(b.b) }`,
		"a map in it":               `func F() { b := get(); field(b.m) }`,
		"a slice in a struct in it": `func F() { b := get(); field(b.in.b) }`,
		"what it points to":         `func F() { b := get(); nothing(b.next) }`,
		"part of a slice":           `func F() { b := getSlice(); must(b[1:2]) }`,
		"a slice without capacity":  `func F() { b := getSlice(); nothing(b[:0:0]) }`,
		"text of a slice":           `func F() { b := getSlice(); nothing(string(b)) }`,
		"text that shares it":       `func F() { b := getSlice(); must(unsafe.String(unsafe.SliceData(b), 1)) }`,
		"a slice with more":         `func F() { b := getSlice(); must(append(b, 1)) }`,
		"more with a slice":         `func F(x []byte) { b := getSlice(); nothing(append(x, b...)) }`,
		"the address of an element": `func F() { b := getSlice(); must(&b[0]) }`,
		"the address of a field":    `func F() { b := get(); field(&b.n) }`,
		"on one path":               `func F(x bool) { b := get(); c := other(); if x { c = b }; may(c) }`,
		"on one path, else nil":     `func F(x bool) { b := get(); var c *buf; if x { c = b }; must(c) }`,
		"on all paths":              `func F(x bool) { b := get(); c := other(); if x { c = b } else { c = b.self() }; must(c) }`,
		"in a loop":                 `func F() { b := getSlice(); for cond() { b = append(b, 1) }; must(b) }`,
		"on some rounds":            `func F() { b := get(); c := b; for cond() { c = other() }; may(c) }`,
		"in a struct":               `func F() { b := get(); s := struct{ b *buf }{b}; holds(&s) }`,
		"out of a struct":           `func F() { b := get(); s := &struct{ b *buf }{b}; must(s.b) }`,
		"another field of a struct": `func F() { b := get(); s := &struct{ b, c *buf }{b: b}; nothing(s.c) }`,
		"overwritten in a struct":   `func F() { b := get(); s := &struct{ b *buf }{b}; s.b = other(); may(s.b) }`,
		"in a list":                 `func F() { b := get(); holds([]*buf{b}) }`,
		"in a longer list":          `func F(list []*buf) { b := get(); holds(append(list, b)) }`,
		"in a map":                  `func F() { b := get(); m := map[int]*buf{1: b}; holds(m) }`,
		"captured":                  `func F() { b := get(); func() { must(b) }() }`,
		"captured and replaced":     `func F() { b := get(); f := func() { may(b) }; b = other(); f() }`,
		"a literal that uses it":    `func F() { b := get(); holds(func() { b.n++ }) }`,
		"a literal that does not":   `func F() { b := get(); b.n = 1; nothing(func() {}) }`,
		"in a variable":             `func F() { b := get(); p := &b; must(*p) }`,
		"a converted slice":         `type T []byte; func F() { b := getSlice(); must(T(b)) }`,
	} {
		t.Run(name, func(t *testing.T) {
			p, all := load(t, source)
			root := object(all)
			if root == nil {
				t.Fatal("nothing is got")
			}
			al := alias.Of(p, root)
			n := 0
			for _, calls := range all {
				for _, c := range calls {
					if !slices.Contains([]string{"must", "field", "may", "holds", "nothing"}, c.name) {
						continue
					}
					n++
					if got := kind(al.Of(c.args[0])); got != c.name {
						t.Errorf("it is %s, want %s", got, c.name)
					}
				}
			}
			if n != 1 {
				t.Errorf("%d things are said", n)
			}
		})
	}
}

// kind describes an alias in one word.
func kind(a *alias.Alias) string {
	switch {
	case a == nil:
		return "nothing"
	case a.Holder:
		return "holds"
	case !a.Must:
		return "may"
	case a.Field >= 0:
		return "field"
	}
	return "must"
}

func TestConditionsThatAreAboutAnObjectAlone(t *testing.T) {
	const source = `
const limit = 1000

var Limit = 1000

func (b *buf) fit() bool       { return false }
func (b *buf) try() error      { return nil }
func (b *buf) two() (int, bool) { return 0, false }

func F(b, c *buf, max int, ch chan int) {
	about(b.n > 10)
	about(cap(b.b) > limit)
	about(cap(b.b) > Limit)
	about(cap(b.b)-len(b.b) > max)
	about(b.fit())
	about(!b.fit())
	about(b == nil)
	notAbout(max > 10)
	notAbout(c.n > 10)
	notAbout(c.fit())
	notAbout(b.try() == nil)
	about(b.n > c.n+cap(c.b)) // a limit
	notAbout(b.n > <-ch)
	_, ok := b.two()
	notAbout(ok)
}
`
	holds(t, source, 14, "about", "notAbout", func(p *flow.Program, f *ssa.Function, args []ssa.Value) bool {
		return flow.Conditions{Program: p, Object: func(v ssa.Value) bool { return v == f.Params[0] }}.About(args[0])
	})
}

func TestOriginsOfValues(t *testing.T) {
	for name, test := range map[string]struct{ source, want string }{
		"a parameter":             {`func F(a, b *buf) { must(a) }`, "a"},
		"one of two":              {`func F(a, b *buf) { if cond() { a = b }; must(a) }`, "may a, may b"},
		"a slice in it":           {`func F(a, b *buf) { must(a.b) }`, "a field 0"},
		"what it points to":       {`func F(a, b *buf) { must(a.next) }`, "*"},
		"in a struct":             {`func F(a, b *buf) { must(&struct{ x, y *buf }{a, b}) }`, "*, held a, held b"},
		"out of a struct":         {`func F(a, b *buf) { s := &struct{ x, y *buf }{a, b}; must(s.y) }`, "b"},
		"in a list":               {`func F(a, b *buf) { must([]*buf{a}) }`, "*, held a"},
		"appended to":             {`func F(a, b *buf) { must(append(a.b, b.b...)) }`, "a field 0"},
		"a list appended to":      {`func F(a, b *buf, l []*buf) { must(append(l, a)) }`, "held *, held a, l"},
		"by a method":             {`func F(a, b *buf) { must(a.self()) }`, "a"},
		"by an unknown one":       {`func F(a, b *buf) { must(other()) }`, "*"},
		"in a variable, twice":    {`func F(a, b *buf) { v := a; p := &v; if cond() { v = b }; must(*p) }`, "may a, may b"},
		"in a variable, once":     {`func F(a, b *buf) { v := a; p := &v; must(*p) }`, "a"},
		"in a variable, the last": {`func F(a, b *buf) { v := a; p := &v; *p = b; v = b; must(v) }`, "b"},
		"the address of one":      {`func F(a, b *buf) { v := a; must(&v) }`, "*, held a"},
		"in a variable, never":    {`func F(a, b *buf) { var v *buf; p := &v; must(*p) }`, ""},
		"in a variable elsewhere": {`func F(a, b *buf) { var v *buf; set(&v); must(v) }; func set(**buf) {}`, "*"},
		"nil":                     {`func F(a, b *buf) { a = nil; must(a) }`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p, all := load(t, test.source)
			for f, calls := range all {
				for _, c := range calls {
					if c.name != "must" {
						continue
					}
					var got []string
					for _, o := range p.Origins(c.args[0]) {
						got = append(got, origin(f, o))
					}
					slices.Sort(got)
					if list := strings.Join(slices.Compact(got), ", "); list != test.want {
						t.Errorf("%s, want %s", list, test.want)
					}
				}
			}
		})
	}
}

// origin is an origin in a few words: the parameter that it is, or a star.
func origin(f *ssa.Function, o flow.Origin) string {
	text := "*"
	if p, ok := o.Root.(*ssa.Parameter); ok {
		text = p.Name()
	}
	if o.Field != flow.None {
		text += fmt.Sprint(" field ", o.Field)
	}
	if o.May {
		text = "may " + text
	}
	if o.Holds {
		text = "held " + text
	}
	return text
}

func TestHowSureMemoryIsTheObjects(t *testing.T) {
	for name, test := range map[string]struct {
		source string
		want   events.Reach
	}{
		"the object":                {`func F() { b := get(); must(b) }`, events.Whole},
		"a slice in a struct":       {`func F() { b := get(); must(b.b) }`, events.Field},
		"the slice that is got":     {`func F() { b := getSlice(); must(b[1:]) }`, events.Whole},
		"text of a slice":           {`func F() { b := getSlice(); must(unsafe.String(unsafe.SliceData(b), 1)) }`, events.Memory},
		"a list with the object":    {`func F() { b := get(); must([]*buf{b}) }`, events.Container},
		"a struct of it, made here": {`func F() { b := get(); must(&struct{ b *buf }{b}) }`, events.Whole},
		"a struct of a slice of it": {`func F() { b := get(); must(&struct{ b []byte }{b.b}) }`, events.Field},
	} {
		t.Run(name, func(t *testing.T) {
			p, all := load(t, test.source)
			al := alias.Of(p, object(all))
			for _, calls := range all {
				for _, c := range calls {
					if c.name == "must" && (al.Of(c.args[0]) == nil || al.Of(c.args[0]).Reach != test.want) {
						t.Errorf("%+v, want %d", al.Of(c.args[0]), test.want)
					}
				}
			}
		})
	}
}

// object returns what get or getSlice has returned.
func object(all map[*ssa.Function][]said) (root ssa.Value) {
	for _, calls := range all {
		for _, c := range calls {
			if strings.HasPrefix(c.name, "get") {
				root = c.result
			}
		}
	}
	return root
}

func TestNamesThatEndWhatTheyAreGiven(t *testing.T) {
	for name, want := range map[string]bool{
		"Put": true, "putBuffer": true, "Free": true, "_release": true, "Close": true, "DecRef": true,
		"Get": false, "Compute": false, "Output": false, "": false,
	} {
		if got := names.IsRelease(name); got != want {
			t.Errorf("%q: %t", name, got)
		}
	}
}
