package flow

import (
	"cmp"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// keepsReceiver is the effect of a method whose receiver stays somewhere.
var keepsReceiver = &summary.Summary{Retains: summary.Bit(0)}

// implemented returns what may become of the receiver of a method of an interface of the
// package: it may stay where a method of the package that implements it leaves it, say with a
// goroutine. It excuses, and accuses of nothing. It is nil if none does anything of that kind.
func (m *Methods) implemented(method *types.Func) *summary.Summary {
	for _, f := range m.Implementations(method) {
		if s := m.p.own[f]; (s.Retains | s.Keeps | s.RefPut | s.MayPut | s.MustPut | s.Release | s.Owns).Has(0) {
			return keepsReceiver
		}
	}
	return nil
}

// Implementations returns the methods of the package that a method of an interface of the
// package may stand for: of the types that have all of its methods, by their names.
func (m *Methods) Implementations(method *types.Func) []*ssa.Function {
	if found, ok := m.found[method]; ok {
		return found
	}
	var found []*ssa.Function
	iface, ok := method.Signature().Recv().Type().Underlying().(*types.Interface)
	if ok && method.Pkg() != nil && iface.NumMethods() <= maxMethods {
		for fn, f := range m.p.named {
			if fn.Name() == method.Name() && fn.Pkg() == method.Pkg() && hasAll(fn, iface) {
				found = append(found, f)
			}
		}
	}
	slices.SortFunc(found, func(a, b *ssa.Function) int { return cmp.Compare(a.Pos(), b.Pos()) })
	m.found[method] = found
	return found
}

// maxMethods bounds how large an interface is whose implementations are looked for.
const maxMethods = 50

// hasAll reports whether the type that a method belongs to has the methods of an
// interface.
func hasAll(fn *types.Func, iface *types.Interface) bool {
	recv := fn.Signature().Recv()
	if recv == nil || types.IsInterface(recv.Type()) {
		return false
	}
	t := recv.Type()
	if _, isPtr := t.(*types.Pointer); !isPtr {
		t = types.NewPointer(t)
	}
	set := types.NewMethodSet(t)
	for m := range iface.Methods() {
		if set.Lookup(m.Pkg(), m.Name()) == nil {
			return false
		}
	}
	return true
}

// A type whose method Get returns what its method Put takes is a pool, whatever
// is inside. An interface says no more than that. A type with code is taken for
// one only if its Get is known to hand out pooled objects: then Put is its
// counterpart, even where it cannot be followed (a function in a field).

// shapeOf returns what a method does if its type has the shape of a pool.
func (m *Methods) shapeOf(fn *types.Func) *summary.Summary {
	isPool, ok := m.shapes[fn]
	if !ok {
		isPool = m.hasShape(fn)
		m.shapes[fn] = isPool
	}
	switch {
	case !isPool:
		return nil
	case fn.Signature().Params().Len() == 0:
		return poolGetByShape
	default:
		return poolPutByShape
	}
}

var (
	poolGetByShape = &summary.Summary{Getter: summary.Bit(0)}
	poolPutByShape = &summary.Summary{MustPut: summary.Bit(1), Release: summary.Bit(1), MayPut: summary.Bit(1)}
)

func (m *Methods) hasShape(fn *types.Func) bool {
	sig := fn.Signature()
	if sig.Recv() == nil || sig.Variadic() {
		return false
	}
	recv := sig.Recv().Type()
	if types.IsInterface(recv) {
		for _, pair := range names.PoolNames(fn.Name()) {
			getter, putter := method(recv, fn, pair[0]), method(recv, fn, pair[1])
			if arePool(getter, putter) {
				return true
			}
		}
		return false
	}
	if sig.Params().Len() != 1 || sig.Results().Len() != 0 || !names.IsPutName(fn.Name()) || !ssax.HasPointers(sig.Params().At(0).Type()) {
		return false
	}
	get := method(recv, fn, "Get")
	if get == nil || get.Signature().Results().Len() == 0 {
		return false
	}
	s := m.p.fact(get.Origin())
	return s != nil && s.Getter.Has(0) && types.Identical(get.Signature().Results().At(0).Type(), sig.Params().At(0).Type())
}

// arePool reports whether two methods of an interface are there, and one returns what the other
// one takes.
func arePool(getter, putter *types.Func) bool {
	if getter == nil || putter == nil {
		return false
	}
	get, put := getter.Signature(), putter.Signature()
	return get.Params().Len() == 0 && get.Results().Len() == 1 && put.Params().Len() == 1 && put.Results().Len() == 0 &&
		ssax.HasPointers(get.Results().At(0).Type()) && types.Identical(get.Results().At(0).Type(), put.Params().At(0).Type())
}

// method returns the method of a type that m is a method of too.
func method(t types.Type, m *types.Func, name string) *types.Func {
	obj, _, _ := types.LookupFieldOrMethod(t, true, m.Pkg(), name)
	f, _ := obj.(*types.Func)
	return f
}
