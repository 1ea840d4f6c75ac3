// Package typemismatch is PV007: a pool that is given one type and asked for
// another.
package typemismatch

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/pooldecl"
)

// Check is the check.
var Check = check.New(check.Check{
	Code: "PV007",
	Name: "type-mismatch",
	Doc:  "the type that is put, or made by New, is not the one that Get is asserted to be",
	Tier: check.Error,
	Fix:  true,
}, run)

// remedy says what to do, whichever of the three is wrong.
const remedy = "use one type in New, Get and Put"

func run(p *check.Pass) {
	decls := pooldecl.Of(p.Pass)
	for _, pool := range p.Events.Pools {
		gets, ok := asserted(pool)
		if !ok {
			continue
		}
		m := matcher{pool: pool, gets: gets}
		for _, put := range pool.Puts {
			if t, ok := p.TypesInfo.TypeOf(put.Call.Args[0]).(*types.TypeParam); ok {
				put.Type = t
			}
			if get, bad := m.refuses(put.Type); bad {
				if m.odd(put.Type, 2) {
					p.Report(check.Report{
						Pos: get.Call.Pos(), End: get.Call.End(),
						Message: fmt.Sprintf("Get is asserted to %s here, but %s is put, as other Gets expect", name(p, get.Asserted), name(p, put.Type)),
						Remedy:  remedy,
						Related: []analysis.RelatedInformation{{Pos: put.Call.Pos(), End: put.Call.End(), Message: "put here"}},
					})
					continue
				}
				arg := put.Call.Args[0]
				p.Report(check.Report{
					Pos: arg.Pos(), End: arg.End(),
					Message: fmt.Sprintf("%s is put, but Get is asserted to %s", name(p, put.Type), name(p, get.Asserted)),
					Remedy:  remedy,
					Related: related(get),
					Fixes:   withoutAddress(p, arg, put.Type, get.Asserted),
				})
			}
		}
		d, ok := decls.Find(pool.Var)
		if !ok {
			continue
		}
		for _, n := range d.News {
			for _, ret := range n.Returns {
				if get, bad := m.refuses(ret.Type); bad {
					if m.odd(ret.Type, 1) {
						p.Report(check.Report{
							Pos: get.Call.Pos(), End: get.Call.End(),
							Message: fmt.Sprintf("Get is asserted to %s here, but New makes %s, as other Gets expect", name(p, get.Asserted), name(p, ret.Type)),
							Remedy:  remedy,
							Related: []analysis.RelatedInformation{{Pos: ret.Pos, Message: "New makes the object here"}},
						})
						continue
					}
					p.Report(check.Report{
						Pos:     ret.Pos,
						Message: fmt.Sprintf("New makes %s, but Get is asserted to %s", name(p, ret.Type), name(p, get.Asserted)),
						Remedy:  remedy,
						Related: related(get),
					})
				}
			}
		}
	}
}

// asserted are the gets of a pool, if the type that each of them wants is known.
func asserted(pool *events.Pool) ([]events.PoolGet, bool) {
	for _, get := range pool.Gets {
		if get.Asserted == nil {
			return nil, false
		}
	}
	return pool.Gets, len(pool.Gets) > 0
}

// matcher compares types with what the gets of a pool want.
type matcher struct {
	pool *events.Pool
	gets []events.PoolGet
}

// refuses returns a get that goes wrong with an object of type t. A variable
// that stands for several pools may hold different types in each: there, it is
// enough that one get wants t.
func (m *matcher) refuses(t types.Type) (events.PoolGet, bool) {
	if t == nil {
		return events.PoolGet{}, false
	}
	var wrong []events.PoolGet
	wanted := false
	for _, get := range m.gets {
		switch {
		case accepts(get.Asserted, t):
			wanted = true
		case len(wrong) == 0 || !get.CommaOK && wrong[0].CommaOK: // the one that panics
			wrong = append([]events.PoolGet{get}, wrong...)
		}
	}
	if len(wrong) == 0 || wanted && (!m.single() || wrong[0].CommaOK) {
		return events.PoolGet{}, false
	}
	return wrong[0], true
}

