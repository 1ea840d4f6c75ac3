package fit

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// Field finds an object that is put out of a field, or out of an element of an
// array or slice in one, which still refers to it afterwards.
func Field(fn *scene.Function, p *track.Put) []scene.Found {
	if closesItself(fn, p) {
		return unfit(fn, p, events.Itself, fn.F.Name())
	}
	load := ssax.Load(p.Roots[0])
	if load == nil {
		return nil
	}
	addr, ok := load.X.(*ssa.FieldAddr)
	elem, isElem := load.X.(*ssa.IndexAddr)
	if isElem {
		addr, ok = listField(elem.X)
	}
	if !ok {
		return nil
	}
	place, ok := fn.Program.Place(addr)
	if !ok {
		return nil
	}
	switch {
	case place.Local():
		if isElem || !ofCopy(fn.Code, place) || onceIn(fn.Code) || flagged(fn.Code, place, p.Call.Instr) {
			return nil
		}
	case cleared(fn.Code, place, addr, p) || isElem && emptied(fn.Code, ssax.FieldVar(addr)):
		return nil
	}
	how := events.StoredField
	switch {
	case isElem && closesOthers(fn, place):
		how = events.ElementAgain
	case isElem:
		how = events.StoredElement
	case place.Local():
		how = events.StoredCopy
	case again(fn.Code, place, ssax.FieldVar(addr)):
		how = events.StoredAgain
	}
	return unfit(fn, p, how, ssax.FieldName(addr))
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
func emptied(fn *track.Code, list *types.Var) bool {
	return list != nil && setsElements(fn, fn.F, list, 0)
}

func setsElements(fn *track.Code, f *ssa.Function, list *types.Var, depth int) bool {
	isList := func(v ssa.Value) bool {
		addr, ok := listField(v)
		return ok && ssax.FieldVar(addr) == list
	}
	for instr := range ssax.Instrs(fn.Program.Family(f)...) {
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
			if slices.ContainsFunc(c.Args, isList) || c.Lit != nil && depth < 2 && setsElements(fn, c.Lit, list, depth+1) {
				return true
			}
		}
	}
	return false
}

// cleared reports whether a field is set anew in the function, in a literal or
// the function around, or by a callee; or whether its owner ends too.
func cleared(fn *track.Code, place memory.Var, addr *ssa.FieldAddr, p *track.Put) bool {
	once := pointsOnce(fn, place)
	for _, s := range fn.Program.StoresTo(fn.F, place) {
		if setBefore(fn, s, place, p) {
			continue // that is what is put
		}
		if !once || s.Addr != place.Base {
			return true
		}
	}
	if flagged(fn, place, p.Call.Instr) {
		return true
	}
	base := addr.X
	for i := range fn.Puts {
		for _, r := range fn.Puts[i].Roots {
			if r == base || r == place.Base {
				return true
			}
		}
	}
	for s := range ssax.Of[*ssa.Store](fn.Program.Family(fn.F)...) {
		if s.Addr == base || s.Addr == place.Base && !once || within(fn, s.Addr, p) {
			return true // the whole struct
		}
	}
	calls := fn.Program.FamilyCalls(fn.F)
	return flow.Any(calls, isOnce) || flow.AnyArg(calls, func(c *flow.Call, i int, arg ssa.Value) bool {
		return (arg == base || arg == place.Base) && c.Summary.Detaches(i, addr.Field)
	})
}

// setBefore reports whether a store gives a field what is put out of it later, and
// nothing after that.
func setBefore(fn *track.Code, s *ssa.Store, place memory.Var, p *track.Put) bool {
	read := ssax.Load(p.Roots[0])
	if read == nil || s.Parent() != fn.F || read.Parent() != fn.F || ssax.MayPrecede(read, s) {
		return false
	}
	from, ok := fn.Program.Place(read.X)
	to, known := fn.Program.Place(s.Addr)
	return ok && known && from == place && to == place
}

// pointsOnce reports whether the base of a place is a variable that gets one pointer
// and no other, because a literal captures it: that does not set the struct.
func pointsOnce(fn *track.Code, place memory.Var) bool {
	alloc, ok := place.Base.(*ssa.Alloc)
	return ok && strings.HasPrefix(place.Path, "*") && len(fn.Program.Stores(alloc).Whole) == 1
}

