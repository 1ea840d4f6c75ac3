package variant

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus/edit"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus/poolcalls"
)

// The transformations after which every verdict must be what it was.

// rename gives all local variables other names.
func rename(s *Site) (Change, bool) {
	var c Change
	inside := func(o types.Object) bool {
		v, ok := o.(*types.Var)
		return ok && !v.IsField() && v.Pos() >= s.Fn.Pos() && v.Pos() < s.Fn.End() && v.Name() != "_" && v.Name() != ""
	}
	defined := make(map[types.Object]bool)
	ast.Inspect(s.Fn, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && inside(s.Info.Defs[id]) {
			defined[s.Info.Defs[id]] = true
		}
		return true
	})
	ast.Inspect(s.Fn, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && (defined[s.Info.Defs[id]] || defined[s.Info.Uses[id]]) {
			c.Edits = append(c.Edits, s.replace(id, "renamed"+strings.ToUpper(id.Name[:1])+id.Name[1:]))
		}
		return true
	})
	return c, len(c.Edits) > 0
}

// putHelper moves every put into a function of its own.
func putHelper(s *Site) (Change, bool) {
	if s.generic() {
		return Change{}, false
	}
	c := Change{Helper: new(Helper)}
	for i, p := range s.puts() {
		t := s.Info.TypeOf(p.arg)
		if t == nil || types.Identical(t, types.Typ[types.UntypedNil]) {
			continue
		}
		name := fmt.Sprintf("give%dx%d", s.N, i)
		typ := c.Helper.typeText(t, s.Pkg)
		if poolcalls.Callee(p.call, s.Info) == poolcalls.PoolPut {
			pool, ok := s.pool(p.call, c.Helper)
			if !ok {
				continue
			}
			params, args := "x "+typ, s.text(p.arg)
			if pool.parameter != "" {
				params, args = pool.parameter+", "+params, pool.argument+", "+args
			}
			c.Helper.printf("func %s(%s) { %s.Put(x) }\n", name, params, pool.inside)
			c.Edits = append(c.Edits, s.replace(p.call, name+"("+args+")"))
			continue
		}
		body, ok := s.wrapped(p, "x", c.Helper)
		if !ok {
			continue
		}
		c.Helper.printf("func %s(x %s) { %s }\n", name, typ, body)
		c.Edits = append(c.Edits, s.replace(p.call, name+"("+s.text(p.arg)+")"))
	}
	return c, len(c.Edits) > 0
}

// wrapped writes the call of a wrapper with x in place of the object.
func (s *Site) wrapped(p put, x string, h *Helper) (string, bool) {
	sel, ok := ast.Unparen(p.call.Fun).(*ast.SelectorExpr)
	if !ok || len(p.call.Args) > 1 {
		return "", false
	}
	if sel.X == p.arg {
		return x + "." + sel.Sel.Name + "()", len(p.call.Args) == 0
	}
	if id, ok := sel.X.(*ast.Ident); ok {
		if name, ok := s.Info.Uses[id].(*types.PkgName); ok {
			return h.imported(name.Imported().Path(), name.Imported().Name()) + "." + sel.Sel.Name + "(" + x + ")", true
		}
	}
	return s.text(sel.X) + "." + sel.Sel.Name + "(" + x + ")", s.global(sel.X)
}

// getHelper moves every get into a function of its own.
func getHelper(s *Site) (Change, bool) {
	if s.generic() {
		return Change{}, false
	}
	c := Change{Helper: new(Helper)}
	for i, e := range s.gets() {
		pool, ok := s.pool(e.call, c.Helper)
		if !ok {
			continue
		}
		name := fmt.Sprintf("fetch%dx%d", s.N, i)
		typ := c.Helper.typeText(s.Info.TypeOf(e.whole), s.Pkg)
		c.Helper.printf("func %s(%s) %s { return %s.Get().(%s) }\n", name, pool.parameter, typ, pool.inside, typ)
		c.Edits = append(c.Edits, s.replace(e.whole, name+"("+pool.argument+")"))
	}
	return c, len(c.Edits) > 0
}

