// Package stale finds what the last user of a pooled object has left in it for the next one.
package stale

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// A struct from a pool is as its last user left it. Most code sets its fields, or calls a
// method that does; which fields need that cannot be seen. One case is certain: a flag
// that some code sets, that no code of the package ever clears, and that is read right
// after Get.

// Leftovers are the fields of a package's structs that keep what a user set, and the structs that are
// made as new.
type Leftovers struct {
	flags   map[*types.Var]bool      // that some code sets to something, in a method that other packages call or under a condition
	cleared map[*types.Var]bool      // that some code sets to nothing, or to what a caller says
	once    map[*types.Var]bool      // that are set only by functions that have asked for them, or at their beginning
	clean   map[*types.TypeName]bool // structs that some code clears as a whole, or by a method

	Forgetful map[*ssa.Function]string // the fields that functions leave out which reset others
}

// Learn reads all functions of a package.
func Learn(o *scene.Package) *Leftovers {
	l := &Leftovers{
		flags: make(map[*types.Var]bool), cleared: make(map[*types.Var]bool), once: make(map[*types.Var]bool),
		clean: make(map[*types.TypeName]bool), Forgetful: make(map[*ssa.Function]string),
	}
	if len(o.Events.Pools) == 0 {
		return l
	}
	for _, f := range o.Funcs {
		for instr := range ssax.Instrs(f) {
			switch instr := instr.(type) {
			case *ssa.Store:
				l.store(instr, o.Pass.Pkg)
			case *ssa.Call: // atomic.CompareAndSwapInt32(&x.f, 0, 1)
				c := o.Effects.Program.Resolve(instr)
				if n := len(c.Args); n > 1 && names.IsCounting(c.Name()) {
					l.set(ssax.FieldVar(c.Args[0]), isSomething(c.Args[n-1]), instr)
				}
			}
		}
		if recv := f.Signature.Recv(); recv != nil && (names.IsCleaning(f.Name()) || names.IsSetup(f.Name())) {
			if _, named := pooledStruct(recv.Type(), o.Pass.Pkg); named != nil {
				l.clean[named] = true
			}
		}
	}
	for _, t := range pooled(o) {
		l.forgets(o, t)
	}
	return l
}

// store notes what a store to a struct says.
func (l *Leftovers) store(s *ssa.Store, pkg *types.Package) {
	at, ok := s.Addr.(*ssa.FieldAddr)
	if !ok {
		if _, named := pooledStruct(s.Addr.Type(), pkg); named != nil && !ssax.Is[*ssa.Alloc](s.Addr) {
			l.clean[named] = true // *x = T{}
		}
		return
	}
	if ssax.Is[*ssa.Alloc](at.X) {
		return // a new struct
	}
	field, something := ssax.FieldVar(at), isSomething(s.Val)
	l.set(field, something || adds(s) && s.Val.(*ssa.BinOp).Op == token.ADD, s)
	if !something || s.Block().Index == 0 || readsBefore(s, field) {
		l.once[field] = true // each time, or as in if !x.ready { ...; x.ready = true }
	}
}

// set notes that an instruction sets a field to something, or not.
func (l *Leftovers) set(field *types.Var, something bool, by ssa.Instruction) {
	f := by.Parent()
	if something && (f.Signature.Recv() != nil && token.IsExported(f.Name()) || conditional(by)) {
		l.flags[field] = true
	} else if !something {
		l.cleared[field] = true
	}
}

// isSomething reports whether a value is a constant other than false and zero.
func isSomething(v ssa.Value) bool {
	if isTrue, known := ssax.Truth(v); known {
		return isTrue
	}
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && ssax.IsInteger(c.Type()) && c.Int64() > 0
}

