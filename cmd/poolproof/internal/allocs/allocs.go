// Package allocs finds what in a syntax tree asks for memory, and the place where the
// compiler says that it does. Profiles find their sites by it, and rewrites what they change.
package allocs

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// At is where the compiler says that the node at the end of a path allocates: the parenthesis of a
// call, the brace of a literal, the operator of a sum, the name of a variable. It is not valid where
// the node does not. A call that is neither a conversion nor a builtin's is of the kind
// [profile.KindCallee], and a buffer that is made of [profile.KindGrowth].
func At(info *types.Info, path []ast.Node) (token.Pos, profile.Kind) {
	parent := syntax.Parent(path[:len(path)-1])
	switch n := path[len(path)-1].(type) {
	case *ast.CallExpr:
		if kind := call(info, n); kind != "" {
			return n.Lparen, kind
		}
	case *ast.CompositeLit:
		return literal(info, n, parent)
	case *ast.BinaryExpr:
		if tv := info.Types[n]; n.Op == token.ADD && tv.Value == nil && syntax.String(tv.Type) {
			if outer, ok := parent.(*ast.BinaryExpr); !ok || outer.Op != token.ADD { // the runtime joins all of a+b+c at once
				return n.OpPos, profile.KindConcat
			}
		}
	case *ast.FuncLit:
		return n.Pos(), profile.KindClosure
	case *ast.GoStmt:
		return n.Pos(), profile.KindGo
	case *ast.IndexExpr:
		assign, ok := parent.(*ast.AssignStmt)
		if is[*types.Map](info.TypeOf(n.X)) && ok && slices.ContainsFunc(assign.Lhs, func(e ast.Expr) bool { return ast.Unparen(e) == n }) {
			return n.Lbrack, profile.KindMapGrowth
		}
	case *ast.AssignStmt:
		if n.Tok == token.ADD_ASSIGN && syntax.String(info.TypeOf(n.Lhs[0])) {
			return n.TokPos, profile.KindConcat
		}
	case *ast.Ident: // the declaration of a buffer
		if v, ok := info.Defs[n].(*types.Var); ok && syntax.Buffer(v.Type()) != "" && !v.IsField() {
			if _, spec := parent.(*ast.ValueSpec); spec {
				return n.Pos(), profile.KindGrowth
			}
		}
	}
	return token.NoPos, ""
}

// call is the kind of what a call allocates; "" where it does not.
func call(info *types.Info, n *ast.CallExpr) profile.Kind {
	if tv := info.Types[n.Fun]; tv.IsType() {
		return conversion(info, n, tv.Type)
	}
	b, ok := typeutil.Callee(info, n).(*types.Builtin)
	if !ok {
		return profile.KindCallee
	}
	switch t := info.TypeOf(n); {
	case b.Name() == "new":
		return profile.KindNew
	case b.Name() == "append":
		return profile.KindAppend
	case b.Name() != "make":
		return ""
	case is[*types.Slice](t):
		return profile.KindMakeSlice
	case is[*types.Map](t):
		return profile.KindMakeMap
	case is[*types.Chan](t):
		return profile.KindMakeChan
	}
	return profile.KindUnknown // of a type parameter
}

// conversion is the kind of a conversion that makes a copy; "" for others.
func conversion(info *types.Info, n *ast.CallExpr, to types.Type) profile.Kind {
	from := info.TypeOf(n.Args[0])
	switch {
	case from == nil || info.Types[n].Value != nil:
	case syntax.String(to) && (is[*types.Slice](from) || syntax.Basic(from)&types.IsInteger != 0), is[*types.Slice](to) && syntax.String(from):
		return profile.KindConversion
	case types.IsInterface(to) && !types.IsInterface(from):
		return profile.KindBoxing
	}
	return ""
}

// literal is where a composite literal allocates, and its kind.
func literal(info *types.Info, n *ast.CompositeLit, parent ast.Node) (token.Pos, profile.Kind) {
	if u, ok := parent.(*ast.UnaryExpr); ok && u.Op == token.AND {
		return u.OpPos, profile.KindComposite
	}
	switch t := info.TypeOf(n); {
	case syntax.Buffer(t) != "":
		return n.Lbrace, profile.KindGrowth
	case is[*types.Slice](t):
		return n.Lbrace, profile.KindComposite
	case is[*types.Map](t):
		return n.Lbrace, profile.KindMakeMap
	}
	return token.NoPos, ""
}

// is reports whether a type is of a kind below its name; no type is.
func is[T types.Type](t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(T)
	return ok
}