// flagged reports whether an instruction is reached only if another field of the
// same struct says so, which the function sets: the second time does nothing.
func flagged(fn *track.Code, place memory.Var, instr ssa.Instruction) bool {
	for cond := range ssax.Above(instr.Block()) {
		for _, asked := range fn.Program.KeyOf(cond.Cond).Asked {
			if asked.Base == place.Base && asked != place && asked.Path != "" && len(fn.Program.StoresTo(fn.F, asked)) > 0 {
				return true
			}
		}
	}
	return false
}

// again reports whether the same field is likely to be put a second time: the
// function always puts it, and is one that others close the struct with, or not
// the only one that puts it.
func again(fn *track.Code, place memory.Var, field *types.Var) bool {
	i, path, ok := fn.Program.Given(fn.F, place)
	if !ok {
		return false
	}
	e, ok := fn.Program.Own(fn.F).Field(i, path)
	if !ok || !e.Puts && !e.MayPut || e.Sets {
		return false
	}
	if fn.F.Signature.Recv() != nil && i > 0 {
		return false // one of several that may end what they are given
	}
	return closes(fn.F) || e.Puts && fn.Putters[field] > 1
}

// closes reports whether a function is a method with which others end a struct.
func closes(f *ssa.Function) bool {
	return f.Signature.Recv() != nil && token.IsExported(f.Name()) && names.IsRelease(f.Name())
}

// ofCopy reports whether a place is in the receiver of a method with which others end a struct,
// and the receiver is a copy: what the method does to it, the next call does not see.
func ofCopy(fn *track.Code, place memory.Var) bool {
	alloc, ok := place.Base.(*ssa.Alloc)
	if !ok || !closes(fn.F) || len(fn.F.Params) == 0 {
		return false
	}
	stores := fn.Program.Stores(alloc).Whole
	return len(stores) == 1 && stores[0].Val == ssa.Value(fn.F.Params[0])
}

// closesItself reports whether a put is of the receiver of the method Close of an io.Closer, which
// the package hands out as one, so that others may call it twice, and nothing keeps the second call
// from putting it again: no field that the method asks for and sets, nothing that is done once.
func closesItself(fn *scene.Function, p *track.Put) bool {
	prm, ok := p.Roots[0].(*ssa.Parameter)
	return ok && mayCloseTwice(fn, prm) && !flagged(fn.Code, memory.Var{Base: prm}, p.Call.Instr)
}

// closesOthers reports whether a put is of what the receiver of such a method holds in a list,
// whatever becomes of the receiver.
func closesOthers(fn *scene.Function, list memory.Var) bool {
	prm, ok := list.Base.(*ssa.Parameter)
	return ok && mayCloseTwice(fn, prm)
}

// mayCloseTwice reports whether a function is the method Close of an io.Closer, with a receiver
// that the package hands out as one, and does nothing only once.
func mayCloseTwice(fn *scene.Function, recv *ssa.Parameter) bool {
	f := fn.F
	if f.Signature.Recv() == nil || recv != f.Params[0] || f.Name() != "Close" || f.Signature.Params().Len() > 0 || f.Signature.Results().Len() != 1 || !ssax.IsError(f.Signature.Results().At(0).Type()) || fn.Out.Test {
		return false
	}
	return !onceIn(fn.Code) && slices.ContainsFunc(fn.Funcs, func(f *ssa.Function) bool { return isCloser(f, recv.Type()) })
}

// isCloser reports whether a function makes a value of a type an interface with a method Close.
func isCloser(f *ssa.Function, t types.Type) bool {
	for made := range ssax.Of[*ssa.MakeInterface](f) {
		if !types.Identical(made.X.Type(), t) {
			continue
		}
		if obj, _, _ := types.LookupFieldOrMethod(made.Type(), false, nil, "Close"); obj != nil {
			return true
		}
	}
	return false
}

// onceIn reports whether a function lets something be done once.
func onceIn(fn *track.Code) bool {
	return flow.Any(fn.Program.Calls(fn.F), isOnce)
}

// isOnce reports whether a call is one that lets something be done once.
func isOnce(c *flow.Call) bool {
	if c.Fn == nil || c.Fn.Pkg() == nil {
		return false
	}
	path := c.Fn.Pkg().Path()
	return path == "sync" && c.Name() == "Do" || strings.HasSuffix(path, "/atomic") && !c.Deferred()
}

// within reports whether a store overwrites something in the object of a put, as the struct whose field refers
// to the object: a header that is a part of its own memory.
func within(fn *track.Code, addr ssa.Value, p *track.Put) bool {
	return addr.Parent() == fn.F && fn.Program.Origin(addr) == p.Roots[0]
}
