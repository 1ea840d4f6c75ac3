package scene

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// FindPools adds the sync.Pools that the functions of a package use.
func FindPools(pkg *Package) {
	o := finder{pkg, pkg.Effects.Program}
	byVar := make(map[*types.Var]*events.Pool)
	for _, f := range pkg.Funcs {
		for c := range o.Program.Calls(f) {
			node := o.Syntax().Call(c.Instr.Common().Pos())
			if !c.IsPool() || node == nil {
				continue
			}
			pool := o.pool(&c, node, byVar)
			inLoop := ssax.Reaches(c.Instr.Block(), c.Instr.Block())
			name := f.RelString(o.Pass.Pkg)
			if c.IsPoolGet() {
				pool.Gets = append(pool.Gets, o.poolGet(&c, events.PoolGet{Call: node, Func: name, InLoop: inLoop}))
			} else {
				pool.Puts = append(pool.Puts, o.poolPut(&c, events.PoolPut{Call: node, Func: name, InLoop: inLoop, Deferred: c.Deferred()}))
			}
		}
	}
	slices.SortStableFunc(o.Events.Pools, func(a, b *events.Pool) int { return cmp.Compare(first(a), first(b)) })
}

// finder looks for the pools of a package.
type finder struct {
	*Package
	Program *flow.Program
}

// first is the position of the first call of a pool.
func first(p *events.Pool) int {
	at := int(^uint(0) >> 1)
	for _, g := range p.Gets {
		at = min(at, int(g.Call.Pos()))
	}
	for _, put := range p.Puts {
		at = min(at, int(put.Call.Pos()))
	}
	return at
}

// pool returns the pool that is the receiver of a call.
func (o finder) pool(c *flow.Call, node *ast.CallExpr, byVar map[*types.Var]*events.Pool) *events.Pool {
	v, kind := o.poolVar(c.Args[0], 0)
	if v == nil {
		if v = o.receiver(node); v != nil {
			kind = events.LocalPool
		}
	}
	if p := byVar[v]; v != nil && p != nil {
		return p
	}
	p := &events.Pool{Var: v, Kind: kind}
	o.Events.Pools = append(o.Events.Pools, p)
	if v != nil {
		byVar[v] = p
	}
	return p
}

// receiver returns the local variable x of a call x.Get or x.Put.
func (o finder) receiver(node *ast.CallExpr) *types.Var {
	sel, ok := ast.Unparen(node.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := o.Pass.TypesInfo.Uses[id].(*types.Var)
	if !ok || v.IsField() || v.Parent() == o.Pass.Pkg.Scope() {
		return nil
	}
	return v
}

// poolVar returns the variable that holds a pool, a pointer to it, or a set of
// pools.
func (o finder) poolVar(v ssa.Value, depth int) (*types.Var, events.PoolKind) {
	if depth > 8 {
		return nil, events.OtherPool
	}
	switch v := v.(type) {
	case *ssa.Global:
		if obj, ok := v.Object().(*types.Var); ok {
			return obj, events.GlobalPool
		}
	case *ssa.FieldAddr:
		st, ok := ssax.Pointee(v.X.Type()).Underlying().(*types.Struct)
		if ok {
			return st.Field(v.Field).Origin(), events.FieldPool
		}
	case *ssa.Field:
		if st, ok := v.X.Type().Underlying().(*types.Struct); ok {
			return st.Field(v.Field).Origin(), events.FieldPool
		}
	case *ssa.IndexAddr:
		return o.poolVar(v.X, depth+1)
	case *ssa.Index:
		return o.poolVar(v.X, depth+1)
	case *ssa.Lookup:
		return o.poolVar(v.X, depth+1)
	case *ssa.Extract:
		return o.poolVar(v.Tuple, depth+1)
	case *ssa.UnOp:
		return o.poolVar(v.X, depth+1)
	case *ssa.Slice:
		return o.poolVar(v.X, depth+1)
	case *ssa.Alloc:
		return o.local(v), events.LocalPool
	case *ssa.FreeVar:
		if place, ok := o.Program.Place(v); ok && place.Base != v {
			return o.poolVar(place.Base, depth+1)
		}
	}
	return nil, events.OtherPool
}

// local returns the variable for which memory was made.
func (o finder) local(a *ssa.Alloc) *types.Var {
	for id, obj := range o.Pass.TypesInfo.Defs {
		if v, ok := obj.(*types.Var); ok && id.Pos() == a.Pos() {
			return v
		}
	}
	return nil
}

// poolGet completes what is known of a call of Get.
func (o finder) poolGet(c *flow.Call, g events.PoolGet) events.PoolGet {
	v := c.Result(0)
	if v == nil || v.Referrers() == nil {
		return g
	}
	asserts := 0
	var look func(v ssa.Value)
	seen := make(map[ssa.Value]bool)
	look = func(v ssa.Value) {
		if seen[v] {
			return
		}
		seen[v] = true
		for _, ref := range *v.Referrers() {
			switch ref := ref.(type) {
			case *ssa.TypeAssert:
				if asserts++; asserts == 1 {
					g.Asserted, g.CommaOK = ref.AssertedType, ref.CommaOk
				} else {
					g.CommaOK = g.CommaOK && ref.CommaOk
					if !types.Identical(g.Asserted, ref.AssertedType) {
						g.Asserted = nil
					}
				}
			case *ssa.BinOp:
				if ssax.IsNil(ref.X) || ssax.IsNil(ref.Y) {
					g.NilCheck = true
				}
			case *ssa.Phi:
				look(ref)
			case *ssa.Store:
				if a, ok := ref.Addr.(*ssa.Alloc); ok {
					for _, load := range o.Program.Stores(a).Loads {
						look(load)
					}
				}
			}
		}
	}
	look(v)
	return g
}

// poolPut completes what is known of a call of Put.
func (o finder) poolPut(c *flow.Call, p events.PoolPut) events.PoolPut {
	m, ok := c.Args[1].(*ssa.MakeInterface)
	if !ok {
		return p
	}
	p.Type = m.X.Type()
	if a, ok := m.X.(*ssa.Alloc); ok {
		p.Copy = o.copyOf(a)
	}
	return p
}

// copyOf returns the variable that a is, if it holds what was read from a pooled
// object.
func (o finder) copyOf(a *ssa.Alloc) *types.Var {
	for _, s := range o.Program.Stores(a).Whole {
		for _, origin := range o.Program.Origins(s.Val) {
			g, ok := origin.Root.(*ssa.Call)
			if !ok {
				continue
			}
			if c := o.Program.Resolve(g); c.Summary.Getter != 0 {
				return o.local(a)
			}
		}
	}
	return nil
}
