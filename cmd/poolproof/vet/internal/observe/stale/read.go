package stale

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// Read finds reads of fields that still hold what the last user left there.
func (l *Leftovers) Read(fn *scene.Function, g track.Get) []scene.Found {
	obj := fn.Made[g.Value]
	if st, _ := pooledStruct(obj.Type, fn.Pass.Pkg); st == nil || fn.Out.Test {
		return nil
	}
	al := fn.AliasesOf(g.Value)
	if pool, _ := poolOf(fn, obj); al == nil || pool != nil && pool.Kind == events.LocalPool {
		return nil
	}
	here := leftHere(fn, al, g)
	for instr := range ssax.Instrs(fn.F) {
		at := l.readAt(fn.Code, al, instr, func(field *types.Var) bool { return here[field] || l.fields.stays(field) })
		if at == nil || l.forgotten[ssax.FieldVar(at)] || !l.untouched(fn, al, g, instr, at) {
			continue
		}
		e := fn.Event(events.Use, instr)
		e.How, e.What = events.Stale, ssax.FieldName(at)
		return []scene.Found{{Of: obj, History: events.History{Events: []events.Event{*obj.Get, e}}}}
	}
	return nil
}

// leftHere returns the fields of an object which a function gets and puts itself, that it sets to something on
// some paths, and never to nothing: what other code does with them comes before the put or after the get.
func leftHere(fn *scene.Function, al *alias.Set, g track.Get) map[*types.Var]bool {
	if !g.Call.IsPoolGet() || !slices.ContainsFunc(fn.Puts, func(p track.Put) bool { return p.Call.IsPoolPut() && al.IsWhole(ssax.Strip(p.Arg)) }) {
		return nil
	}
	left := make(map[*types.Var]bool)
	var set []*types.Var
	for instr := range ssax.Instrs(fn.F) {
		if s, ok := instr.(*ssa.Store); ok && ssax.FieldVar(s.Addr) != nil {
			if field := ssax.FieldVar(s.Addr); isSomething(s.Val) && conditional(s) {
				left[field] = true
			} else {
				set = append(set, field)
			}
			continue
		}
		switch instr := instr.(type) {
		case *ssa.Store, *ssa.MakeClosure:
			if op, ok := instr.(*ssa.Store); !ok || al.Has(op.Addr) || al.Has(op.Val) {
				return nil
			}
		case ssa.CallInstruction:
			if c := fn.Program.Resolve(instr); !c.IsPoolPut() && slices.ContainsFunc(c.Args, al.Has) {
				return nil
			}
		}
	}
	for _, field := range set {
		delete(left, field)
	}
	return left
}

// readAt returns the field of the object that an instruction reads, in a method that it calls too, if the
// field is as users leave it.
func (l *Leftovers) readAt(fn *track.Code, al *alias.Set, instr ssa.Instruction, stays func(*types.Var) bool) *ssa.FieldAddr {
	isObject := func(v ssa.Value) bool { return al.IsWhole(v) && al.Of(v).Must }
	if at := l.reads(fn.Program, instr, isObject, stays); at != nil {
		return at
	}
	call, ok := instr.(*ssa.Call)
	if !ok {
		return nil
	}
	c := fn.Program.Resolve(call)
	if !flow.IsMethod(&c) || c.Lit == nil || len(c.Lit.Params) == 0 || !isObject(c.Args[0]) {
		return nil
	}
	for _, inner := range c.Lit.Blocks[0].Instrs {
		if at := l.reads(fn.Program, inner, func(v ssa.Value) bool { return v == ssa.Value(c.Lit.Params[0]) }, stays); at != nil {
			return at
		}
		if ssax.Is[ssa.CallInstruction](inner) || ssax.Is[*ssa.Store](inner) {
			return nil
		}
	}
	return nil
}

