package infer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// listPool is a method of a type that may be a pool which keeps its objects itself, in a list or a
// channel in a field.
type listPool struct {
	p *flow.Program
	f *ssa.Function
}

// learn notes that the method is the getter or the putter of such a pool. Both use the field; the getter
// makes a new object where there is none, which that of a queue does not. Objects that can be closed are
// connections and the like, which is another way to end them.
func (m listPool) learn(s *summary.Summary) {
	if m.f.Signature.Recv() == nil || len(m.f.Params) == 0 {
		return
	}
	for _, pair := range names.PoolNames(m.f.Name()) {
		get, put := m.method(pair[0]), m.method(pair[1])
		if get == nil || put == nil || get.Signature.Results().Len() != 1 || put.Signature.Results().Len() > 0 || put.Signature.Params().Len() != 1 {
			continue
		}
		object := get.Signature.Results().At(0).Type()
		if !types.Identical(object, put.Signature.Params().At(0).Type()) || !ssax.HasPointers(object) || types.IsInterface(object) || closable(object) || !m.makes(get) {
			continue
		}
		kept := keptIn(get, object)
		for field := range keptIn(put, object) {
			switch {
			case !kept[field]:
			case m.f == get:
				s.Getter |= summary.Bit(0)
			default:
				object := summary.Bit(1)
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

// method returns the method with a name of the receiver's type, nil if there is none.
func (m listPool) method(name string) *ssa.Function {
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

// keptIn returns the fields of its receiver that a method uses and that keep objects of a type.
func keptIn(f *ssa.Function, object types.Type) map[*types.Var]bool {
	fields := make(map[*types.Var]bool)
	for instr := range ssax.Instrs(f) {
		at, ok := instr.(*ssa.FieldAddr)
		if !ok || len(f.Params) == 0 || at.X != ssa.Value(f.Params[0]) {
			continue
		}
		field := ssax.FieldVar(at)
		switch t := field.Type().Underlying().(type) {
		case *types.Chan:
			fields[field] = types.Identical(t.Elem(), object)
		case *types.Slice:
			fields[field] = types.Identical(t.Elem(), object)
		}
	}
	return fields
}