// readsBefore reports whether a function may read a field before a store to it.
func readsBefore(store *ssa.Store, field *types.Var) bool {
	return ssax.Any(ssax.Of[*ssa.UnOp](store.Parent()), func(load *ssa.UnOp) bool {
		return ssax.Load(load) != nil && ssax.FieldVar(load.X) == field && ssax.MayPrecede(load, store)
	})
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

// pooled returns the pointers to structs of the package that pools have.
func pooled(o *scene.Package) (list []types.Type) {
	for _, pool := range o.Events.Pools {
		for _, get := range pool.Gets {
			if get.Asserted == nil || len(pool.Puts) == 0 {
				continue
			}
			if st, _ := pooledStruct(get.Asserted, o.Pass.Pkg); st != nil && !slices.ContainsFunc(list, func(t types.Type) bool { return types.Identical(t, get.Asserted) }) {
				list = append(list, get.Asserted)
			}
		}
	}
	return list
}

// leastReset is how many fields a function has to reset before one that it leaves out is taken for
// forgotten.
const leastReset = 3

// forgets notes of the function that resets a pooled struct field by field which fields it leaves out that
// users of the struct set.
func (l *Leftovers) forgets(o *scene.Package, t types.Type) {
	var reset *ssa.Function
	most, handled := 0, make(map[*types.Var]bool)
	for _, f := range o.Funcs {
		p := o.Effects.Program
		if f.Parent() != nil || f.Synthetic != "" || o.Events.Test(f.Pos()) || !names.IsRenewing(f.Name()) && !flow.Any(p.FamilyCalls(f), (*flow.Call).IsPool) {
			continue
		}
		mentioned := make(map[*types.Var]bool)
		for instr := range ssax.Instrs(p.Family(f)...) {
			switch instr := instr.(type) {
			case *ssa.Store:
				if types.Identical(instr.Addr.Type(), t) && !ssax.Is[*ssa.Alloc](instr.Addr) {
					return // all of it
				}
			case *ssa.FieldAddr:
				if field := fieldOf(instr, t); field != nil {
					mentioned[field], handled[field] = true, true
				}
			}
		}
		if (names.IsCleaning(f.Name()) || names.IsSetup(f.Name())) && len(mentioned) > most {
			reset, most = f, len(mentioned)
		}
	}
	if most < leastReset {
		return
	}
	var forgotten []string
	st, named := pooledStruct(t, o.Pass.Pkg)
	for field := range st.Fields() {
		if (ssax.IsBool(field.Type()) || ssax.IsInteger(field.Type())) && !handled[field] && l.flags[field] && !l.cleared[field] && !field.Embedded() {
			forgotten = append(forgotten, field.Name())
		}
	}
	if n := len(forgotten); n > 0 && n <= most/2 {
		l.Forgetful[reset] = strings.Join(forgotten, ", ") + " of the pooled " + named.Name()
	}
}

// Forgets finds the fields that a function leaves out which resets others.
func (l *Leftovers) Forgets(fn *scene.Function) []scene.Found {
	decl, ok := fn.F.Syntax().(*ast.FuncDecl)
	what := l.Forgetful[fn.F]
	if what == "" || !ok {
		return nil
	}
	last := decl.Body.List[len(decl.Body.List)-1]
	obj := &events.Object{Func: fn.Out}
	fn.Out.Objects = append(fn.Out.Objects, obj)
	return []scene.Found{{Of: obj, History: events.History{Events: []events.Event{{Kind: events.Use, How: events.Forgotten, What: what, Pos: last.Pos(), End: last.End()}}}}}
}

// Read finds reads of fields that still hold what the last user left there.
func (l *Leftovers) Read(fn *scene.Function, g track.Get) []scene.Found {
	obj := fn.Made[g.Value]
	st, named := pooledStruct(obj.Type, fn.Pass.Pkg)
	if st == nil || fn.Out.Test || l.clean[named] {
		return nil
	}
	al := fn.AliasesOf(g.Value)
	if al == nil {
		return nil
	}
	for instr := range ssax.Instrs(fn.F) {
		field, what := readsFirst(fn.Code, al, instr)
		if field == nil || !ssax.IsBool(field.Type()) || !l.flags[field] || l.cleared[field] || l.once[field] || !untouched(fn, al, g, instr, field) {
			continue
		}
		e := fn.Event(events.Use, instr)
		e.How, e.What = events.Stale, what
		return []scene.Found{{Of: obj, History: events.History{Events: []events.Event{*obj.Get, e}}}}
	}
	return nil
}

// readsFirst returns the field of the object that an instruction reads, in a method that
// it calls too, and how the source calls that.
func readsFirst(fn *track.Code, al *alias.Set, instr ssa.Instruction) (field *types.Var, what string) {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		at, ok := instr.X.(*ssa.FieldAddr)
		if ok && ssax.Load(instr) != nil && al.IsWhole(at.X) {
			return ssax.FieldVar(at), ssax.FieldName(at)
		}
	case *ssa.Call:
		c := fn.Program.Resolve(instr)
		if !flow.IsMethod(&c) || c.Lit == nil || len(c.Lit.Params) == 0 || !al.IsWhole(c.Args[0]) {
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

// untouched reports whether nothing may have set a field of the object on some path from its get
// to an instruction that surely follows.
func untouched(fn *scene.Function, al *alias.Set, g track.Get, at ssa.Instruction, field *types.Var) (untouched bool) {
	if !ssax.Before(g.Call.Instr, at) {
		return false
	}
	fn.Walker.From(g.Call.Instr, paths.Instrs{Each: func(instr ssa.Instruction) bool {
		untouched = untouched || instr == at
		return !untouched && instr != ssa.Instruction(g.Call.Instr) && !maySet(fn.Code, al, instr, field)
	}})
	return untouched
}

// maySet reports whether an instruction may set a field of the object: a store to it or to the
// whole object, a store of the object, a literal, or a call that receives the object.
func maySet(fn *track.Code, al *alias.Set, instr ssa.Instruction, field *types.Var) bool {
	switch instr := instr.(type) {
	case *ssa.Store:
		other := ssax.FieldVar(instr.Addr)
		if other != nil && other != field && al.Of(instr.Val) == nil {
			return false
		}
		return al.Of(instr.Addr) != nil || al.Of(instr.Val) != nil
	case *ssa.MakeClosure:
		return true
	case *ssa.Defer: // it runs later
	case ssa.CallInstruction:
		return slices.ContainsFunc(fn.Program.Resolve(instr).Args, al.Has)
	}
	return false
}
