package attribute

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/allocs"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// kindsOf are the kinds of allocations for which the compiler calls a function
// of the runtime; nil where any may be meant.
func kindsOf(function string) []profile.Kind {
	name, ok := strings.CutPrefix(function, "runtime.")
	if !ok {
		if strings.HasPrefix(function, "internal/runtime/maps.") {
			return []profile.Kind{profile.KindMapGrowth, profile.KindMakeMap}
		}
		return nil
	}
	for _, r := range []struct {
		prefixes []string
		kinds    []profile.Kind
	}{
		{[]string{"makeslice"}, []profile.Kind{profile.KindMakeSlice, profile.KindAppend}}, // append(x, make([]T, n)...)
		{[]string{"growslice"}, []profile.Kind{profile.KindAppend}},
		{[]string{"makemap", "newmap"}, []profile.Kind{profile.KindMakeMap}},
		{[]string{"mapassign"}, []profile.Kind{profile.KindMapGrowth, profile.KindMakeMap}},
		{[]string{"makechan"}, []profile.Kind{profile.KindMakeChan}},
		{[]string{"convT"}, []profile.Kind{profile.KindBoxing}},
		{[]string{"concatstring", "concatbyte"}, []profile.Kind{profile.KindConcat}},
		{[]string{"slicebytetostring", "stringtoslice", "slicerunetostring", "intstring"}, []profile.Kind{profile.KindConversion}},
		{[]string{"newproc"}, []profile.Kind{profile.KindGo}},
		{[]string{"newobject", "newarray", "mallocgc"}, []profile.Kind{profile.KindNew, profile.KindComposite, profile.KindClosure, profile.KindMakeSlice, profile.KindMakeMap, profile.KindBoxing}},
	} {
		if slices.ContainsFunc(r.prefixes, func(p string) bool { return strings.HasPrefix(name, p) }) {
			return r.kinds
		}
	}
	return nil
}

// allocation is a possible allocation on a line.
type allocation struct {
	kind    profile.Kind
	at      token.Pos // as the compiler counts columns
	expr    string
	literal bool // it stands in a function literal
}

// describe says what allocates on a line of a function for which it called one of
// the runtime, "" where that is not known. The column is 0 where the line leaves a
// choice.
func (f *source) describe(line int, in, function string) (kind profile.Kind, column int, expr string) {
	wanted := kindsOf(function)
	literal := strings.Contains(in, ".func")
	var found []allocation
	for _, a := range f.allocations(line) {
		if (wanted == nil || slices.Contains(wanted, a.kind)) && a.literal == literal {
			found = append(found, a)
		}
	}
	if len(found) == 0 && slices.Contains(wanted, profile.KindNew) {
		found = f.variables(line)
	}
	switch {
	case len(found) == 1:
		return found[0].kind, f.fset.Position(found[0].at).Column, found[0].expr
	case len(found) > 1 && !slices.ContainsFunc(found, func(a allocation) bool { return a.kind != found[0].kind }):
		return found[0].kind, 0, ""
	case len(found) > 1 || len(wanted) != 1 && !slices.Equal(wanted, kindsOf("runtime.makeslice")) && !slices.Equal(wanted, kindsOf("runtime.mapassign")):
		return profile.KindUnknown, 0, ""
	default:
		return wanted[0], 0, ""
	}
}

// elsewhere are the kinds that [allocs.At] finds and that are no allocation of the line's own
// function, or one that the line does not tell.
var elsewhere = []profile.Kind{profile.KindCallee, profile.KindGrowth, profile.KindBoxing}

// allocations are the expressions and statements on a line that may allocate in
// their own function.
func (f *source) allocations(line int) (all []allocation) {
	f.within(line, func(path []ast.Node) {
		if at, kind := allocs.At(f.info, path); at.IsValid() && f.line(at) == line && !slices.Contains(elsewhere, kind) {
			n := len(path) - 1
			all = append(all, allocation{kind, at, f.allocated(path), slices.ContainsFunc(path[:n], isLiteral)})
		}
	})
	return all
}

func isLiteral(n ast.Node) bool {
	_, ok := n.(*ast.FuncLit)
	return ok
}

// allocated is the source of what allocates at the end of a path.
func (f *source) allocated(path []ast.Node) string {
	switch n := path[len(path)-1].(type) {
	case *ast.CompositeLit:
		if u, ok := syntax.Parent(path[:len(path)-1]).(*ast.UnaryExpr); ok && u.Op == token.AND {
			return f.text(u)
		}
		return f.text(n)
	case *ast.FuncLit:
		return "func literal"
	case *ast.GoStmt:
		return f.text(n.Call)
	case *ast.AssignStmt:
		return f.text(n.Lhs[0])
	case ast.Expr:
		return f.text(n)
	}
	return ""
}

// variables are those that are declared on a line: the compiler may move them to
// the heap.
func (f *source) variables(line int) (all []allocation) {
	f.within(line, func(path []ast.Node) {
		id, ok := path[len(path)-1].(*ast.Ident)
		if !ok || f.line(id.Pos()) != line || id.Name == "_" {
			return
		}
		if v, ok := f.info.Defs[id].(*types.Var); ok && !v.IsField() {
			all = append(all, allocation{kind: profile.KindNew, at: id.Pos(), expr: id.Name})
		}
	})
	return all
}
