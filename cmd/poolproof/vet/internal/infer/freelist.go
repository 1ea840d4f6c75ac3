package infer

import (
	"go/types"
	"maps"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// listPool is a function that may be the getter or the putter of a pool which keeps its objects itself,
// in a list or a channel, or in several: in a field of the type of which both are methods, or in a
// package variable.
type listPool struct {
	p *flow.Program
	f *ssa.Function
}

// learn notes that the function is the getter or the putter of such a pool. Both use what keeps the
// objects; the getter makes a new object where there is none, which that of a queue does not. Objects
// that can be closed are connections and the like, which is another way to end them.
func (m listPool) learn(s *summary.Summary) {
	if m.f.Parent() != nil || m.f.Pkg == nil {
		return
	}
	for _, pair := range names.PoolPairs(m.f.Name()) {
		get, put := m.named(pair[0]), m.named(pair[1])
		if get == nil || put == nil || get.Signature.Results().Len() != 1 || put.Signature.Results().Len() > 0 || put.Signature.Params().Len() != 1 {
			continue
		}
		object := get.Signature.Results().At(0).Type()
		if !types.Identical(object, put.Signature.Params().At(0).Type()) || !ssax.HasPointers(object) || types.IsInterface(object) || closable(object) || !m.makes(get) {
			continue
		}
		kept := keptIn(get, object)
		for at := range keptIn(put, object) {
			switch {
			case !kept[at]:
			case m.f == get:
				s.Getter |= summary.Bit(0)
			default:
				object := summary.Bit(len(put.Params) - 1)
				s.MustPut, s.Release, s.MayPut = s.MustPut|object, s.Release|object, s.MayPut|object
				s.Retains, s.Keeps, s.Into = s.Retains&^object, s.Keeps&^object, nil
			}
		}
	}
}

// closable reports whether values of a type have a method Close.
func closable(t types.Type) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, "Close")
	return obj != nil
}

// named returns the method with a name of the receiver's type, or the function of the package if there
// is no receiver; nil if there is none.
func (m listPool) named(name string) *ssa.Function {
	if m.f.Signature.Recv() == nil {
		return m.f.Pkg.Func(name)
	}
	obj, _, _ := types.LookupFieldOrMethod(m.f.Signature.Recv().Type(), true, m.f.Package().Pkg, name)
	if f, ok := obj.(*types.Func); ok {
		return m.f.Prog.FuncValue(f.Origin())
	}
	return nil
}

// makes reports whether a getter returns what it makes, or what another function does.
func (m listPool) makes(get *ssa.Function) bool {
	for ret := range ssax.Returns(get) {
		for _, o := range m.p.Origins(ret.Results[0]) {
			switch root := o.Root.(type) {
			case *ssa.MakeSlice, *ssa.Alloc, *ssa.Call:
				return true
			case *ssa.Extract:
				if _, ok := root.Tuple.(*ssa.Call); ok {
					return true
				}
			}
		}
	}
	return false
}

// keptIn returns what a function uses that keeps objects of a type: fields of its receiver, and package
// variables.
func keptIn(f *ssa.Function, object types.Type) map[any]bool {
	in := make(map[any]bool)
	for instr := range ssax.Instrs(f) {
		if at, ok := instr.(*ssa.FieldAddr); ok && f.Signature.Recv() != nil && len(f.Params) > 0 && at.X == ssa.Value(f.Params[0]) {
			field := ssax.FieldVar(at)
			in[field] = keeps(field.Type(), object)
		}
		for op := range ssax.Operands(instr) {
			if global, ok := op.(*ssa.Global); ok {
				in[global] = keeps(ssax.Pointee(global.Type()), object)
			}
		}
	}
	maps.DeleteFunc(in, func(_ any, keeps bool) bool { return !keeps })
	return in
}

// keeps reports whether a list, a channel, or several of them, has objects of a type in it.
func keeps(t, object types.Type) bool {
	var elem types.Type
	switch t := t.Underlying().(type) {
	case *types.Chan:
		return types.Identical(t.Elem(), object)
	case *types.Slice:
		elem = t.Elem()
	case *types.Array:
		elem = t.Elem()
	case *types.Map:
		elem = t.Elem()
	default:
		return false
	}
	return types.Identical(elem, object) || keeps(elem, object)
}
