package scene

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/pooldecl"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// leftovers are the fields of the package's structs that keep what a user set.
type leftovers struct {
	Left  map[*types.Var]bool      // flags that are set, and never cleared
	Clean map[*types.TypeName]bool // structs that some code clears as a whole, or by a method
}

// Leftovers returns which fields keep what a user set, read once from all functions.
func (o *Package) Leftovers() *leftovers {
	if o.left != nil {
		return o.left
	}
	o.left = &leftovers{Left: make(map[*types.Var]bool), Clean: make(map[*types.TypeName]bool)}
	cleared := make(map[*types.Var]bool)
	for _, f := range o.Funcs {
		for instr := range ssax.Instrs(f) {
			if s, ok := instr.(*ssa.Store); ok {
				o.left.store(s, f, cleared)
			}
		}
		if f.Signature.Recv() != nil && (names.IsCleaning(f.Name()) || names.IsSetup(f.Name())) {
			if _, named := PooledStruct(f.Signature.Recv().Type(), o.Pass.Pkg); named != nil {
				o.left.Clean[named] = true
			}
		}
	}
	for field := range cleared {
		delete(o.left.Left, field)
	}
	return o.left
}

// store notes what a store to a struct says.
func (l *leftovers) store(s *ssa.Store, f *ssa.Function, cleared map[*types.Var]bool) {
	field := ssax.FieldVar(s.Addr)
	if field == nil {
		if _, fresh := s.Addr.(*ssa.Alloc); !fresh && f.Pkg != nil {
			if _, named := PooledStruct(s.Addr.Type(), f.Pkg.Pkg); named != nil {
				l.Clean[named] = true // *x = T{}
			}
		}
		return
	}
	base := s.Addr.(*ssa.FieldAddr).X
	if _, fresh := base.(*ssa.Alloc); fresh {
		return // a new struct
	}
	if !ssax.IsBool(field.Type()) {
		return
	}
	isTrue, _ := ssax.Truth(s.Val)
	switch {
	case !isTrue:
		cleared[field] = true // or set anew to what a caller says
	case readsBefore(s, field):
		cleared[field] = true // made once: if !x.ready { ...; x.ready = true }
	case s.Block().Index == 0:
		cleared[field] = true // the function sets it each time
	default:
		l.Left[field] = true
	}
}

// readsBefore reports whether a function may read a field before a store to it.
func readsBefore(store *ssa.Store, field *types.Var) bool {
	for instr := range ssax.Instrs(store.Parent()) {
		if load, ok := instr.(*ssa.UnOp); ok && ssax.Load(load) != nil && ssax.FieldVar(load.X) == field && ssax.MayPrecede(load, store) {
			return true
		}
	}
	return false
}

// PooledStruct returns the struct of the package that a pointer type points to, and its
// name.
func PooledStruct(t types.Type, pkg *types.Package) (*types.Struct, *types.TypeName) {
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

// Fed reports whether a pool has no New: it lives on what is put. Where one of two pools
// is so, objects go from the one to the other on purpose.
func (o *Package) Fed(p track.Pool) bool {
	if o.pools == nil {
		o.pools = pooldecl.Of(o.Pass)
	}
	d, ok := o.pools.Find(p.Decl)
	return ok && d.Unset()
}
