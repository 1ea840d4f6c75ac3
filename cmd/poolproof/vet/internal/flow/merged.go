package flow

import (
	"maps"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// mixed reports whether the edges of a phi that are not nil are different
// values.
func (t *tracer) mixed(phi *ssa.Phi) bool {
	var first ssa.Value
	for _, e := range phi.Edges {
		if c, ok := e.(*ssa.Const); ok && c.IsNil() || e == phi {
			continue
		}
		if first != nil && first != e {
			// b and append(b, ...) are different values and one memory.
			return !sameRoot(phi) && !t.common(phi.Edges)
		}
		first = e
	}
	return false
}

// common reports whether several values come from the same roots, each of them on
// every path: a reader, and what was wrapped around it. Constants have no memory.
func (t *tracer) common(vals []ssa.Value) bool {
	var first map[ssa.Value]bool
	for _, v := range vals {
		if _, isConst := v.(*ssa.Const); isConst || t.seen[v] {
			continue
		}
		inner := tracer{p: t.p, seen: maps.Clone(t.seen), steps: t.steps + maxTrace/4}
		inner.trace(v, Origin{Field: None})
		t.steps += 10
		roots := make(map[ssa.Value]bool)
		for _, o := range inner.found {
			if o.May {
				return false
			}
			if _, isConst := o.Root.(*ssa.Const); !isConst {
				roots[o.Root] = true
			}
		}
		if first == nil {
			first = roots
		}
		if !maps.Equal(roots, first) {
			return false
		}
	}
	return len(first) > 0
}

// sameRoot reports whether all edges of a phi come from one value.
func sameRoot(phi *ssa.Phi) bool {
	roots := make(map[ssa.Value]bool)
	seen := make(map[ssa.Value]bool)
	var visit func(v ssa.Value)
	visit = func(v ssa.Value) {
		if seen[v] || len(seen) > 50 {
			return
		}
		seen[v] = true
		switch v := ssax.Strip(v).(type) {
		case *ssa.Phi:
			for _, e := range v.Edges {
				visit(e)
			}
		case *ssa.Slice:
			visit(v.X)
		case *ssa.Const:
			if !v.IsNil() {
				roots[v] = true
			}
		case *ssa.Extract:
			if a, ok := v.Tuple.(*ssa.TypeAssert); ok && v.Index == 0 {
				visit(a.X)
			} else {
				roots[v] = true
			}
		case *ssa.Call:
			if b, ok := v.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" && len(v.Call.Args) > 0 {
				visit(v.Call.Args[0])
			} else {
				roots[v] = true
			}
		default:
			roots[v] = true
		}
	}
	visit(phi)
	return len(roots) <= 1
}
