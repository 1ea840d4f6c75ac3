package observe

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// field finds an object that is put out of a field, or out of an element of an
// array or slice in one, which still refers to it afterwards.
func (fn *function) field(p *put) {
	load := ssax.Load(p.roots[0])
	if load == nil {
		return
	}
	addr, ok := load.X.(*ssa.FieldAddr)
	elem, isElem := load.X.(*ssa.IndexAddr)
	if isElem {
		addr, ok = listField(elem.X)
	}
	if !ok {
		return
	}
	place, ok := fn.Program.Place(addr)
	if !ok || place.Local() {
		return
	}
	if fn.cleared(place, addr, p) || isElem && fn.emptied(ssax.FieldVar(addr)) {
		return
	}
	e := fn.event(events.Exit, p.call.Instr)
	e.How, e.What = events.StoredField, fieldName(addr)
	switch {
	case isElem:
		e.How = events.StoredElement
	case fn.again(place, ssax.FieldVar(addr)):
		e.How = events.StoredAgain
	}
	obj := fn.objectOf(p)
	obj.Histories = append(obj.Histories, events.History{Events: []events.Event{fn.putEvent(p), e}, Reach: events.Field})
}

// listField returns the field that is an array, or holds a slice, of which v is the
// memory.
func listField(v ssa.Value) (*ssa.FieldAddr, bool) {
	if s, ok := v.(*ssa.Slice); ok {
		v = s.X
	}
	if load := ssax.Load(v); load != nil {
		v = load.X
	}
	addr, ok := v.(*ssa.FieldAddr)
	return addr, ok
}

// emptied reports whether an element of a list in a field is set anew in the
// function or in one that it calls, or the list goes to somebody who may do that:
// which element it is, is not known.
func (fn *Code) emptied(list *types.Var) bool {
	return list != nil && fn.setsElements(fn.f, list, 0)
}

func (fn *Code) setsElements(f *ssa.Function, list *types.Var, depth int) bool {
	isList := func(v ssa.Value) bool {
		addr, ok := listField(v)
		return ok && ssax.FieldVar(addr) == list
	}
	for _, f := range fn.Program.Family(f) {
		for _, b := range f.Blocks {
			for _, instr := range b.Instrs {
				switch instr := instr.(type) {
				case *ssa.Store:
					if elem, ok := instr.Addr.(*ssa.IndexAddr); ok && isList(elem.X) {
						return true
					}
				case ssa.CallInstruction:
					c := fn.Program.Resolve(instr)
					if c.Builtin == "len" || c.Builtin == "cap" {
						continue
					}
					if slices.ContainsFunc(c.Args, isList) || c.Lit != nil && depth < 2 && fn.setsElements(c.Lit, list, depth+1) {
						return true
					}
				}
			}
		}
	}
	return false
}

func fieldName(addr *ssa.FieldAddr) string {
	return ssax.FieldName(addr)
}

// cleared reports whether a field is set anew in the function, in a literal or
// the function around, or by a callee; or whether its owner ends too.
func (fn *Code) cleared(place memory.Var, addr *ssa.FieldAddr, p *put) bool {
	once := fn.pointsOnce(place)
	for _, s := range fn.Program.StoresTo(fn.f, place) {
		if fn.setBefore(s, place, p) {
			continue // that is what is put
		}
		if !once || s.Addr != place.Base {
			return true
		}
	}
	if fn.flagged(place, p.call.Instr) {
		return true
	}
	base := addr.X
	for i := range fn.puts {
		for _, r := range fn.puts[i].roots {
			if r == base || r == place.Base {
				return true
			}
		}
	}
	for _, f := range fn.Program.Family(fn.f) {
		for _, b := range f.Blocks {
			for _, instr := range b.Instrs {
				switch instr := instr.(type) {
				case *ssa.Store:
					if instr.Addr == base || instr.Addr == place.Base && !once || fn.within(instr.Addr, base, p) {
						return true // the whole struct
					}
				case ssa.CallInstruction:
					c := fn.Program.Resolve(instr)
					if c.Fn != nil && c.Fn.Pkg() != nil {
						switch path := c.Fn.Pkg().Path(); {
						case path == "sync" && c.Name() == "Do", strings.HasSuffix(path, "/atomic") && !c.Deferred():
							return true // done once
						}
					}
					for i, arg := range c.Args {
						if (arg == base || arg == place.Base) && detaches(&c, i, addr.Field) {
							return true
						}
					}
				}
			}
		}
	}
	return false
}

// setBefore reports whether a store gives a field what is put out of it later, and
// nothing after that.
func (fn *Code) setBefore(s *ssa.Store, place memory.Var, p *put) bool {
	read := ssax.Load(p.roots[0])
	if read == nil || s.Parent() != fn.f || read.Parent() != fn.f || ssax.MayPrecede(read, s) {
		return false
	}
	from, ok := fn.Program.Place(read.X)
	to, known := fn.Program.Place(s.Addr)
	return ok && known && from == place && to == place
}

// pointsOnce reports whether the base of a place is a variable that gets one pointer
// and no other, because a literal captures it: that does not set the struct.
func (fn *Code) pointsOnce(place memory.Var) bool {
	alloc, ok := place.Base.(*ssa.Alloc)
	return ok && strings.HasPrefix(place.Path, "*") && len(fn.Program.Stores(alloc).Whole) == 1
}

// flagged reports whether an instruction is reached only if another field of the
// same struct says so, which the function sets: the second time does nothing.
func (fn *Code) flagged(place memory.Var, instr ssa.Instruction) bool {
	for b := instr.Block(); b.Idom() != nil; b = b.Idom() {
		cond, ok := b.Idom().Instrs[len(b.Idom().Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		for _, asked := range fn.Program.KeyOf(cond.Cond).Places {
			if asked.Base == place.Base && asked != place && asked.Path != "" && len(fn.Program.StoresTo(fn.f, asked)) > 0 {
				return true
			}
		}
	}
	return false
}

// again reports whether the same field is likely to be put a second time: the
// function always puts it, and is one that others close the struct with, or not
// the only one that puts it.
func (fn *Code) again(place memory.Var, field *types.Var) bool {
	i, path, ok := fn.Program.Given(fn.f, place)
	if !ok {
		return false
	}
	e, ok := fn.Program.Own(fn.f).Field(i, path)
	if !ok || !e.Puts || e.Sets {
		return false
	}
	if fn.f.Signature.Recv() != nil && i > 0 {
		return false // one of several that may end what they are given
	}
	closes := fn.f.Signature.Recv() != nil && token.IsExported(fn.f.Name()) && names.IsRelease(fn.f.Name())
	return closes || fn.putters[field] > 1
}

// within reports whether a store overwrites the object of a put, and with it the
// struct whose field refers to the object: one that lies in it.
func (fn *Code) within(addr, owner ssa.Value, p *put) bool {
	return addr.Parent() == fn.f && fn.Program.Origin(addr) == p.roots[0] &&
		contains(ssax.Pointee(addr.Type()), ssax.Pointee(owner.Type()), 0)
}

// contains reports whether a value of type t has one of type part in it.
func contains(t, part types.Type, depth int) bool {
	if t == nil || part == nil || depth > 4 {
		return false
	}
	if types.Identical(t, part) {
		return depth > 0
	}
	switch t := t.Underlying().(type) {
	case *types.Struct:
		for i := range t.NumFields() {
			if contains(t.Field(i).Type(), part, depth+1) {
				return true
			}
		}
	case *types.Array:
		return contains(t.Elem(), part, depth+1)
	}
	return false
}
