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
		visit(n, makes, stored)
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

// visit notes what makes objects for pools at one node, and what it stores and lends.
func visit(n ast.Node, makes *makers, stored *stores) {
	switch n := n.(type) {
	case *ast.FuncDecl:
		makes.gives()
		stored.byValue(n.Recv)
		stored.byValue(n.Type.Params)
	case *ast.FuncLit:
		makes.literal(n)
		stored.byValue(n.Type.Params)
	case *ast.Ident:
		makes.named(n)
	case *ast.SelectorExpr:
		makes.named(n)
		stored.readRef(n)
		stored.mapGiven(n)
	case *ast.CallExpr:
		makes.get(n)
		makes.enrolled(n)
		makes.emptied(n)
		stored.call(n)
	case *ast.IfStmt:
		makes.enrolls(n)
	case *ast.AssignStmt:
		makes.undone(n)
		for i, left := range n.Lhs {
			makes.keyed(left)
			if n.Tok == token.ASSIGN || n.Tok == token.DEFINE {
				stored.store(left, valueAt(n.Rhs, len(n.Lhs), i), n)
			}
		}
	case *ast.ValueSpec:
		if len(n.Values) > 0 {
			for i, id := range n.Names {
				stored.store(id, valueAt(n.Values, len(n.Names), i), n)
			}
		}
	case *ast.RangeStmt:
		stored.ranged(n)
	case *ast.CompositeLit:
		stored.literal(n)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			stored.address(n)
		}
	case *ast.ReturnStmt:
		for _, e := range n.Results {
			switch ast.Unparen(e).(type) {
			case *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
				stored.copied(e, nil, "a function returns a copy of the whole struct", n)
			}
		}
	}
}
