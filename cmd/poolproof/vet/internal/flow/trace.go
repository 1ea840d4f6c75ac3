package flow

import (
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

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
	if !slices.Contains(t.found, o) {
		t.found = append(t.found, o)
	}
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
	if x := ssax.Strip(v); x != v {
		t.trace(x, o)
		return
	}
	switch v := v.(type) {
	case *ssa.Const:
		if !v.IsNil() {
			t.root(v, o)
		}
	case *ssa.SliceToArrayPointer:
		t.trace(v.X, o)
	case *ssa.Convert:
		if ssax.Copies(v) {
			t.root(v, o)
		} else {
			t.trace(v.X, o)
		}
	case *ssa.MultiConvert:
		t.trace(v.X, o)
	case *ssa.Slice:
		if ssax.Emptied(v) {
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
		t.alloc(v, nil, o)
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
		t.trace(c.Args[0], o)
		if len(c.Args) > 1 && ssax.ElemHasPointers(c.Args[0].Type()) && ssax.IsVariadic(c.Args[1]) {
			inside := o
			inside.Holds = true
			t.trace(c.Args[1], inside)
		}
		return
	case "String", "StringData", "Slice", "SliceData", "Add":
		t.trace(c.Args[0], o)
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
			} else if alloc, ok := arg.(*ssa.Alloc); !ok || !t.variable(call, ssax.Pointee(alloc.Type()), memory.Var{Base: alloc}, next) {
				t.root(v, next)
			}
		}
	}
	if !all || c.Summary.Getter.Has(r) {
		t.root(v, o)
	}
}

// load traces a value that was read from memory.
func (t *tracer) load(v *ssa.UnOp, o Origin) {
	if !ssax.IsLoad(v) {
		t.root(v, o)
		return
	}
	if captured, ok := v.X.(*ssa.FreeVar); ok && captured.Parent() == t.within {
		t.cell(v, captured, o)
		return
	}
	if alloc := ssax.CastVar(v.X); alloc != nil && ssax.Textual(v.Type()) {
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
		if ssax.IsMemory(v.Type()) || t.p.Owns(addr) {
			if o.Field == None {
				o.Field = addr.Field
			}
			t.trace(addr.X, o)
			return
		}
	case *ssa.IndexAddr, *ssa.Global:
	default:
		if ssax.IsMemory(v.Type()) { // a pointer to a slice
			o.Field = summary.All
			t.trace(v.X, o)
			return
		}
	}
	t.root(v, o)
}

// cell traces a load of a variable that a literal captures, within the literal.
func (t *tracer) cell(load *ssa.UnOp, captured *ssa.FreeVar, o Origin) {
	place, ok := t.p.Place(captured)
	variable, isVar := place.Base.(*ssa.Alloc)
	if !ok || !isVar {
		o.May = o.May || t.p.OverwrittenBy(captured)
		t.root(captured, o)
		return
	}
	seen := t.p.Seen(load, variable)
	var vals []ssa.Value
	for _, s := range seen.Stores {
		if !ssax.IsNil(s.Val) {
			vals = append(vals, s.Val)
		}
	}
	if seen.Entry {
		vals = append(vals, captured)
	}
	o.May = o.May || seen.Else || len(vals) > 1 && !t.common(vals)
	for _, v := range vals {
		t.trace(v, o)
	}
}

// variable traces what a local variable, or a part of one that is of type typ,
// holds at an instruction. It reports false if that is not known.
func (t *tracer) variable(load ssa.Instruction, typ types.Type, place memory.Var, o Origin) bool {
	a := place.Base.(*ssa.Alloc)
	s := t.p.Stores(a)
	if store := memory.LastStore(t.p.Places, load, place); store != nil {
		t.trace(store.Val, o)
		return true
	}
	vals, earlier := t.p.StoredAt(place, load)
	if len(vals) == 0 {
		if _, isStruct := typ.Underlying().(*types.Struct); isStruct && place.Path == "" && !ssax.AnyArray(a) {
			t.alloc(a, load, o) // a copy of a struct refers to what is in it
			return true
		}
		// A variable, or a part of one, that nothing is assigned to: nil.
		return (ssax.IsPointer(typ) && place.Path == "" || ssax.IsSlice(typ) && place.Path != "") && !s.Unknown && !t.setBefore(s, place, load)
	}
	o.May = o.May || earlier || len(vals) > 1 && !t.common(vals) || s.Unknown
	for _, v := range vals {
		t.trace(v, o)
	}
	if s.Unknown && place.Path != "" && ssax.HasPointers(typ) {
		// Code that is given the struct may have set this field to another one.
		o.May, o.Holds = true, true
		for _, part := range s.Part {
			if ssax.HasPointers(part.Val.Type()) {
				t.trace(part.Val, o)
			}
		}
		for _, whole := range s.Whole {
			t.trace(whole.Val, o)
		}
	}
	return true
}

