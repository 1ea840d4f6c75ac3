package flow

import (
	"cmp"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// Methods tells what the methods of interfaces do, and of types that have the shape of a pool, as
// the other functions of the package say.
type Methods struct {
	p      *Program
	found  map[*types.Func][]*ssa.Function // that a method of an interface may stand for
	shapes map[*types.Func]bool
}

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
