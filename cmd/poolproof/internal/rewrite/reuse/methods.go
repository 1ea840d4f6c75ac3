package reuse

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// wrapped follows what a constructor makes around the expression: json.NewEncoder(&b).
func (k *keeper) wrapped(path []ast.Node, i int, v *types.Var) string {
	call := path[i].(*ast.CallExpr)
	switch p := path[i-1].(type) {
	case *ast.SelectorExpr:
		return k.method(path, i-1, object, v)
	case *ast.AssignStmt:
		if len(p.Rhs) == 1 && p.Tok == token.DEFINE {
			if id, ok := p.Lhs[0].(*ast.Ident); ok {
				return k.alias(id, object, path, v.Name())
			}
		}
	case *ast.CallExpr:
		if p.Fun != call {
			return k.argument(p, call, path, i-1, object, v)
		}
	case *ast.DeferStmt, *ast.ExprStmt:
		return ""
	}
	return v.Name() + " is passed to a constructor whose result is not followed"
}

// product reports whether an expression may be what the constructor made, and not something around it.
func (k *keeper) product(e ast.Expr) bool {
	t := k.info.TypeOf(e)
	return k.made != nil && (types.Identical(t, k.made.result) || types.IsInterface(t))
}

// clears are the methods of a buffer after which it may be empty and not nil.
var clears = []string{"Reset", "Truncate", "Grow", "WriteTo", "ReadFrom", "Read", "ReadByte", "ReadRune", "ReadString", "UnreadByte", "UnreadRune"}

// method says how a call of a method keeps something: path[i] is the selector.
func (k *keeper) method(path []ast.Node, i int, s shape, v *types.Var) string {
	sel, name := path[i].(*ast.SelectorExpr), v.Name()
	m := sel.Sel.Name
	if k.info.Selections[sel].Kind() != types.MethodVal {
		return "a field of " + name + " is used"
	}
	call, ok := path[i-1].(*ast.CallExpr)
	if !ok || call.Fun != sel {
		return "a method value of " + name + " is taken"
	}
	if slices.Contains(clears, m) {
		k.cleared = append(k.cleared, m)
	}
	if s == object {
		switch {
		case m == "Close" && k.product(sel.X) && k.made.final:
			if _, deferred := path[i-2].(*ast.DeferStmt); !deferred || k.depth > 0 || k.ends != nil {
				return fmt.Sprintf("%s.Close ends it for good, and is not in one defer by itself", name)
			}
			k.ends = call
			return ""
		case slices.Contains([]string{"Peek", "ReadSlice", "ReadLine", "AvailableBuffer", "Bytes"}, m):
			return fmt.Sprintf("%s.%s gives its memory away", name, m)
		case m == "Sum" || m == "EncodeAll" || m == "DecodeAll":
			return "" // the result is in the argument, or new
		case k.product(sel.X) && slices.ContainsFunc(call.Args, func(e ast.Expr) bool { _, ok := core(k.info, e).(*types.Signature); return ok }):
			return fmt.Sprintf("%s.%s is given a function, which Reset may keep", name, m)
		case m == "Reset" && (k.made == nil || !k.made.final):
			if fn := calledFunc(k.info, call); fn != nil && len(call.Args) > 0 {
				return k.lent(call.Args[0], fn.Signature().Params().At(0).Type(), "the memory of "+name)
			}
			return ""
		case m == "Apply" || strings.HasPrefix(m, "Set") || strings.HasPrefix(m, "Reset"):
			return fmt.Sprintf("%s.%s sets what Reset keeps", name, m)
		case m == "WriteTo" || m == "ReadFrom":
			return k.handed(m, name)
		}
		if sig, ok := core(k.info, call.Fun).(*types.Signature); ok {
			for res := range sig.Results().Variables() {
				if sharesMemory(res.Type()) && !errorType(res.Type()) {
					return fmt.Sprintf("what %s.%s returns may be its own memory", name, m)
				}
			}
		}
		return ""
	}
	switch m {
	case "Write", "WriteByte", "WriteRune", "WriteString", "Len", "String":
		return ""
	case "Bytes":
		return k.bytes(path, i-1, v)
	}
	if fn := calledFunc(k.info, call); fn != nil && slices.Contains(clears, m) {
		return k.relayed(fn, name)
	}
	return fmt.Sprintf("%s.%s is called", name, m)
}

// bytes follows what Bytes returns.
func (k *keeper) bytes(path []ast.Node, i int, v *types.Var) string {
	call := path[i].(*ast.CallExpr)
	k.mayBeNil = true
	why := k.use(path, i, slice, v)
	if k.mayBeNil = false; why == "" {
		return ""
	}
	if k.copied == nil {
		return v.Name() + ".Bytes() leaves the function"
	}
	n := i
	for ; ; n-- {
		switch p := path[n-1].(type) {
		case *ast.SliceExpr:
			if !within(p) {
				return why
			}
			continue
		case *ast.ParenExpr:
			continue
		case *ast.ReturnStmt, *ast.KeyValueExpr, *ast.CompositeLit, *ast.SendStmt:
			k.copied[call] = true
			return ""
		case *ast.CallExpr: // an argument
			if b := builtinOf(k.info, p); p.Fun != path[n] && n == i && (b == "" || b == "append" && p.Args[0] != call && !p.Ellipsis.IsValid()) {
				k.copied[call] = true
				return ""
			}
		case *ast.AssignStmt:
			if n == i && readOnly(k.info, p, path[0]) {
				k.copied[call] = true
				return ""
			}
			return "what " + v.Name() + ".Bytes() returns is kept in a variable through which it may be written"
		}
		return v.Name() + ".Bytes() is used in a way that is not followed"
	}
}
