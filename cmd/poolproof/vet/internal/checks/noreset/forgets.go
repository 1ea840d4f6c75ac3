package noreset

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
)

// leastReset is how many fields a function has to reset before one that it leaves out is taken for
// forgotten.
const leastReset = 3

// forgets reports functions that reset a pooled struct of the package field by field, and leave out
// fields that its users set.
func (c *code) forgets() {
	for _, t := range c.pooled() {
		st, isStruct := t.Underlying().(*types.Struct)
		if !isStruct {
			continue
		}
		var reset *ast.FuncDecl
		handled, whole := make(map[string]bool), false
		most := 0
		for fn := range c.pass.Funcs() {
			named := fresh.MatchString(fn.Name.Name)
			if c.pass.Events.Test(fn.Pos()) || !named && !c.pools(fn) {
				continue
			}
			mentioned, all := c.mentions(fn, t)
			whole = whole || all
			for name := range mentioned {
				handled[name] = true
			}
			if (names.IsCleaning(fn.Name.Name) || names.IsSetup(fn.Name.Name)) && len(mentioned) > most {
				reset, most = fn, len(mentioned)
			}
		}
		if reset == nil || whole || most < leastReset {
			continue
		}
		var forgotten []string
		for f := range st.Fields() {
			if !handled[f.Name()] && !f.Embedded() && c.isFlag(f) {
				forgotten = append(forgotten, f.Name())
			}
		}
		if len(forgotten) == 0 || len(forgotten) > most/2 {
			continue
		}
		at := reset.Body.List[len(reset.Body.List)-1]
		c.pass.Report(check.Report{
			Pos: at.Pos(), End: at.End(), Tier: check.Warning,
			Message: reset.Name.Name + " leaves " + strings.Join(forgotten, ", ") + " of the pooled " + t.Obj().Name() + " as the last user left it, and resets other fields: reset all",
		})
	}
}

// pooled returns the structs of the package to which pools have pointers.
func (c *code) pooled() (list []*types.Named) {
	for _, pool := range c.pass.Events.Pools {
		for _, get := range pool.Gets {
			if get.Asserted == nil || len(pool.Puts) == 0 {
				continue
			}
			named, ok := types.Unalias(syntax.Pointed(get.Asserted)).(*types.Named)
			if ok && named.Obj().Pkg() == c.pass.Pkg && !slices.Contains(list, named) {
				list = append(list, named)
			}
		}
	}
	return list
}

// pools reports whether a function gets from a pool or puts into one.
func (c *code) pools(fn *ast.FuncDecl) (found bool) {
	within := func(n ast.Node) bool { return fn.Pos() <= n.Pos() && n.End() <= fn.End() }
	for _, pool := range c.pass.Events.Pools {
		for _, get := range pool.Gets {
			found = found || within(get.Call)
		}
		for _, put := range pool.Puts {
			found = found || within(put.Call)
		}
	}
	return found
}

// mentions returns the fields of values of a type that a function names, and whether it assigns such a
// value as a whole or passes one on.
func (c *code) mentions(fn *ast.FuncDecl, t types.Type) (fields map[string]bool, whole bool) {
	fields = make(map[string]bool)
	ptr := types.NewPointer(t)
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if c.isOf(n.X, ptr) {
				fields[n.Sel.Name] = true
			}
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				star, ok := ast.Unparen(l).(*ast.StarExpr)
				whole = whole || ok && c.isOf(star.X, ptr)
			}
		}
		return true
	})
	return fields, whole
}

// isFlag reports whether a field is a flag, a state or a count that code sets to constants or counts up, in
// a method that other packages call or under a condition, and that no code sets to nothing, or to what a
// caller says.
func (c *code) isFlag(field *types.Var) bool {
	if basic, ok := field.Type().Underlying().(*types.Basic); !ok || basic.Info()&(types.IsBoolean|types.IsInteger) == 0 {
		return false
	}
	found, other := false, false
	is := func(e ast.Expr) bool {
		sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
		return ok && c.pass.TypesInfo.Uses[sel.Sel] == field
	}
	for fn := range c.pass.Funcs() {
		if c.pass.Events.Test(fn.Pos()) {
			continue
		}
		ast.PreorderStack(fn.Body, nil, func(n ast.Node, path []ast.Node) bool {
			sets := false
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, l := range n.Lhs {
					if is(l) {
						sets = len(n.Lhs) == len(n.Rhs) && c.isSomething(n.Rhs[i])
						other = other || !sets
					}
				}
			case *ast.IncDecStmt:
				sets = is(n.X) && n.Tok == token.INC
				other = other || is(n.X) && n.Tok == token.DEC
			case *ast.CallExpr: // atomic.CompareAndSwapInt32(&x.f, 0, 1)
				if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && len(n.Args) > 1 && names.IsCounting(sel.Sel.Name) {
					at, ok := ast.Unparen(n.Args[0]).(*ast.UnaryExpr)
					if ok && at.Op == token.AND && is(at.X) {
						sets = c.isSomething(n.Args[len(n.Args)-1])
						other = other || !sets
					}
				}
			}
			found = found || sets && (fn.Recv != nil && fn.Name.IsExported() || conditional(path))
			return true
		})
	}
	return found && !other
}

// isSomething reports whether an expression is a constant other than false and zero.
func (c *code) isSomething(e ast.Expr) bool {
	v := c.pass.TypesInfo.Types[e].Value
	switch {
	case v == nil:
		return false
	case v.Kind() == constant.Bool:
		return constant.BoolVal(v)
	}
	return constant.Sign(v) > 0
}
