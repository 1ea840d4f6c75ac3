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
	if decl == nil {
		return
	}
	told.write()
	if fn, ok := s.info.Defs[decl.Name].(*types.Func); ok && (len(b.out.Results) > 0 || len(b.params) > 0 || len(b.out.Makes) > 0) {
		s.facts.Funcs[fn.FullName()] = b.out
	}
}
