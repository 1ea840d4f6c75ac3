package flow

import (
	"go/types"
	"math/bits"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// Origin is a value that another value comes from: the same memory, or memory
// that it refers to.
type Origin struct {
	Root ssa.Value
	// Holds is set if the value is not the root's memory but refers to it: a
	// struct with a field that is the root.
	Holds bool
	// May is set if it is so on some paths only.
	May bool
	// Field is the field of the root through which its memory was reached: -1 is
	// the slice behind a pointer to a slice; none if it is the root itself.
	Field int
}

// None is the Field of a value that is its root itself.
const None = -2

// Origins returns what v comes from. A value that comes from nothing else is its
// own origin.
func (p *Program) Origins(v ssa.Value) []Origin {
	t := tracer{p: p, seen: make(map[ssa.Value]bool)}
	t.trace(v, Origin{Field: None})
	return t.found
}

// OriginsIn is Origins within one function: the value of a variable that a literal
// captures comes from the captured variable, an *ssa.FreeVar, and not from the
// function around.
func (p *Program) OriginsIn(f *ssa.Function, v ssa.Value) []Origin {
	t := tracer{p: p, seen: make(map[ssa.Value]bool), within: f}
	t.trace(v, Origin{Field: None})
	return t.found
}

// Origin returns the one value that v is, or v itself stripped of conversions if
// there are several. A slice that is read from a field or through a pointer is an
// object by itself, and a variable that is never assigned is nil.
func (p *Program) Origin(v ssa.Value) ssa.Value {
	var root ssa.Value
	t := tracer{p: p, seen: make(map[ssa.Value]bool), shallow: true}
	t.trace(v, Origin{Field: None})
	for _, o := range t.found {
		if o.Holds || o.May {
			return p.mergedIn(v)
		}
		if root != nil && root != o.Root {
			return p.mergedIn(v)
		}
		root = o.Root
	}
	if root == nil && ssax.IsPointer(v.Type()) {
		return ssa.NewConst(nil, v.Type())
	}
	if root == nil {
		return ssax.Strip(v)
	}
	return root
}

// mergedIn returns the merged value that v certainly is, by the calls that return what
// they are given: e.Str(k, v) is e, whichever of two objects that is. It is v itself if
// there is none.
func (p *Program) mergedIn(v ssa.Value) ssa.Value {
	v = ssax.Strip(v)
	for x := v; ; {
		var call *ssa.Call
		r := 0
		switch t := x.(type) {
		case *ssa.Phi:
			return t
		case *ssa.Call:
			call = t
		case *ssa.Extract:
			call, _ = t.Tuple.(*ssa.Call)
			r = t.Index
		}
		if call == nil {
			return v
		}
		c := p.Resolve(call)
		flow, ok := c.Summary.Return(r)
		if !ok || flow.Holds|flow.May != 0 || bits.OnesCount64(uint64(flow.From)) != 1 || c.Summary.Getter.Has(r) {
			return v
		}
		i := bits.TrailingZeros64(uint64(flow.From))
		if i >= c.Captures || i >= len(c.Args) || !types.Identical(c.Args[i].Type(), x.Type()) {
			return v
		}
		x = ssax.Strip(c.Args[i])
	}
}

// Carried returns the merged value that v is, if a loop's earlier round made what it is
// now: previous, where each round ends with previous = get(). It is nil otherwise.
func Carried(p *Program, v ssa.Value) ssa.Value {
	phi, ok := ssax.Strip(v).(*ssa.Phi)
	if !ok {
		return nil
	}
	for _, e := range phi.Edges {
		made, ok := p.Origin(e).(ssa.Instruction)
		if ok && made != ssa.Instruction(phi) && made.Parent() == phi.Parent() && made.Block() != nil && phi.Block().Dominates(made.Block()) {
			return phi
		}
	}
	return nil
}
