package fields

import (
	"go/ast"
	"go/token"
	"go/types"
)

// borrowed returns the fields that a file sets to memory of a caller, by syntax:
//
//	func (x *T) reset(in []byte) { x.f = in }      and in[i:j], append(in, ...)
//	func parse(in []byte) { x := T{f: in}; ... }
//
// Such a field may hold memory of the caller when the object is put, whatever
// else is done with it: a parser that ends with x.f = x.f[:0] leaves an empty
// window of its input there, and never looks at it again.
func borrowed(file *ast.File, info *types.Info) []string {
	var found []string
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			ast.Inspect(d, func(n ast.Node) bool {
				if lit, ok := n.(*ast.FuncLit); ok {
					found = append(found, lent(lit, info)...)
				}
				return true
			})
			continue
		}
		found = append(found, lent(f, info)...)
	}
	return found
}

// lent returns the fields that a function, or one in it, sets to a parameter.
func lent(f ast.Node, info *types.Info) []string {
	params := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if t, ok := n.(*ast.FuncType); ok && t.Params != nil {
			for _, field := range t.Params.List {
				for _, id := range field.Names {
					params[id.Name] = true
				}
			}
		}
		return true
	})
	if len(params) == 0 {
		return nil
	}
	var found []string
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if sel, ok := ast.Unparen(left).(*ast.SelectorExpr); ok && n.Tok == token.ASSIGN && len(n.Lhs) == len(n.Rhs) && params[start(n.Rhs[i])] {
					found = append(found, names(info, sel)...)
				}
			}
		case *ast.CompositeLit:
			for i, element := range n.Elts {
				value, key := element, ""
				if kv, ok := element.(*ast.KeyValueExpr); ok {
					id, ok := kv.Key.(*ast.Ident)
					if !ok {
						continue
					}
					value, key = kv.Value, id.Name
				}
				if params[start(value)] {
					found = append(found, literal(info, n, key, i)...)
				}
			}
		}
		return true
	})
	return found
}

// start returns the variable whose array an expression's value begins in, as
// far as its text says: p, p[i:j], append(p, ...), []byte(p). "" if there is none.
func start(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SliceExpr:
		return start(e.X)
	case *ast.CallExpr:
		if len(e.Args) > 0 && extends(e.Fun) {
			return start(e.Args[0])
		}
		if _, ok := ast.Unparen(e.Fun).(*ast.ArrayType); ok && len(e.Args) == 1 {
			return start(e.Args[0])
		}
	}
	return ""
}

// literal returns the name of a field that a composite literal sets, by its key
// or, without one, by its place.
func literal(info *types.Info, lit *ast.CompositeLit, key string, i int) []string {
	t := info.Types[lit].Type
	if t == nil {
		return nil
	}
	if p, ok := t.Underlying().(*types.Pointer); ok { // the element of a []*T{{...}}
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return nil
	}
	st, ok := named.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	if key == "" {
		if i >= st.NumFields() {
			return nil
		}
		key = st.Field(i).Name()
	}
	return []string{place{named.Origin(), "." + key}.String()}
}
