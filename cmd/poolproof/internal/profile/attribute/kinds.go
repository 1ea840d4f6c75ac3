package attribute

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
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
	kind profile.Kind
	at   token.Pos // as the compiler counts columns
	expr string

	from, to token.Pos
}

// describe says what allocates on a line of a function for which it called one of
// the runtime, "" where that is not known. The column is 0 where the line leaves a
// choice.
func (f *source) describe(line int, in, function string) (kind profile.Kind, column int, expr string) {
	wanted := kindsOf(function)
	literal := strings.Contains(in, ".func")
	var found []allocation
	for _, a := range f.allocations(line) {
		if (wanted == nil || slices.Contains(wanted, a.kind)) && f.inLiteral(a.at) == literal {
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

// inLiteral reports whether a place is inside a function literal.
func (f *source) inLiteral(at token.Pos) (in bool) {
	f.within(f.line(at), func(n ast.Node) {
		if lit, ok := n.(*ast.FuncLit); ok && lit.Pos() < at && at < lit.End() {
			in = true
		}
	})
	return in
}

// allocations are the expressions and statements on a line that may allocate in
// their own function.
func (f *source) allocations(line int) (all []allocation) {
	add := func(kind profile.Kind, at token.Pos, n ast.Node) {
		if f.line(at) == line {
			all = append(all, allocation{kind, at, f.text(n), n.Pos(), n.End()})
		}
	}
	f.within(line, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.CallExpr:
			f.call(n, add)
		case *ast.UnaryExpr:
			if _, lit := ast.Unparen(n.X).(*ast.CompositeLit); lit && n.Op == token.AND {
				add(profile.KindComposite, n.Pos(), n)
			}
		case *ast.CompositeLit:
			switch f.under(n).(type) {
			case *types.Map:
				add(profile.KindMakeMap, n.Lbrace, n)
			case *types.Slice:
				add(profile.KindComposite, n.Lbrace, n)
			}
		case *ast.FuncLit:
			if f.line(n.Pos()) == line {
				all = append(all, allocation{profile.KindClosure, n.Pos(), "func literal", n.Pos(), n.End()})
			}
		case *ast.GoStmt:
			add(profile.KindGo, n.Pos(), n.Call)
		case *ast.BinaryExpr:
			if b, ok := f.under(n).(*types.Basic); ok && n.Op == token.ADD && b.Info()&types.IsString != 0 && f.info.Types[n].Value == nil {
				if !inConcat(all, n) {
					add(profile.KindConcat, n.OpPos, n)
				}
			}
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				if i, ok := ast.Unparen(left).(*ast.IndexExpr); ok {
					if _, ok := f.under(i.X).(*types.Map); ok {
						add(profile.KindMapGrowth, i.Lbrack, i)
					}
				}
			}
			if b, ok := f.under(n.Lhs[0]).(*types.Basic); ok && n.Tok == token.ADD_ASSIGN && b.Info()&types.IsString != 0 {
				add(profile.KindConcat, n.TokPos, n.Lhs[0])
			}
		}
	})
	return all
}

// inConcat reports whether a sum of strings is part of one that was found: the
// runtime joins all of a+b+c at once.
func inConcat(all []allocation, n ast.Node) bool {
	return slices.ContainsFunc(all, func(a allocation) bool { return a.kind == profile.KindConcat && a.from <= n.Pos() && n.End() <= a.to })
}

// call adds what the call of a builtin function or a conversion allocates.
func (f *source) call(c *ast.CallExpr, add func(profile.Kind, token.Pos, ast.Node)) {
	if len(c.Args) == 0 {
		return
	}
	t, ok := f.info.Types[c.Fun]
	switch {
	case !ok:
	case t.IsType() && len(c.Args) == 1:
		if from, to := f.under(c.Args[0]), t.Type.Underlying(); stringAndSlice(from, to) || stringAndSlice(to, from) {
			add(profile.KindConversion, c.Lparen, c)
		}
	case t.IsBuiltin():
		switch name, _ := ast.Unparen(c.Fun).(*ast.Ident); {
		case name == nil:
		case name.Name == "new":
			add(profile.KindNew, c.Lparen, c)
		case name.Name == "append":
			add(profile.KindAppend, c.Lparen, c)
		case name.Name == "make":
			switch f.under(c).(type) {
			case *types.Slice:
				add(profile.KindMakeSlice, c.Lparen, c)
			case *types.Map:
				add(profile.KindMakeMap, c.Lparen, c)
			case *types.Chan:
				add(profile.KindMakeChan, c.Lparen, c)
			}
		}
	}
}

func stringAndSlice(a, b types.Type) bool {
	s, ok := a.(*types.Basic)
	if !ok || s.Info()&types.IsString == 0 {
		return false
	}
	_, ok = b.(*types.Slice)
	return ok
}

// under is the underlying type of an expression, with the core of a type
// parameter in its place; nil where it has no type.
func (f *source) under(e ast.Expr) types.Type {
	t := f.info.TypeOf(e)
	if t == nil {
		return nil
	}
	if p, ok := types.Unalias(t).(*types.TypeParam); ok {
		if c, ok := p.Constraint().Underlying().(*types.Interface); ok && c.NumEmbeddeds() == 1 {
			if u, ok := c.EmbeddedType(0).(*types.Union); ok && u.Len() == 1 {
				return u.Term(0).Type().Underlying()
			}
		}
	}
	return t.Underlying()
}

// variables are those that are declared on a line: the compiler may move them to
// the heap.
func (f *source) variables(line int) (all []allocation) {
	f.within(line, func(n ast.Node) {
		id, ok := n.(*ast.Ident)
		if !ok || f.line(id.Pos()) != line || id.Name == "_" {
			return
		}
		if v, ok := f.info.Defs[id].(*types.Var); ok && !v.IsField() {
			all = append(all, allocation{profile.KindNew, id.Pos(), id.Name, id.Pos(), id.End()})
		}
	})
	return all
}