// odd reports whether it is one get alone that goes wrong with an object of type t,
// where so many others want that type and nothing of another one is put: it is that get that
// is to be mended.
func (m *matcher) odd(t types.Type, others int) bool {
	wrong := 0
	for _, get := range m.gets {
		if !accepts(get.Asserted, t) {
			wrong++
		}
	}
	for _, put := range m.pool.Puts {
		if put.Type != nil && !types.Identical(put.Type, t) {
			return false
		}
	}
	return wrong == 1 && len(m.gets) > others
}

// single reports whether the variable is one pool in all of the program, and not
// one a struct, an element, or a call.
func (m *matcher) single() bool {
	return m.pool.Kind == events.GlobalPool && m.pool.Var != nil && pooldecl.IsPool(m.pool.Var.Type())
}

// accepts reports whether an assertion to want succeeds for an object of type t, or may do so for some
// type arguments.
func accepts(want, t types.Type) bool {
	if hasTypeParam(want) || hasTypeParam(t) {
		w, depth := parameter(want)
		x, other := parameter(t)
		return w == "" || w != x || depth == other // T is not *T, whatever it is
	}
	if i, ok := want.Underlying().(*types.Interface); ok {
		return types.Implements(t, i)
	}
	return types.Identical(want, t)
}

// parameter returns the name of the type parameter that pointers of a type lead to, and how many there
// are. In the functions of one type, it has one name.
func parameter(t types.Type) (name string, depth int) {
	for {
		switch x := types.Unalias(t).(type) {
		case *types.Pointer:
			t, depth = x.Elem(), depth+1
		case *types.TypeParam:
			return x.Obj().Name(), depth
		default:
			return "", 0
		}
	}
}

// hasTypeParam reports whether a type depends on a type parameter: those of two
// methods differ, though they mean the same.
func hasTypeParam(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Pointer:
		return hasTypeParam(t.Elem())
	case *types.Slice:
		return hasTypeParam(t.Elem())
	case *types.Array:
		return hasTypeParam(t.Elem())
	case *types.Chan:
		return hasTypeParam(t.Elem())
	case *types.Map:
		return hasTypeParam(t.Key()) || hasTypeParam(t.Elem())
	case *types.Named:
		for i := range t.TypeArgs().Len() {
			if hasTypeParam(t.TypeArgs().At(i)) {
				return true
			}
		}
		return t.TypeArgs().Len() == 0 && t.TypeParams().Len() > 0 || localToGeneric(t)
	case *types.Struct:
		for i := range t.NumFields() {
			if hasTypeParam(t.Field(i).Type()) {
				return true
			}
		}
	case *types.Signature, *types.Interface:
		return true // rare in pools; not worth the walk
	}
	return false
}

// localToGeneric reports whether a type was declared inside a function, which
// may be generic.
func localToGeneric(t *types.Named) bool {
	pkg := t.Obj().Pkg()
	return pkg != nil && t.Obj().Parent() != nil && t.Obj().Parent() != pkg.Scope()
}

// withoutAddress is the fix for the address of a pointer: put the pointer.
func withoutAddress(p *check.Pass, arg ast.Expr, put, want types.Type) []analysis.SuggestedFix {
	addr, ok := ast.Unparen(arg).(*ast.UnaryExpr)
	if !ok || addr.Op != token.AND {
		return nil
	}
	x := p.TypesInfo.TypeOf(addr.X)
	if ptr, ok := put.(*types.Pointer); !ok || x == nil || !types.Identical(x, want) || !types.Identical(ptr.Elem(), want) {
		return nil
	}
	return []analysis.SuggestedFix{{
		Message:   "put the pointer itself",
		TextEdits: []analysis.TextEdit{{Pos: addr.Pos(), End: addr.X.Pos()}},
	}}
}

func related(get events.PoolGet) []analysis.RelatedInformation {
	return []analysis.RelatedInformation{{Pos: get.Call.Pos(), End: get.Call.End(), Message: "this Get is asserted"}}
}

func name(p *check.Pass, t types.Type) string {
	return types.TypeString(t, types.RelativeTo(p.Pkg))
}
