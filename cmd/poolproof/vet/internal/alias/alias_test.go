package alias_test

import (
	"go/types"
	"maps"
	"slices"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/sourcetest"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// What the sources have in common: an object, which get returns, a struct that may hold
// it in its first field, and the line that the test asks about.
const common = `package p

type box struct {
	b *int
	n *int
}

func get() *int     { return new(int) }
func fresh() *int   { return new(int) }
func cond() bool    { return false }
func keep(x *box)   {}
func here(b *int)   {}
`

// asked is a function of a source: the object that it gets, and the call of here.
type asked struct {
	f    *ssa.Function
	root ssa.Value
	here *ssa.Call
	box  ssa.Value // the variable or parameter x
}

// ask analyses a function F with a box x.
func ask(t *testing.T, source string) (*alias.Set, asked) {
	t.Helper()
	funcs := sourcetest.Functions(t, common+source)
	p := flow.NewProgram(slices.Collect(maps.Values(funcs)), func(*types.Func) *summary.Summary { return nil })
	q := asked{f: funcs["F"]}
	if q.f == nil {
		t.Fatal("there is no function F")
	}
	if len(q.f.Params) > 0 {
		q.box = q.f.Params[0]
	}
	for _, b := range q.f.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Alloc:
				if instr.Comment == "x" {
					q.box = instr
				}
			case *ssa.Call:
				switch name := instr.Call.StaticCallee(); {
				case name == nil:
				case name.Name() == "get":
					q.root = instr
				case name.Name() == "here":
					q.here = instr
				}
			}
		}
	}
	if q.root == nil || q.here == nil || q.box == nil {
		t.Fatalf("the source has no get, no here or no x: %+v", q)
	}
	return alias.Of(p, q.root), q
}

func TestAPlaceCertainlyHoldsTheObject(t *testing.T) {
	for name, test := range map[string]struct {
		source string
		want   bool
	}{
		"a local struct, stored":             {"func F() {\n\tvar x box\n\tx.b = get()\n\there(x.b)\n\tkeep(&x)\n}", true},
		"a local struct, stored on one path": {"func F() {\n\tvar x box\n\tif cond() {\n\t\tx.b = get()\n\t}\n\there(x.b)\n\tkeep(&x)\n}", false},
		"a local struct, replaced":           {"func F() {\n\tvar x box\n\tx.b = get()\n\tx.b = fresh()\n\there(x.b)\n\tkeep(&x)\n}", false},
		"a local struct, in another field":   {"func F() {\n\tvar x box\n\tx.n = get()\n\there(x.b)\n\tkeep(&x)\n}", false},
		"a local struct, of one path only":   {"func F() {\n\tvar x box\n\tb := get()\n\tif cond() {\n\t\tb = fresh()\n\t}\n\tx.b = b\n\there(x.b)\n\tkeep(&x)\n}", false},
		"a parameter, of one path only":      {"func F(x *box) {\n\tb := get()\n\tif cond() {\n\t\tb = fresh()\n\t}\n\tx.b = b\n\there(x.b)\n}", false},
		"a parameter, stored":                {"func F(x *box) {\n\tx.b = get()\n\there(x.b)\n}", true},
		"a parameter, stored on one path":    {"func F(x *box) {\n\tif cond() {\n\t\tx.b = get()\n\t}\n\there(x.b)\n}", false},
		"a parameter, replaced on one path":  {"func F(x *box) {\n\tx.b = get()\n\tif cond() {\n\t\tx.b = fresh()\n\t}\n\there(x.b)\n}", false},
		"a parameter, in another field":      {"func F(x *box) {\n\tx.n = get()\n\there(x.b)\n}", false},
	} {
		t.Run(name, func(t *testing.T) {
			set, q := ask(t, test.source)
			place := memory.Var{Base: q.box, Path: ".0"}
			if got := set.MustHold(q.here, place); got != test.want {
				t.Errorf("%t, want %t", got, test.want)
			}
		})
	}
}

func TestWhatIsAnAlias(t *testing.T) {
	for name, test := range map[string]struct {
		source      string
		alias, must bool
	}{
		"the object":                     {"func F(x *box) {\n\tb := get()\n\there(b)\n}", true, true},
		"the object on one path":         {"func F(x *box) {\n\tb := get()\n\tif cond() {\n\t\tb = fresh()\n\t}\n\there(b)\n}", true, false},
		"nil on the other path":          {"func F(x *box) {\n\tb := get()\n\tif cond() {\n\t\tb = nil\n\t}\n\there(b)\n}", true, true},
		"another object":                 {"func F(x *box) {\n\t_ = get()\n\there(fresh())\n}", false, false},
		"what a field holds":             {"func F(x *box) {\n\tx.b = get()\n\there(x.b)\n}", true, true},
		"what a field holds on one path": {"func F(x *box) {\n\tx.b = fresh()\n\tif cond() {\n\t\tx.b = get()\n\t}\n\there(x.b)\n}", true, false},
		"what another field holds":       {"func F(x *box) {\n\tx.n = get()\n\there(x.b)\n}", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			set, q := ask(t, test.source)
			info := set.Of(q.here.Call.Args[0])
			if (info != nil) != test.alias || info != nil && info.Must != test.must {
				t.Errorf("%+v, want an alias: %t, on every path: %t", info, test.alias, test.must)
			}
		})
	}
}
