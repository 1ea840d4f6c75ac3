package flow

import (
	"go/types"
	"maps"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
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
// object by itself.
func (p *Program) Origin(v ssa.Value) ssa.Value {
	var root ssa.Value
	t := tracer{p: p, seen: make(map[ssa.Value]bool), shallow: true}
	t.trace(v, Origin{Field: None})
	for _, o := range t.found {
		if o.Holds || o.May {
			return strip(v)
		}
		if root != nil && root != o.Root {
			return strip(v)
		}
		root = o.Root
	}
	if root == nil {
		return strip(v)
	}
	return root
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
		if copies(v.X.Type(), v.Type()) {
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
		t.trace(v.X, o)
	case *ssa.IndexAddr:
		t.trace(v.X, o)
	case *ssa.Field:
		if isSlice(v.Type()) {
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

// mixed reports whether the edges of a phi that are not nil are different
// values.
func (t *tracer) mixed(phi *ssa.Phi) bool {
	var first ssa.Value
	for _, e := range phi.Edges {
		if c, ok := e.(*ssa.Const); ok && c.IsNil() || e == phi {
			continue
		}
		if first != nil && first != e {
			// b and append(b, ...) are different values and one memory.
			return !t.p.sameRoot(phi) && !t.common(phi.Edges)
		}
		first = e
	}
	return false
}

// sameRoot reports whether all edges of a phi come from one value.
func (p *Program) sameRoot(phi *ssa.Phi) bool {
	roots := make(map[ssa.Value]bool)
	seen := make(map[ssa.Value]bool)
	var visit func(v ssa.Value)
	visit = func(v ssa.Value) {
		if seen[v] || len(seen) > 50 {
			return
		}
		seen[v] = true
		switch v := v.(type) {
		case *ssa.Phi:
			for _, e := range v.Edges {
				visit(e)
			}
		case *ssa.Slice:
			visit(v.X)
		case *ssa.TypeAssert:
			visit(v.X)
		case *ssa.ChangeType:
			visit(v.X)
		case *ssa.Const:
			if !v.IsNil() {
				roots[v] = true
			}
		case *ssa.Extract:
			if a, ok := v.Tuple.(*ssa.TypeAssert); ok && v.Index == 0 {
				visit(a.X)
			} else {
				roots[v] = true
			}
		case *ssa.Call:
			if b, ok := v.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" && len(v.Call.Args) > 0 {
				visit(v.Call.Args[0])
			} else {
				roots[v] = true
			}
		default:
			roots[v] = true
		}
	}
	visit(phi)
	return len(roots) <= 1
}

// common reports whether several values come from the same roots, each of them on
// every path: a reader, and what was wrapped around it. Constants have no memory.
func (t *tracer) common(vals []ssa.Value) bool {
	var first map[ssa.Value]bool
	for _, v := range vals {
		if _, isConst := v.(*ssa.Const); isConst || t.seen[v] {
			continue
		}
		inner := tracer{p: t.p, seen: maps.Clone(t.seen), steps: t.steps + maxTrace/4}
		inner.trace(v, Origin{Field: None})
		t.steps += 10
		roots := make(map[ssa.Value]bool)
		for _, o := range inner.found {
			if o.May {
				return false
			}
			if _, isConst := o.Root.(*ssa.Const); !isConst {
				roots[o.Root] = true
			}
		}
		if first == nil {
			first = roots
		}
		if !maps.Equal(roots, first) {
			return false
		}
	}
	return len(first) > 0
}

// load traces a value that was read from memory.
func (t *tracer) load(v *ssa.UnOp, o Origin) {
	if !isLoad(v) {
		t.root(v, o)
		return
	}
	if captured, ok := v.X.(*ssa.FreeVar); ok && captured.Parent() == t.within {
		o.May = o.May || t.p.overwritten(captured)
		t.root(captured, o)
		return
	}
	if alloc := castVar(v.X); alloc != nil && textual(v.Type()) {
		stores := t.p.Stores(alloc).Whole
		for _, s := range stores {
			next := o
			next.May = o.May || len(stores) > 1
			t.trace(s.Val, next)
		}
		return
	}
	if place, ok := t.p.Place(v.X); ok && place.Local() {
		if t.variable(v, v.Type(), place, o) {
			return
		}
	}
	if t.shallow {
		t.root(v, o)
		return
	}
	switch addr := v.X.(type) {
	case *ssa.FieldAddr:
		if isMemory(v.Type()) {
			if o.Field == None {
				o.Field = addr.Field
			}
			t.trace(addr.X, o)
			return
		}
	case *ssa.IndexAddr, *ssa.Global:
	default:
		if isMemory(v.Type()) { // a pointer to a slice
			o.Field = summary.All
			t.trace(v.X, o)
			return
		}
	}
	t.root(v, o)
}

// overwritten reports whether a literal assigns to a variable that it captures.
func (p *Program) overwritten(captured *ssa.FreeVar) bool {
	place, ok := p.Place(captured)
	if !ok {
		return true
	}
	for _, s := range p.StoresTo(captured.Parent(), place) {
		if s.Parent() == captured.Parent() {
			return true
		}
	}
	return false
}

// variable traces what a local variable, or a part of one that is of type typ,
// holds at an instruction. It reports false if that is not known.
func (t *tracer) variable(load ssa.Instruction, typ types.Type, place Var, o Origin) bool {
	a := place.Base.(*ssa.Alloc)
	s := t.p.Stores(a)
	if store := lastStore(t.p, load, place); store != nil {
		t.trace(store.Val, o)
		return true
	}
	var vals []ssa.Value
	for _, list := range [][]*ssa.Store{s.Whole, s.Part} {
		for _, store := range list {
			at, ok := t.p.Place(store.Addr)
			if ok && at == place {
				if c, isConst := store.Val.(*ssa.Const); !isConst || !c.IsNil() {
					vals = append(vals, store.Val)
				}
			}
		}
	}
	if len(vals) == 0 {
		if _, isStruct := typ.Underlying().(*types.Struct); isStruct && place.Path == "" && !anyArray(a) {
			t.alloc(a, o) // a copy of a struct refers to what is in it
			return true
		}
		return false
	}
	o.May = o.May || len(vals) > 1 && !t.sameValues(vals) || s.Unknown
	for _, v := range vals {
		t.trace(v, o)
	}
	return true
}

// sameValues reports whether several stores keep one object in a variable:
// b = get(); b = append(b, x).
func (t *tracer) sameValues(vals []ssa.Value) bool {
	var root ssa.Value
	for _, v := range vals {
		inner := tracer{p: t.p, seen: make(map[ssa.Value]bool), steps: t.steps + maxTrace/2, within: t.within}
		for s := range t.seen {
			inner.seen[s] = true
		}
		inner.trace(v, Origin{Field: None})
		t.steps += 10
		for _, o := range inner.found {
			if o.Holds || o.May || root != nil && o.Root != root {
				return false
			}
			root = o.Root
		}
	}
	return true
}

// lastStore returns the store to place that a load in the same block, or in the
// blocks that must come before it, sees.
func lastStore(p *Program, load ssa.Instruction, place Var) *ssa.Store {
	block := load.Block()
	if block == nil || load.Parent() != place.Base.(*ssa.Alloc).Parent() {
		return nil
	}
	at := len(block.Instrs)
	for i, instr := range block.Instrs {
		if instr == load {
			at = i
		}
	}
	inner := p.Stores(place.Base.(*ssa.Alloc)).Inner
	for range 20 {
		for i := at - 1; i >= 0; i-- {
			switch instr := block.Instrs[i].(type) {
			case *ssa.Store:
				if v, ok := p.Place(instr.Addr); ok && v == place {
					return instr
				} else if ok && (v.Within(place) || place.Within(v)) {
					return nil
				}
			case ssa.CallInstruction:
				if inner {
					return nil
				}
			case *ssa.RunDefers:
				if inner {
					return nil
				}
			}
		}
		if len(block.Preds) != 1 {
			return nil
		}
		block = block.Preds[0]
		at = len(block.Instrs)
	}
	return nil
}

// alloc traces a variable whose address is the value: it holds what is stored in
// it.
func (t *tracer) alloc(a *ssa.Alloc, o Origin) {
	t.root(a, o)
	if anyArray(a) {
		return // the arguments of a variadic call
	}
	s := t.p.Stores(a)
	inside := o
	inside.Holds = true
	_, isBox := Pointee(a.Type()).Underlying().(*types.Slice)
	for _, store := range s.Whole {
		if HasPointers(store.Val.Type()) {
			inside.Holds = !isBox // the address of a slice variable stands for its memory
			inside.May = o.May || len(s.Whole) > 1
			t.trace(store.Val, inside)
		}
	}
	inside.Holds = true
	inside.May = o.May
	for _, store := range s.Part {
		if HasPointers(store.Val.Type()) {
			t.trace(store.Val, inside)
		}
	}
}

// elements traces what is stored in the elements of a slice or a map that is made
// here.
func (t *tracer) elements(made ssa.Value, o Origin) {
	o.Holds = true
	for _, ref := range *made.Referrers() {
		switch ref := ref.(type) {
		case *ssa.MapUpdate:
			for _, v := range []ssa.Value{ref.Value, ref.Key} {
				if HasPointers(v.Type()) && !isString(v.Type()) {
					t.trace(v, o)
				}
			}
		case *ssa.IndexAddr:
			for _, use := range *ref.Referrers() {
				if s, ok := use.(*ssa.Store); ok && s.Addr == ref && HasPointers(s.Val.Type()) {
					t.trace(s.Val, o)
				}
			}
		}
	}
}

// anyArray reports whether a is the array of a variadic ...any.
func anyArray(a *ssa.Alloc) bool {
	arr, ok := Pointee(a.Type()).Underlying().(*types.Array)
	if !ok || a.Comment != "varargs" {
		return false
	}
	i, ok := arr.Elem().Underlying().(*types.Interface)
	return ok && i.NumMethods() == 0
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
		own := o
		own.May = o.May
		t.root(v, own)
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

// copies reports whether a conversion makes new memory: those between strings
// and slices do.
func copies(from, to types.Type) bool { return isString(from) != isString(to) }

// Copies reports whether a conversion makes new memory.
func Copies(c *ssa.Convert) bool { return copies(c.X.Type(), c.Type()) }

// IsNil reports whether v is the constant nil.
func IsNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}

// Stored returns what a load of a local variable certainly reads, v itself if that
// is not known.
func (p *Program) Stored(v ssa.Value) ssa.Value {
	load := Load(v)
	if load == nil {
		return v
	}
	place, ok := p.Place(load.X)
	if !ok || !place.Local() {
		return v
	}
	if s := lastStore(p, load, place); s != nil {
		return s.Val
	}
	return v
}
