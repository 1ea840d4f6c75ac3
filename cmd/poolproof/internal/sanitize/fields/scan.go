package fields

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
)

// ownDirective is the comment on a field that declares that its arrays belong to the object.
const ownDirective = "//poolproof:own"

// scan reads one package.
type scan struct {
	info  *types.Info
	fset  *token.FileSet
	path  string
	facts *Facts
	std   func(importPath string) bool
}

// read returns the facts of a package.
func (l *loader) read(p *Package) *Facts {
	src, info := l.whole(p)
	s := &scan{info: info, fset: src.fset, path: p.Path, facts: &Facts{Funcs: map[string]Func{}}, std: func(importPath string) bool {
		known := l.pkgs[importPath]
		return known != nil && known.Standard || known == nil && !strings.Contains(firstElement(importPath), ".")
	}}
	for _, file := range src.files {
		s.declaredOwn(file)
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Body != nil {
					s.function(d, d)
				}
			case *ast.GenDecl:
				if d.Tok == token.VAR {
					s.function(d, nil)
				}
			}
		}
	}
	s.instances()
	return s.facts
}

func firstElement(importPath string) string {
	first, _, _ := strings.Cut(importPath, "/")
	return first
}

func (s *scan) typeOf(e ast.Expr) types.Type {
	if tv, ok := s.info.Types[e]; ok {
		return tv.Type
	}
	if id, ok := e.(*ast.Ident); ok {
		if obj := s.objectOf(id); obj != nil {
			return obj.Type()
		}
	}
	return nil
}

func (s *scan) objectOf(id *ast.Ident) types.Object {
	if obj := s.info.Uses[id]; obj != nil {
		return obj
	}
	return s.info.Defs[id]
}

// at is a place as file:line; the file without its folder.
func (s *scan) at(n ast.Node) string {
	p := s.fset.Position(n.Pos())
	return fmt.Sprintf("%s:%d", filepath.Base(p.Filename), p.Line)
}

// declaredOwn notes fields with the directive.
func (s *scan) declaredOwn(file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		st, ok := spec.Type.(*ast.StructType)
		if !ok {
			return true
		}
		for _, f := range st.Fields.List {
			if !hasDirective(f.Doc) && !hasDirective(f.Comment) {
				continue
			}
			for _, name := range f.Names {
				s.facts.Owned = append(s.facts.Owned, s.path+"."+spec.Name.Name+"."+name.Name)
			}
		}
		return true
	})
}

func hasDirective(g *ast.CommentGroup) bool {
	return g != nil && slices.ContainsFunc(g.List, func(c *ast.Comment) bool {
		return c.Text == ownDirective || strings.HasPrefix(c.Text, ownDirective+" ")
	})
}

// function is one function with all that stands in it; or the variables of
// a package with the function literals in their values.
type function struct {
	*scan
	node     ast.Node
	decl     *ast.FuncDecl // nil for variables
	parents  map[ast.Node]ast.Node
	params   map[*types.Var]int
	results  []*types.Var // if they have names
	defs     map[*types.Var][]def
	assigned map[*types.Var]int
	zero     map[*types.Var]bool // declared without a value
	literals map[*types.Var]bool // parameters of function literals, and what a range or a type switch sets
	checks   map[string]bool     // paths of fields whose capacity a condition asks for
	visiting map[*types.Var]bool
	read     map[*types.Var][]*ast.Ident // see reads
	out      Func
}

// def is a value that a variable is set to: result i of a call where i >= 0.
type def struct {
	value ast.Expr
	i     int
}

func (s *scan) function(node ast.Node, decl *ast.FuncDecl) {
	f := &function{
		scan: s, node: node, decl: decl,
		parents: map[ast.Node]ast.Node{}, params: map[*types.Var]int{}, defs: map[*types.Var][]def{},
		assigned: map[*types.Var]int{}, zero: map[*types.Var]bool{}, literals: map[*types.Var]bool{},
		checks: map[string]bool{}, visiting: map[*types.Var]bool{},
	}
	f.signature()
	f.gather()
	ast.Inspect(node, func(n ast.Node) bool {
		f.visit(n)
		return true
	})
	if decl == nil {
		return
	}
	f.summary()
	if fn, ok := s.info.Defs[decl.Name].(*types.Func); ok && f.tells() {
		s.facts.Funcs[fn.FullName()] = f.out
	}
}

