package infer

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// lists returns the parameters of which a value may be an element: of a slice, an array
// or a map.
func (l *function) lists(v ssa.Value) (m summary.Mask) {
	seen := make(map[ssa.Value]bool)
	var follow func(v ssa.Value)
	follow = func(v ssa.Value) {
		if seen[v] || len(seen) > maxElement {
			return
		}
		seen[v] = true
		switch v := ssax.Strip(v).(type) {
		case *ssa.Phi:
			for _, edge := range v.Edges {
				follow(edge)
			}
		case *ssa.UnOp:
			if ssax.Load(v) == nil {
				return
			}
			switch addr := v.X.(type) {
			case *ssa.IndexAddr:
				m |= l.whollyOrPart(addr.X)
			case *ssa.Alloc: // the variable of a loop, of which a literal knows
				for _, s := range l.p.Stores(addr).Whole {
					follow(s.Val)
				}
			}
		case *ssa.Lookup:
			m |= l.whollyOrPart(v.X)
		case *ssa.Extract:
			switch tuple := v.Tuple.(type) {
			case *ssa.Next:
				if r, ok := tuple.Iter.(*ssa.Range); ok {
					m |= l.whollyOrPart(r.X)
				}
			case *ssa.Lookup:
				m |= l.whollyOrPart(tuple.X)
			case *ssa.TypeAssert:
				follow(tuple.X)
			}
		}
	}
	follow(v)
	return m
}

// maxElement bounds how many values are looked at to find the list of an element.
const maxElement = 50

// whollyOrPart returns the parameters that a list may be, or be a piece of.
func (l *function) whollyOrPart(list ssa.Value) (m summary.Mask) {
	for _, p := range l.params(list) {
		if !p.Holds && (p.Field == flow.None || p.Field == summary.All) {
			m |= summary.Bit(p.index)
		}
	}
	return m
}
