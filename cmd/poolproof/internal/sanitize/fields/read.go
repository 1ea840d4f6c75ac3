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
	s.reflected()
	return s.facts
}

func (s *scan) function(node ast.Node, decl *ast.FuncDecl) {
	b := &body{
		scan: s, node: node, decl: decl,
		parents: map[ast.Node]ast.Node{}, params: map[*types.Var]int{}, defs: map[*types.Var][]def{},
		assigned: map[*types.Var]int{}, zero: map[*types.Var]bool{}, literals: map[*types.Var]bool{},
		checks: map[string]bool{}, rooms: map[string]bool{}, visiting: map[*types.Var]bool{}, uses: map[*types.Var]use{},
	}
	b.signature()
	b.gather()
	f := function{sources{escape{b}}}
	ast.Inspect(node, func(n ast.Node) bool {
		f.visit(n)
		return true
	})
	summary{f}.drops()
	if decl == nil {
		return
	}
	summary{f}.write()
	if fn, ok := s.info.Defs[decl.Name].(*types.Func); ok && f.tells() {
		s.facts.Funcs[fn.FullName()] = f.out
	}
}
