package flow

import (
	"maps"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// mixed reports whether the edges of a phi that are not nil are different
// values: b and append(b, ...) are different values and one memory.
func (t *tracer) mixed(phi *ssa.Phi) bool {
	var first ssa.Value
	for _, e := range phi.Edges {
		if ssax.IsNil(e) || e == phi {
			continue
		}
		if first != nil && first != e {
			return !t.common(phi.Edges)
		}
		first = e
	}
	return false
}

// common reports whether several values come from the same roots, each of them on
// every path: a reader, and what was wrapped around it. Constants have no memory, and
// what is made of a value that is being traced adds none.
func (t *tracer) common(vals []ssa.Value) bool {
	var first map[ssa.Value]bool
	for _, v := range vals {
		inner := tracer{p: t.p, seen: maps.Clone(t.seen), steps: t.steps + maxTrace/4, within: t.within}
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
		if len(roots) == 0 {
			continue
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