// get is a call of sync.Pool's Get with its assertion.
type get struct {
	whole *ast.TypeAssertExpr
	call  *ast.CallExpr
}

// gets lists the asserted gets of s that have one value.
func (s *Site) gets() (all []get) {
	ast.Inspect(s.Fn.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.TypeAssertExpr)
		if !ok || a.Type == nil {
			return true
		}
		call, ok := a.X.(*ast.CallExpr)
		if !ok || poolcalls.Callee(call, s.Info) != poolcalls.PoolGet {
			return true
		}
		if _, two := s.Info.TypeOf(a).(*types.Tuple); !two {
			all = append(all, get{a, call})
		}
		return true
	})
	return all
}

// generics gets and puts through generic functions.
func generics(s *Site) (Change, bool) {
	c := Change{Helper: new(Helper)}
	sync := c.Helper.imported("sync", "sync")
	for i, p := range s.puts() {
		if poolcalls.Callee(p.call, s.Info) != poolcalls.PoolPut {
			continue
		}
		name := fmt.Sprintf("putAny%dx%d", s.N, i)
		c.Helper.printf("func %s[T any](p *%s.Pool, x T) { p.Put(x) }\n", name, sync)
		c.Edits = append(c.Edits, s.replace(p.call, fmt.Sprintf("%s(%s, %s)", name, s.address(p.call), s.text(p.arg))))
	}
	for i, g := range s.gets() {
		name := fmt.Sprintf("getAny%dx%d", s.N, i)
		c.Helper.printf("func %s[T any](p *%s.Pool) T { return p.Get().(T) }\n", name, sync)
		c.Edits = append(c.Edits, s.replace(g.whole, fmt.Sprintf("%s[%s](%s)", name, s.text(g.whole.Type), s.address(g.call))))
	}
	return c, len(c.Edits) > 0
}

// address is the pool of a call as an expression of type *sync.Pool.
func (s *Site) address(call *ast.CallExpr) string {
	sel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if pointer(s.Info.TypeOf(sel.X)) {
		return s.text(sel.X)
	}
	return "&" + s.text(sel.X)
}

// FarPath is the package of functions that far calls.
const FarPath = "example.org/corpus/lib/far"

const farSource = `// Package far gets and puts for others.
package far

import "sync"

// Take returns what p has.
func Take(p *sync.Pool) any { return p.Get() }

// Back gives x to p.
func Back(p *sync.Pool, x any) { p.Put(x) }
`

// far gets and puts through functions of another package.
func far(s *Site) (Change, bool) {
	if s.generic() {
		return Change{}, false
	}
	c := Change{Helper: new(Helper)}
	pkg := c.Helper.imported(FarPath, "far")
	for i, p := range s.puts() {
		if poolcalls.Callee(p.call, s.Info) != poolcalls.PoolPut {
			continue
		}
		pool, ok := s.pool(p.call, c.Helper)
		if !ok || pool.parameter != "" {
			continue
		}
		name := fmt.Sprintf("putFar%dx%d", s.N, i)
		c.Helper.printf("func %s(x %s) { %s.Back(%s, x) }\n", name, c.Helper.typeText(s.Info.TypeOf(p.arg), s.Pkg), pkg, s.address(p.call))
		c.Edits = append(c.Edits, s.replace(p.call, name+"("+s.text(p.arg)+")"))
	}
	for i, g := range s.gets() {
		pool, ok := s.pool(g.call, c.Helper)
		if !ok || pool.parameter != "" {
			continue
		}
		name := fmt.Sprintf("getFar%dx%d", s.N, i)
		typ := c.Helper.typeText(s.Info.TypeOf(g.whole), s.Pkg)
		c.Helper.printf("func %s() %s { return %s.Take(%s).(%s) }\n", name, typ, pkg, s.address(g.call), typ)
		c.Edits = append(c.Edits, s.replace(g.whole, name+"()"))
	}
	return c, len(c.Edits) > 0
}

