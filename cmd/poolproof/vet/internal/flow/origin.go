package flow

import (
	"go/types"
	"math/bits"

	"golang.org/x/tools/go/ssa"
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
	if root == nil && isPointer(v.Type()) {
		return ssa.NewConst(nil, v.Type())
	}
	if root == nil {
		return strip(v)
	}
	return root
}

// mergedIn returns the merged value that v certainly is, by the calls that return what
// they are given: e.Str(k, v) is e, whichever of two objects that is. It is v itself if
// there is none.
func (p *Program) mergedIn(v ssa.Value) ssa.Value {
	v = strip(v)
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
		x = strip(c.Args[i])
	}
}

// strip removes what does not change which memory a value is.
func strip(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.TypeAssert:
			v = x.X
		default:
			return v
		}
	}
}

// tracer goes from a value to its origins.
type tracer struct {
	p     *Program
	seen  map[ssa.Value]bool
	found []Origin
	steps int
	// shallow is set if a slice that is read from memory is its own origin.
	shallow bool
	// within is the function that is not left; nil: no function.
	within *ssa.Function
}

// maxTrace bounds how many values are looked at for one question.
const maxTrace = 400

func (t *tracer) root(v ssa.Value, o Origin) {
	o.Root = v
	for _, f := range t.found {
		if f == o {
			return
		}
	}
	t.found = append(t.found, o)
}

func (t *tracer) trace(v ssa.Value, o Origin) {
	if t.seen[v] {
		return
	}
	if t.steps++; t.steps > maxTrace {
		t.root(v, o)
		return
	}
	t.seen[v] = true
	switch v := v.(type) {
	case *ssa.Const:
		if !v.IsNil() {
			t.root(v, o)
		}
	case *ssa.MakeInterface:
		t.trace(v.X, o)
	case *ssa.ChangeType:
		t.trace(v.X, o)
	case *ssa.ChangeInterface:
		t.trace(v.X, o)
	case *ssa.TypeAssert:
		t.trace(v.X, o)
	case *ssa.SliceToArrayPointer:
		t.trace(v.X, o)
	case *ssa.Convert:
		if Copies(v) {
			t.root(v, o)
		} else {
			t.trace(v.X, o)
		}
	case *ssa.MultiConvert:
		t.trace(v.X, o)
	case *ssa.Slice:
		if Emptied(v) {
			t.root(v, o)
			return
		}
		t.trace(v.X, o)
	case *ssa.FieldAddr:
		if o.Field != None {
			o.Field = v.Field // of a struct in the root
		}
		t.trace(v.X, o)
	case *ssa.IndexAddr:
		t.trace(v.X, o)
	case *ssa.Field:
		if IsSlice(v.Type()) {
			o.Field = v.Field
			t.trace(v.X, o)
		} else {
			t.root(v, o)
		}
	case *ssa.Phi:
		o.May = o.May || t.mixed(v)
		for _, e := range v.Edges {
			t.trace(e, o)
		}
	case *ssa.Extract:
		switch tuple := v.Tuple.(type) {
		case *ssa.TypeAssert:
			if v.Index == 0 {
				t.trace(tuple.X, o)
				return
			}
			t.root(v, o)
		case *ssa.Call:
			t.call(v, tuple, v.Index, o)
		default:
			t.root(v, o)
		}
	case *ssa.Call:
		t.call(v, v, 0, o)
	case *ssa.UnOp:
		t.load(v, o)
	case *ssa.Alloc:
		t.alloc(v, o)
	case *ssa.MakeSlice:
		t.root(v, o)
		t.elements(v, o)
	case *ssa.MakeMap:
		t.root(v, o)
		t.elements(v, o)
	default:
		t.root(v, o)
	}
}

// call traces result r of a call.
func (t *tracer) call(v ssa.Value, call *ssa.Call, r int, o Origin) {
	c := t.p.Resolve(call)
	switch c.Builtin {
	case "append":
		if len(c.Args) == 0 {
			return
		}
		t.trace(c.Args[0], o)
		if len(c.Args) > 1 && elemHasPointers(c.Args[0].Type()) && isVariadic(c.Args[1]) {
			inside := o
			inside.Holds = true
			t.trace(c.Args[1], inside)
		}
		return
	case "String", "StringData", "Slice", "SliceData", "Add":
		if len(c.Args) > 0 {
			t.trace(c.Args[0], o)
		}
		return
	case "":
	default:
		t.root(v, o)
		return
	}
	flow, ok := c.Summary.Return(r)
	all := ok && flow.From != 0
	if ok {
		for i, arg := range c.Args {
			if !(flow.From | flow.May).Has(i) {
				continue
			}
			next := o
			next.Holds = o.Holds || flow.Holds.Has(i)
			next.May = o.May || !flow.From.Has(i)
			if i < c.Captures {
				t.trace(arg, next)
			} else if alloc, ok := arg.(*ssa.Alloc); !ok || !t.variable(call, Pointee(alloc.Type()), Var{Base: alloc}, next) {
				t.root(v, next)
			}
		}
	}
	if !all || c.Summary.Getter.Has(r) {
		t.root(v, o)
	}
}

// Emptied reports whether a slice expression leaves no capacity, x[:0:0]: what is
// appended to it is new memory.
func Emptied(s *ssa.Slice) bool {
	c, ok := s.Max.(*ssa.Const)
	return ok && c.Value != nil && c.Int64() == 0
}

// isVariadic reports whether v is the slice of arguments of a variadic call that
// are given one by one.
func isVariadic(v ssa.Value) bool {
	s, ok := v.(*ssa.Slice)
	if !ok {
		return false
	}
	_, ok = s.X.(*ssa.Alloc)
	return ok
}

func elemHasPointers(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	return !ok || HasPointers(s.Elem())
}

// Copies reports whether a conversion makes new memory: those between strings
// and slices do.
func Copies(c *ssa.Convert) bool { return isString(c.X.Type()) != isString(c.Type()) }

// IsNil reports whether v is the constant nil.
func IsNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}
