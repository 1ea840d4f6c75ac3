package ssax_test

import (
	"go/types"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/sourcetest"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

const common = `package p
import ("bytes"; "errors"; "fmt"; "strings")
var errBad = errors.New("bad")
var _ = fmt.Errorf
var _ bytes.Buffer
var _ strings.Builder
func a() {}
func b() {}
func here(x any) {}
func cond() bool { return false }
func fails() error { return nil }
`

// one returns the call of a function in F.
func one(t *testing.T, f *ssa.Function, name string) *ssa.Call {
	t.Helper()
	calls := sourcetest.Calls(f, name)
	if len(calls) != 1 {
		t.Fatalf("%d calls of %s", len(calls), name)
	}
	return calls[0]
}

// How the call of a stands to that of b.
func TestTheOrderOfInstructions(t *testing.T) {
	for source, want := range map[string]struct{ before, mayPrecede, always bool }{
		"func F() { a(); b() }":                         {true, true, true},
		"func F() { b(); a() }":                         {false, false, true},
		"func F() { if cond() { a() }; b() }":           {false, true, false},
		"func F() { a(); if cond() { b() } }":           {true, true, true},
		"func F() { if cond() { a() } else { b() } }":   {false, false, false},
		"func F() { for cond() { b(); a() } }":          {false, true, false},
		"func F() { for cond() { a(); b() } }":          {true, true, false},
		"func F() { a(); for cond() { b() } }":          {true, true, true},
		"func F() { if cond() { panic(1) }; a(); b() }": {true, true, true},
		"func F() { if cond() { return }; a(); b() }":   {true, true, false},
	} {
		t.Run(source, func(t *testing.T) {
			f := sourcetest.Functions(t, common+source)["F"]
			x, y := one(t, f, "a"), one(t, f, "b")
			got := struct{ before, mayPrecede, always bool }{ssax.Before(x, y), ssax.MayPrecede(x, y), ssax.Always(x)}
			if got != want {
				t.Errorf("%+v, want %+v", got, want)
			}
		})
	}
}

// argument returns what F passes to here, without the interface that it is in.
func argument(t *testing.T, source string) ssa.Value {
	t.Helper()
	f := sourcetest.Functions(t, common+source)["F"]
	v := one(t, f, "here").Call.Args[0]
	if made, ok := v.(*ssa.MakeInterface); ok {
		return made.X
	}
	return v
}

func TestValues(t *testing.T) {
	failure := func(v ssa.Value) bool {
		if change, ok := v.(*ssa.ChangeInterface); ok {
			v = change.X
		}
		return ssax.Failure(v)
	}
	for _, test := range []struct {
		what   string
		is     func(v ssa.Value) bool
		source string
		want   bool
	}{
		{"failure", failure, `func F() { here(errors.New("x")) }`, true},
		{"failure", failure, `func F() { here(errBad) }`, true},
		{"failure", failure, `func F() { here(fails()) }`, false},
		{"failure", failure, `func F(err error) { here(err) }`, false},
		{"constant true", func(v ssa.Value) bool { is, known := ssax.Truth(v); return is && known }, `func F() { here(true) }`, true},
		{"constant true", func(v ssa.Value) bool { is, known := ssax.Truth(v); return is && known }, `func F(x bool) { here(x) }`, false},
		{"nil", ssax.IsNil, `func F() { here((*int)(nil)) }`, true},
		{"nil", ssax.IsNil, `func F() { here(new(int)) }`, false},
		{"slice that cuts off the beginning", cutsOff, `func F(b []byte) { here(b[1:]) }`, true},
		{"slice that cuts off the beginning", cutsOff, `func F(b []byte, n int) { here(b[n:]) }`, true},
		{"slice that cuts off the beginning", cutsOff, `func F(b []byte) { here(b[:1]) }`, false},
		{"slice that cuts off the beginning", cutsOff, `func F(b []byte) { here(b[0:]) }`, false},
		{"conversion that copies", copies, `func F(b []byte) { here(string(b)) }`, true},
		{"conversion that copies", copies, `type S string; func F(s string) { here(S(s)) }`, false},
		{"load", func(v ssa.Value) bool { return ssax.Load(v) != nil }, `func F(p *int) { here(*p) }`, true},
		{"load", func(v ssa.Value) bool { return ssax.Load(v) != nil }, `func F(p int) { here(-p) }`, false},
	} {
		t.Run(test.what+" "+test.source, func(t *testing.T) {
			if got := test.is(argument(t, test.source)); got != test.want {
				t.Errorf("%t", got)
			}
		})
	}
}

func cutsOff(v ssa.Value) bool {
	s, ok := v.(*ssa.Slice)
	return ok && ssax.CutsOff(s)
}

func copies(v ssa.Value) bool {
	c, ok := v.(*ssa.Convert)
	return ok && ssax.Copies(c)
}

func TestTypes(t *testing.T) {
	for source, want := range map[string]struct{ memory, buffer, pointers bool }{
		"func F(x []byte) { here(x) }":                             {true, true, true},
		"func F(x *[]byte) { here(x) }":                            {false, true, true},
		"func F(x *bytes.Buffer) { here(x) }":                      {false, true, true},
		"func F(x *strings.Builder) { here(x) }":                   {false, true, true},
		"func F(x string) { here(x) }":                             {false, false, true},
		"func F(x int) { here(x) }":                                {false, false, false},
		"func F(x [4]int) { here(x) }":                             {false, true, false},
		"func F(x struct{ n int }) { here(x) }":                    {false, false, false},
		"func F(x struct{ b []byte }) { here(x) }":                 {false, false, true},
		"type own struct { b []byte }; func F(x *own) { here(x) }": {false, false, true},
		"func F(x map[int]int) { here(x) }":                        {true, false, true},
		"func F(x func()) { here(x) }":                             {false, false, true},
	} {
		t.Run(source, func(t *testing.T) {
			x := argument(t, source).Type()
			got := struct{ memory, buffer, pointers bool }{ssax.IsMemory(x), ssax.IsBuffer(x), ssax.HasPointers(x)}
			if got != want {
				t.Errorf("%s: %+v, want %+v", types.TypeString(x, nil), got, want)
			}
		})
	}
}

func TestWhatAConditionSaysOfNil(t *testing.T) {
	for source, want := range map[string]struct{ asks, isNil bool }{
		"func F(p *int) { if p == nil { here(1) } }":  {true, true},
		"func F(p *int) { if p != nil { here(1) } }":  {true, false},
		"func F(p *int) { if nil != p { here(1) } }":  {true, false},
		"func F(p, q *int) { if p == q { here(1) } }": {false, false},
		"func F(n int) { if n == 0 { here(1) } }":     {false, false},
	} {
		t.Run(source, func(t *testing.T) {
			f := sourcetest.Functions(t, common+source)["F"]
			at := one(t, f, "here").Block()
			for cond := range ssax.Above(at) {
				value, known := ssax.Leads(cond, at)
				if !known {
					t.Fatal("both ways lead there")
				}
				x, isNil := ssax.NilTest(cond.Cond, value)
				if (x != nil) != want.asks || x != nil && isNil != want.isNil {
					t.Errorf("%v is nil: %t, want %+v", x, isNil, want)
				}
			}
		})
	}
}
