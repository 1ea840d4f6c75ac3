package fields

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/stdlib"
)

// ownDirective is the comment on a field that declares that its arrays belong to the object.
const ownDirective = "//poolproof:own"

// read returns the facts of a package.
func (l *loader) read(p *Package) *Facts {
	src, info := l.whole(p)
	std := func(importPath string) bool {
		if known := l.pkgs[importPath]; known != nil {
			return known.Standard
		}
		return stdlib.Has(importPath)
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
				s.facts.Owned = append(s.facts.Owned, s.pkg+"."+spec.Name.Name+"."+name.Name)
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

// instances notes with which types generic functions and types are used.
func (s *scan) instances() {
	for id, inst := range s.info.Instances {
		name := ""
		switch of := s.info.Uses[id].(type) {
		case *types.Func:
			name = of.Origin().FullName()
		case *types.TypeName:
			for _, n := range typeNames(of.Type()) {
				name = n
			}
		}
		for t := range inst.TypeArgs.Types() {
			for _, arg := range typeNames(t) {
				if name != "" && !slices.Contains(s.facts.Instances[name], arg) {
					put(&s.facts.Instances, name, append(s.facts.Instances[name], arg))
				}
			}
		}
	}
}

// reflected lends the exported fields of a package that sets values by reflection: no text says
// which of them it sets, and to what.
func (s *scan) reflected() {
	at := s.setter()
	if at == nil {
		return
	}
	names := map[string]bool{}
	for _, obj := range s.info.Defs {
		name, ok := obj.(*types.TypeName)
		if !ok {
			continue
		}
		st, ok := under(name.Type()).(*types.Struct)
		if !ok {
			continue
		}
		for i := range st.NumFields() {
			if f := st.Field(i); f.Exported() {
				for _, n := range typeNames(name.Type()) {
					names[n+"."+f.Name()] = true
				}
			}
		}
	}
	if len(names) > 0 {
		s.facts.Lends = append(s.facts.Lends, Lend{To: slices.Sorted(maps.Keys(names)), Why: "the package sets fields by reflection", At: s.at(at)})
	}
}

// setter returns the first use of a method of reflect.Value that stores memory of its caller.
func (s *scan) setter() (first ast.Node) {
	for id, obj := range s.info.Uses {
		fn, ok := obj.(*types.Func)
		if !ok {
			continue
		}
		switch fn.FullName() {
		case "(reflect.Value).Set", "(reflect.Value).SetBytes", "(reflect.Value).SetMapIndex":
			if first == nil || id.Pos() < first.Pos() {
				first = id
			}
		}
	}
	return first
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
