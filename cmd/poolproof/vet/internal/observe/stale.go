package observe

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// A struct from a pool is as its last user left it. Most code sets its fields, or calls a
// method that does; which fields need that cannot be seen. One case is certain: a flag
// that some code sets, that no code of the package ever clears, and that is read right
// after Get.

// stale finds reads of fields that still hold what the last user left there.
func (fn *function) stale(g get) {
	obj := fn.made[g.value]
	st, named := pooledStruct(obj.Type, fn.Pass.Pkg)
	if st == nil || fn.out.Test || fn.leftovers().clean[named] {
		return
	}
	al := fn.bounded(alias.Of(fn.Program, g.value))
	if al == nil {
		return
	}
	for _, b := range fn.f.Blocks {
		for _, instr := range b.Instrs {
			field, what := fn.readsFirst(al, instr)
			if field == nil || !fn.leftovers().left[field] || !fn.untouched(al, g, instr) {
				continue
			}
			e := fn.event(events.Exit, instr)
			e.How, e.What = events.Stale, what
			obj.Histories = append(obj.Histories, events.History{Events: []events.Event{*obj.Get, e}})
			return
		}
	}
}

// pooledStruct returns the struct of the package that a pointer type points to, and its
// name.
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

// readsFirst returns the field of the object that an instruction reads, in a method that
// it calls too, and how the source calls that.
func (fn *Code) readsFirst(al *alias.Set, instr ssa.Instruction) (field *types.Var, what string) {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		at, ok := instr.X.(*ssa.FieldAddr)
		if ok && ssax.Load(instr) != nil && al.IsWhole(at.X) {
			return ssax.FieldVar(at), ssax.FieldName(at)
		}
	case *ssa.Call:
		c := fn.Program.Resolve(instr)
		if !method(&c) || c.Lit == nil || len(c.Lit.Params) == 0 || !al.IsWhole(c.Args[0]) {
			return nil, ""
		}
		for _, inner := range c.Lit.Blocks[0].Instrs {
			load, ok := inner.(*ssa.UnOp)
			if ok && ssax.Load(load) != nil {
				if at, ok := load.X.(*ssa.FieldAddr); ok && at.X == ssa.Value(c.Lit.Params[0]) {
					return ssax.FieldVar(at), ssax.FieldName(at)
				}
			}
			if _, isCall := inner.(ssa.CallInstruction); isCall {
				return nil, ""
			}
			if _, isStore := inner.(*ssa.Store); isStore {
				return nil, ""
			}
		}
	}
	return nil, ""
}

// untouched reports whether nothing may have set a field of the object between its get
// and an instruction that surely follows: no store to it, and no call that receives it.
func (fn *Code) untouched(al *alias.Set, g get, at ssa.Instruction) bool {
	if !ssax.Before(g.call.Instr, at) {
		return false
	}
	for _, b := range fn.f.Blocks {
		for _, instr := range b.Instrs {
			if instr == at || instr == ssa.Instruction(g.call.Instr) || !ssax.MayPrecede(g.call.Instr, instr) || !ssax.MayPrecede(instr, at) {
				continue
			}
			switch instr := instr.(type) {
			case *ssa.Store:
				if info := al.Of(instr.Addr); info != nil || al.Of(instr.Val) != nil {
					return false
				}
			case *ssa.MakeClosure:
				return false
			case *ssa.Defer: // it runs later
			case ssa.CallInstruction:
				c := fn.Program.Resolve(instr)
				for _, arg := range c.Args {
					if al.Of(arg) != nil {
						return false
					}
				}
			}
		}
	}
	return true
}

// leftovers are the fields of the package's structs that keep what a user set.
type leftovers struct {
	left  map[*types.Var]bool      // flags that are set, and never cleared
	clean map[*types.TypeName]bool // structs that some code clears as a whole, or by a method
}

func (o *Package) leftovers() *leftovers {
	if o.left != nil {
		return o.left
	}
	o.left = &leftovers{left: make(map[*types.Var]bool), clean: make(map[*types.TypeName]bool)}
	cleared := make(map[*types.Var]bool)
	for _, f := range o.Funcs {
		for _, b := range f.Blocks {
			for _, instr := range b.Instrs {
				if s, ok := instr.(*ssa.Store); ok {
					o.left.store(s, f, cleared)
				}
			}
		}
		if f.Signature.Recv() != nil && (names.IsCleaning(f.Name()) || names.IsSetup(f.Name())) {
			if _, named := pooledStruct(f.Signature.Recv().Type(), o.Pass.Pkg); named != nil {
				o.left.clean[named] = true
			}
		}
	}
	for field := range cleared {
		delete(o.left.left, field)
	}
	return o.left
}

// store notes what a store to a struct says.
func (l *leftovers) store(s *ssa.Store, f *ssa.Function, cleared map[*types.Var]bool) {
	field := ssax.FieldVar(s.Addr)
	if field == nil {
		if _, fresh := s.Addr.(*ssa.Alloc); !fresh && f.Pkg != nil {
			if _, named := pooledStruct(s.Addr.Type(), f.Pkg.Pkg); named != nil {
				l.clean[named] = true // *x = T{}
			}
		}
		return
	}
	base := s.Addr.(*ssa.FieldAddr).X
	if _, fresh := base.(*ssa.Alloc); fresh {
		return // a new struct
	}
	b, ok := field.Type().Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsBoolean == 0 {
		return
	}
	c, isConst := s.Val.(*ssa.Const)
	isTrue := isConst && c.Value != nil && c.Value.ExactString() == "true"
	switch {
	case !isTrue:
		cleared[field] = true // or set anew to what a caller says
	case readsIn(f, field):
		cleared[field] = true // made once: if !x.ready { ...; x.ready = true }
	case s.Block().Index == 0:
		cleared[field] = true // the function sets it each time
	default:
		l.left[field] = true
	}
}

// readsIn reports whether a function reads a field.
func readsIn(f *ssa.Function, field *types.Var) bool {
	for _, b := range f.Blocks {
		for _, instr := range b.Instrs {
			if load, ok := instr.(*ssa.UnOp); ok && ssax.Load(load) != nil && ssax.FieldVar(load.X) == field {
				return true
			}
		}
	}
	return false
}