// tells reports whether the facts of a function say anything that a caller
// who knows nothing of it would not assume.
func (f *function) tells() bool {
	return len(f.out.Results) > 0 || len(f.params) > 0 || f.out.Makes != nil
}

// signature numbers the parameters.
func (f *function) signature() {
	if f.decl == nil {
		return
	}
	n := 0
	for _, list := range []*ast.FieldList{f.decl.Recv, f.decl.Type.Params} {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			if len(field.Names) == 0 {
				n++
			}
			for _, name := range field.Names {
				if v, ok := f.info.Defs[name].(*types.Var); ok {
					f.params[v] = n
				}
				n++
			}
		}
	}
	if f.decl.Type.Results != nil {
		for _, field := range f.decl.Type.Results.List {
			for _, name := range field.Names {
				if v, ok := f.info.Defs[name].(*types.Var); ok {
					f.results = append(f.results, v)
					f.zero[v] = true
				}
			}
		}
	}
}

// gather collects what variables are set to, and the parents of nodes.
func (f *function) gather() {
	var stack []ast.Node
	ast.Inspect(f.node, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if len(stack) > 0 {
			f.parents[n] = stack[len(stack)-1]
		}
		stack = append(stack, n)
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if id, ok := ast.Unparen(left).(*ast.Ident); ok {
					f.define(id, valueAt(n.Rhs, len(n.Lhs), i))
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if len(n.Values) == 0 {
					if v, ok := f.info.Defs[id].(*types.Var); ok {
						f.zero[v] = true
					}
					continue
				}
				f.define(id, valueAt(n.Values, len(n.Names), i))
			}
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if id, ok := e.(*ast.Ident); ok {
					f.set(id)
				}
			}
		case *ast.FuncLit:
			for _, field := range n.Type.Params.List {
				for _, id := range field.Names {
					f.set(id)
				}
			}
			if n.Type.Results != nil {
				for _, field := range n.Type.Results.List {
					for _, id := range field.Names {
						if v, ok := f.info.Defs[id].(*types.Var); ok {
							f.zero[v] = true
						}
					}
				}
			}
		case *ast.IfStmt:
			f.condition(n.Cond)
		case *ast.ForStmt:
			f.condition(n.Cond)
		case *ast.CaseClause:
			for _, e := range n.List {
				f.condition(e)
			}
		}
		return true
	})
}

// valueAt is what the i-th of n variables is set to.
func valueAt(values []ast.Expr, n, i int) def {
	if len(values) == n {
		return def{values[i], -1}
	}
	return def{values[0], i}
}

func (f *function) define(id *ast.Ident, d def) {
	if v, ok := f.objectOf(id).(*types.Var); ok {
		f.defs[v] = append(f.defs[v], d)
		f.assigned[v]++
	}
}

// set notes a variable that may hold anything.
func (f *function) set(id *ast.Ident) {
	if v, ok := f.objectOf(id).(*types.Var); ok {
		f.literals[v] = true
		f.assigned[v]++
	}
}

// condition notes the fields whose capacity is asked for, or that are compared
// with nil.
func (f *function) condition(e ast.Expr) {
	if e == nil {
		return
	}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "cap" && len(n.Args) == 1 {
				f.check(n.Args[0])
			}
		case *ast.BinaryExpr:
			if id, ok := n.Y.(*ast.Ident); ok && id.Name == "nil" && n.Op == token.EQL {
				f.check(n.X)
			}
			if (n.Op == token.LSS || n.Op == token.GTR) && !isLiteral(n.X) && !isLiteral(n.Y) {
				for _, side := range []ast.Expr{n.X, n.Y} {
					if c, ok := ast.Unparen(side).(*ast.CallExpr); ok && len(c.Args) == 1 {
						if id, ok := c.Fun.(*ast.Ident); ok && id.Name == "len" {
							f.check(c.Args[0])
						}
					}
				}
			}
		}
		return true
	})
}

func isLiteral(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.BasicLit)
	return ok
}

func (f *function) check(e ast.Expr) {
	if name, _ := f.path(e); name != "" {
		f.checks[name] = true
	}
}
