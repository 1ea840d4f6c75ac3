package fields

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// read returns the facts of a package.
func (l *loader) read(p *Package) *Facts {
	src, info := l.whole(p)
	std := func(importPath string) bool {
		first, _, _ := strings.Cut(importPath, "/")
		known := l.pkgs[importPath]
		return known != nil && known.Standard || known == nil && !strings.Contains(first, ".")
	}
	s := &scan{typed: &typed{info: info, fset: src.fset, pkg: p.Path, std: std}, facts: &Facts{Funcs: map[string]Func{}}}
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
	s.reflected()
	return s.facts
}

func (s *scan) function(node ast.Node, decl *ast.FuncDecl) {
	b := newBody(s.typed, node, decl)
	trace := &tracer{body: b, visiting: map[*types.Var]bool{}, uses: map[*types.Var]use{}}
	makes := &makers{body: b, facts: s.facts}
	stored := &stores{body: b, trace: trace, facts: s.facts}
	ast.Inspect(node, func(n ast.Node) bool {
		makes.visit(n)
		stored.visit(n)
		return true
	})
	told := &summary{body: b, trace: trace, facts: s.facts}
	told.drops()
	if b.fn == nil {
		return
	}
	told.write()
	if len(b.out.Results) > 0 || len(b.params) > 0 || len(b.out.Makes) > 0 {
		s.facts.Funcs[b.fn.FullName()] = b.out
	}
}

// visit notes what makes objects for pools at one node.
func (f *makers) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.FuncDecl:
		f.gives()
	case *ast.FuncLit:
		f.literal(n)
	case *ast.Ident, *ast.SelectorExpr:
		f.named(n.(ast.Expr))
	case *ast.CallExpr:
		f.get(n)
		f.enrolled(n)
		f.emptied(n)
	case *ast.IfStmt:
		f.enrolls(n)
	case *ast.AssignStmt:
		f.undone(n)
		for _, left := range n.Lhs {
			f.keyed(left)
		}
	}
}

// visit notes what one node stores and lends.
func (f *stores) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok == token.ASSIGN || n.Tok == token.DEFINE {
			for i, left := range n.Lhs {
				f.store(left, valueAt(n.Rhs, len(n.Lhs), i), n)
			}
		}
	case *ast.ValueSpec:
		if len(n.Values) > 0 {
			for i, id := range n.Names {
				f.store(id, valueAt(n.Values, len(n.Names), i), n)
			}
		}
	case *ast.RangeStmt:
		f.ranged(n)
	case *ast.CompositeLit:
		f.literal(n)
	case *ast.FuncDecl:
		f.byValue(n.Recv)
		f.byValue(n.Type.Params)
	case *ast.FuncLit:
		f.byValue(n.Type.Params)
	case *ast.ReturnStmt:
		for _, e := range n.Results {
			switch ast.Unparen(e).(type) {
			case *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
				f.copied(e, nil, "a function returns a copy of the whole struct", n)
			}
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			f.address(n)
		}
	case *ast.SelectorExpr:
		f.readRef(n)
		f.mapGiven(n)
	case *ast.CallExpr:
		f.call(n)
	}
}
