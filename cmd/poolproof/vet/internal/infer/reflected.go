package infer

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// reflected notes the parameters that a call of reflect stores, where no code says: v.Set(x)
// of a value that was made of them.
func (l *learner) reflected(c *flow.Call) {
	if c.Fn == nil || c.Fn.Pkg() == nil || c.Fn.Pkg().Path() != "reflect" {
		return
	}
	switch c.Fn.FullName() {
	case "(reflect.Value).Set", "(reflect.Value).SetMapIndex", "(reflect.Value).Send", "reflect.Append":
		for _, arg := range c.Args[1:] {
			l.s.Retains |= l.valueOf(arg)
		}
	}
}

// valueOf returns the parameters that a reflect.Value was made of.
func (l *learner) valueOf(v ssa.Value) (m summary.Mask) {
	seen := make(map[ssa.Value]bool)
	var follow func(v ssa.Value)
	follow = func(v ssa.Value) {
		if seen[v] || len(seen) > maxElement {
			return
		}
		seen[v] = true
		switch v := v.(type) {
		case *ssa.Phi:
			for _, edge := range v.Edges {
				follow(edge)
			}
		case *ssa.UnOp:
			if load := ssax.Load(v); load != nil {
				if alloc, ok := load.X.(*ssa.Alloc); ok {
					for _, s := range l.p.Stores(alloc).Whole {
						follow(s.Val)
					}
				}
			}
		case *ssa.Call:
			c := l.p.Resolve(v)
			if c.Fn == nil || c.Fn.Pkg() == nil || c.Fn.Pkg().Path() != "reflect" || len(c.Args) == 0 {
				return
			}
			if c.Fn.FullName() != "reflect.ValueOf" {
				follow(c.Args[0]) // of a part of the same value, or of what it points to
				return
			}
			for _, p := range l.params(c.Args[0]) {
				m |= summary.Bit(p.index)
			}
		}
	}
	follow(v)
	return m
}