// setBefore reports whether a variable is assigned, as a whole or in a part that a place is in, before
// an instruction reads the place.
func (t *tracer) setBefore(s *memory.Stores, place memory.Var, read ssa.Instruction) bool {
	return slices.ContainsFunc(slices.Concat(s.Whole, s.Part), func(store *ssa.Store) bool {
		to, ok := t.p.Place(store.Addr)
		return !ok || place.Within(to) && !ssax.IsNil(store.Val) && !later(store, read) && !memory.Keeps(t.p.Places, store, to)
	})
}

// later reports whether a store certainly comes after an instruction of the same function.
func later(s *ssa.Store, read ssa.Instruction) bool {
	return read != nil && s.Parent() == read.Parent() && !ssax.MayPrecede(s, read)
}

// alloc traces a variable whose address is the value: it holds what is stored in
// it, before an instruction reads it if that is not nil.
func (t *tracer) alloc(a *ssa.Alloc, read ssa.Instruction, o Origin) {
	t.root(a, o)
	if ssax.AnyArray(a) {
		return // the arguments of a variadic call
	}
	s := t.p.Stores(a)
	inside := o
	inside.Holds = true
	_, isBox := ssax.Pointee(a.Type()).Underlying().(*types.Slice)
	whole := slices.DeleteFunc(slices.Clone(s.Whole), func(s *ssa.Store) bool { return later(s, read) || memory.Keeps(t.p.Places, s, memory.Var{Base: a}) })
	for _, store := range whole {
		if ssax.HasPointers(store.Val.Type()) {
			inside.Holds = !isBox // the address of a slice variable stands for its memory
			inside.May = o.May || len(whole) > 1
			t.trace(store.Val, inside)
		}
	}
	inside.Holds = true
	inside.May = o.May
	for _, store := range s.Part {
		if ssax.HasPointers(store.Val.Type()) && !later(store, read) {
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
				if ssax.HasPointers(v.Type()) && !ssax.IsString(v.Type()) {
					t.trace(v, o)
				}
			}
		case *ssa.IndexAddr:
			for _, use := range *ref.Referrers() {
				if s, ok := use.(*ssa.Store); ok && s.Addr == ref && ssax.HasPointers(s.Val.Type()) {
					t.trace(s.Val, o)
				}
			}
		case *ssa.Call: // copied from another slice
			if c := t.p.Resolve(ref); c.Builtin == "copy" && c.Args[0] == made && ssax.ElemHasPointers(made.Type()) {
				t.trace(c.Args[1], o)
			}
		}
	}
}

// mixed reports whether the edges of a phi that are not nil are different
// values: b and append(b, ...) are different values and one memory.
func (t *tracer) mixed(phi *ssa.Phi) bool {
	var first ssa.Value
	for _, e := range phi.Edges {
		if ssax.IsNil(e) || e == phi {
			continue
		}
		if first != nil && first != e {
			return !t.common(phi.Edges)
		}
		first = e
	}
	return false
}

// common reports whether several values come from the same roots, each of them on
// every path: a reader, and what was wrapped around it. Constants have no memory, and
// what is made of a value that is being traced adds none.
func (t *tracer) common(vals []ssa.Value) bool {
	var first map[ssa.Value]bool
	for _, v := range vals {
		inner := tracer{p: t.p, seen: maps.Clone(t.seen), steps: t.steps + maxTrace/4, within: t.within}
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
		if len(roots) == 0 {
			continue
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