// reads returns the field of an object that an instruction reads, if the field is as users leave it.
func (l *Leftovers) reads(p *flow.Program, instr ssa.Instruction, isObject func(ssa.Value) bool, stays func(*types.Var) bool) *ssa.FieldAddr {
	of := func(addr ssa.Value) *ssa.FieldAddr {
		at, ok := addr.(*ssa.FieldAddr)
		if ok && isObject(at.X) && stays(ssax.FieldVar(at)) {
			return at
		}
		return nil
	}
	switch instr := instr.(type) {
	case *ssa.UnOp:
		at := of(instr.X)
		if at == nil || accumulates(instr.Type()) {
			return nil
		}
		k := l.fields[ssax.FieldVar(at)]
		if k.adds && slices.ContainsFunc(*instr.Referrers(), func(ref ssa.Instruction) bool { return isContent(instr, ref) }) || !k.adds && !k.asked && ssax.IsBool(instr.Type()) {
			return at
		}
	case *ssa.Call:
		c := p.Resolve(instr)
		if !flow.IsMethod(&c) || roles[c.Name()] != reads || !accumulates(c.Args[0].Type()) {
			return nil
		}
		if load := ssax.Load(c.Args[0]); load != nil {
			return of(load.X)
		}
		return of(c.Args[0])
	}
	return nil
}

// untouched reports whether nothing may have set a field of the object on some path from its get
// to an instruction that surely follows, or may follow if the field is only added to.
func (l *Leftovers) untouched(fn *scene.Function, al *alias.Set, g track.Get, at ssa.Instruction, field *ssa.FieldAddr) (untouched bool) {
	adds := l.fields[ssax.FieldVar(field)].adds
	if !adds && !ssax.Before(g.Call.Instr, at) {
		return false
	}
	fn.Walker.From(g.Call.Instr, paths.Instrs{Each: func(instr ssa.Instruction) bool {
		untouched = untouched || instr == at
		return !untouched && instr != ssa.Instruction(g.Call.Instr) && (adds || !maySet(fn.Code, al, instr, field))
	}})
	return untouched
}

// maySet reports whether an instruction may set a field of the object: a store to it or to the whole object, a
// store of the object, a literal, or a call that receives the object and does not leave the field out on some
// path. A result may tell the paths apart.
func maySet(fn *track.Code, al *alias.Set, instr ssa.Instruction, field *ssa.FieldAddr) bool {
	switch instr := instr.(type) {
	case *ssa.Store:
		other := ssax.FieldVar(instr.Addr)
		if other != nil && other != ssax.FieldVar(field) && al.Of(instr.Val) == nil {
			return false
		}
		return al.Of(instr.Addr) != nil || al.Of(instr.Val) != nil
	case *ssa.MakeClosure:
		return true
	case *ssa.Defer: // it runs later
	case ssa.CallInstruction:
		c := fn.Program.Resolve(instr)
		i := slices.IndexFunc(c.Args, al.Has)
		return i >= 0 && (c.Lit == nil || c.Lit.Signature.Results().Len() > 0 || !track.Sometimes(fn.Program, c.Lit, i, field.Field, 0))
	}
	return false
}

// isContent reports whether an instruction reads what is in a field that code adds to.
func isContent(load *ssa.UnOp, ref ssa.Instruction) bool {
	switch ref := ref.(type) {
	case *ssa.DebugRef, *ssa.MapUpdate, *ssa.BinOp:
		return false
	case *ssa.Lookup: // what was computed once may stay: a set says what users did
		elem := load.Type().Underlying().(*types.Map).Elem().Underlying()
		st, isStruct := elem.(*types.Struct)
		return ssax.IsBool(elem) || isStruct && st.NumFields() == 0
	case *ssa.Call:
		b, ok := ref.Call.Value.(*ssa.Builtin)
		return !ok || b.Name() == "len" || b.Name() == "append" && appendedTo(ref) != ssa.Value(load)
	}
	return true
}

// pooledStruct returns the struct of the package that a pointer type points to, and its name.
func pooledStruct(t types.Type, pkg *types.Package) (*types.Struct, *types.TypeName) {
	elem := ssax.Pointee(t)
	if elem == nil {
		return nil, nil
	}
	named, ok := types.Unalias(elem).(*types.Named)
	if !ok || named.Obj().Pkg() != pkg {
		return nil, nil
	}
	st, _ := named.Underlying().(*types.Struct)
	return st, named.Origin().Obj()
}
