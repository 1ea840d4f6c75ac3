package flow

import (
	"go/types"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

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
