package reuse

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// element says how an element of a slice gets away: by its address.
func element(info *types.Info, path []ast.Node, i int, name string) string {
	for ; i > 0; i-- {
		switch p := path[i-1].(type) {
		case *ast.ParenExpr:
			continue
		case *ast.IndexExpr:
			if p.X != path[i] {
				return ""
			}
			if _, array := info.TypeOf(p.X).Underlying().(*types.Array); !array {
				return ""
			}
			continue
		case *ast.SelectorExpr:
			sel := info.Selections[p] // of a value
			if sel.Kind() == types.FieldVal {
				if sel.Indirect() {
					return ""
				}
				continue
			}
			if fn, ok := sel.Obj().(*types.Func); ok {
				if _, pointer := fn.Signature().Recv().Type().(*types.Pointer); pointer {
					if _, is := info.TypeOf(p.X).Underlying().(*types.Pointer); !is {
						return fmt.Sprintf("the method %s takes the address of an element of %s", fn.Name(), name)
					}
				}
			}
			return ""
		case *ast.SliceExpr:
			if _, array := info.TypeOf(p.X).Underlying().(*types.Array); array && p.X == path[i] {
				return "an element of " + name + " is sliced"
			}
			return ""
		case *ast.UnaryExpr:
			if p.Op == token.AND {
				return "the address of an element of " + name + " is taken"
			}
			return ""
		default:
			return ""
		}
	}
	return ""
}