// closure moves the body into a function literal that is called at once.
func closure(s *Site) (Change, bool) {
	results, open := "", "func() {"
	if r := s.Fn.Type.Results; r.NumFields() > 0 {
		results = s.text(r) + " "
		if !r.Opening.IsValid() {
			results = s.text(r.List[0].Type) + " "
		}
		open = "return func() " + results + "{"
	}
	return Change{Edits: []edit.Edit{
		s.insert(s.Fn.Body.Lbrace+1, " "+open),
		s.insert(s.Fn.Body.Rbrace, "}() "),
	}}, len(s.Fn.Body.List) > 0
}

// invert exchanges the branches of every if that has no else.
func invert(s *Site) (Change, bool) {
	var c Change
	elses := make(map[ast.Node]bool)
	ast.Inspect(s.Fn.Body, func(n ast.Node) bool {
		i, ok := n.(*ast.IfStmt)
		if !ok {
			return true
		}
		if i.Else != nil {
			elses[i.Else] = true
			return true
		}
		if !elses[i] {
			c.Edits = append(c.Edits,
				s.insert(i.Cond.Pos(), "!("),
				s.insert(i.Cond.End(), ")"),
				s.insert(i.Body.Lbrace, "{ } else "))
		}
		return true
	})
	return c, len(c.Edits) > 0 && terminatesWithout(s)
}

// terminatesWithout says whether the body ends in a return or has no results: an
// if with an else may otherwise end a function that an if alone does not.
func terminatesWithout(s *Site) bool {
	if s.Fn.Type.Results.NumFields() == 0 {
		return true
	}
	_, ok := s.Fn.Body.List[len(s.Fn.Body.List)-1].(*ast.ReturnStmt)
	return ok
}

// branch adds a branch that does nothing to the object after each statement.
func branch(s *Site) (Change, bool) {
	c := Change{Helper: new(Helper)}
	flag := fmt.Sprintf("traced%d", s.N)
	c.Helper.printf("var %s bool\n", flag)
	for _, st := range s.Fn.Body.List {
		switch st.(type) {
		case *ast.AssignStmt, *ast.DeferStmt, *ast.ExprStmt:
			c.Edits = append(c.Edits, s.insert(st.End(), "; if "+flag+" { println(1) }"))
		}
	}
	return c, len(c.Edits) > 0
}

// dead adds a branch that is never taken and would change everything.
func dead(s *Site) (Change, bool) {
	var c Change
	for _, p := range s.puts() {
		if !p.deferred() {
			c.Edits = append(c.Edits, s.insert(p.stmt.End(), "; if false { "+s.text(p.call)+" }"))
		}
	}
	return c, len(c.Edits) > 0
}

// alias puts under another name.
func alias(s *Site) (Change, bool) {
	var c Change
	for i, p := range s.puts() {
		id, ok := p.arg.(*ast.Ident)
		if !ok || poolcalls.Local(id, s.Info, s.Fn) == nil {
			continue
		}
		name := fmt.Sprintf("other%dx%d", s.N, i)
		c.Edits = append(c.Edits, s.insert(p.stmt.Pos(), name+" := "+id.Name+"; "), s.replace(id, name))
	}
	return c, len(c.Edits) > 0
}

// field keeps what was got in a field of a local struct.
func field(s *Site) (Change, bool) {
	if s.generic() {
		return Change{}, false
	}
	c := Change{Helper: new(Helper)}
	ast.Inspect(s.Fn.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE || len(a.Lhs) != 1 || len(a.Rhs) != 1 || !s.Pool.IsGet(a.Rhs[0], s.Info) {
			return true
		}
		obj := s.Info.Defs[a.Lhs[0].(*ast.Ident)]
		if obj == nil {
			return true
		}
		i := len(c.Edits)
		holder := fmt.Sprintf("held%dx%d", s.N, i)
		c.Helper.printf("type %sType struct{ obj %s }\n", holder, c.Helper.typeText(obj.Type(), s.Pkg))
		c.Edits = append(c.Edits, edit.Edit{
			Start: s.off(a.Pos()), End: s.off(a.Rhs[0].Pos()),
			New: fmt.Sprintf("var %s %sType; %s.obj = ", holder, holder, holder),
		})
		for _, id := range s.uses(s.Fn.Body, obj) {
			c.Edits = append(c.Edits, s.replace(id, holder+".obj"))
		}
		return true
	})
	return c, len(c.Edits) > 0
}
