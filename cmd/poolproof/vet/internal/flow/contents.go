package flow

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

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
		if IsMemory(v.Type()) || t.p.owns(addr) {
			if o.Field == None {
				o.Field = addr.Field
			}
			t.trace(addr.X, o)
			return
		}
	case *ssa.IndexAddr, *ssa.Global:
	default:
		if IsMemory(v.Type()) { // a pointer to a slice
			o.Field = summary.All
			t.trace(v.X, o)
			return
		}
	}
	t.root(v, o)
}

// overwritten reports whether a literal assigns to a variable that it captures.
func (p *Places) overwritten(captured *ssa.FreeVar) bool {
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
	if store := lastStore(t.p.Places, load, place); store != nil {
		t.trace(store.Val, o)
		return true
	}
	vals := t.p.storedAt(place, 0)
	if len(vals) == 0 {
		if _, isStruct := typ.Underlying().(*types.Struct); isStruct && place.Path == "" && !anyArray(a) {
			t.alloc(a, o) // a copy of a struct refers to what is in it
			return true
		}
		return isPointer(typ) && place.Path == "" && !s.Unknown // a variable that nothing is assigned to: nil
	}
	o.May = o.May || len(vals) > 1 && !t.sameValues(vals) || s.Unknown
	for _, v := range vals {
		t.trace(v, o)
	}
	if s.Unknown && place.Path != "" && HasPointers(typ) {
		// Code that is given the struct may have set this field to another one.
		o.May, o.Holds = true, true
		for _, part := range s.Part {
			if HasPointers(part.Val.Type()) {
				t.trace(part.Val, o)
			}
		}
		for _, whole := range s.Whole {
			t.trace(whole.Val, o)
		}
	}
	return true
}

// storedAt returns what is stored in a local variable, or in a part of one, be it with
// the struct around it: d := decoder{src: src}.
func (p *Places) storedAt(place Var, depth int) (vals []ssa.Value) {
	s := p.Stores(place.Base.(*ssa.Alloc))
	for _, list := range [][]*ssa.Store{s.Whole, s.Part} {
		for _, store := range list {
			at, ok := p.Place(store.Addr)
			switch {
			case !ok || !place.Within(at):
			case at == place:
				if !IsNil(store.Val) {
					vals = append(vals, store.Val)
				}
			case depth < maxPath:
				if from, ok := p.Copied(store); ok && from.Base != place.Base {
					vals = append(vals, p.storedAt(Var{Base: from.Base, Path: from.Path + strings.TrimPrefix(place.Path, at.Path)}, depth+1)...)
				}
			}
		}
	}
	return vals
}

// lastStore returns the store to place that a load in the same block, or in the
// blocks that must come before it, sees.
func lastStore(p *Places, load ssa.Instruction, place Var) *ssa.Store {
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

// Stored returns what a load of a local variable certainly reads, v itself if that
// is not known.
func (p *Places) Stored(v ssa.Value) ssa.Value {
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
