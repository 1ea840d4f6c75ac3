package unpool

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// lister describes the pools that notes are of.
type lister struct {
	p       *program
	notes   *notes
	members map[key][]key
}

// pools are the classes of variables that have a Get.
func (l *lister) pools() []*Pool {
	byRoot := map[key]*Pool{}
	describe := func(u use) *Pool {
		root := l.notes.find(u.root)
		pool := byRoot[root]
		if pool == nil {
			pool = &Pool{}
			byRoot[root] = pool
			l.describe(pool, root, map[key]bool{})
			slices.SortFunc(pool.decls, func(a, b mention) int { return compare(l.p.at(a.ident), l.p.at(b.ident)) })
			l.name(pool, u)
		}
		return pool
	}
	for _, u := range l.notes.uses {
		pool := describe(u)
		pool.uses = append(pool.uses, u)
	}
	var all []*Pool
	for _, u := range l.notes.others {
		if pool := describe(u); len(pool.uses) == 0 && !slices.Contains(all, pool) && pool.Trouble != "" {
			all = append(all, pool)
		}
	}
	for _, pool := range byRoot {
		slices.SortFunc(pool.uses, func(a, b use) int { return compare(l.p.at(a.sel), l.p.at(b.sel)) })
		pool.uses = slices.CompactFunc(pool.uses, func(a, b use) bool { return l.p.at(a.sel) == l.p.at(b.sel) })
		if len(pool.uses) == 0 {
			continue
		}
		l.places(pool)
		if len(pool.Gets) > 0 {
			all = append(all, pool)
		}
	}
	for _, s := range l.notes.strays {
		p := &Pool{Name: types.TypeString(s.pkg.TypesInfo.TypeOf(s.lit), (*types.Package).Name), Package: s.pkg.PkgPath, Pos: l.p.at(s.lit), Trouble: "it is handed on as an interface, or to code that is not followed"}
		p.ID = l.p.id(p.Pos)
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b *Pool) int { return compare(a.Pos, b.Pos) })
	for i, pool := range all { // two in one line
		if i > 0 && all[i-1].Pos.Filename == pool.Pos.Filename && all[i-1].Pos.Line == pool.Pos.Line {
			pool.ID += fmt.Sprintf(":%d", pool.Pos.Column)
		}
	}
	return all
}

// describe adds to a pool what is known of the variables of a class, and of those whose pools
// functions give them.
func (l *lister) describe(pool *Pool, root key, seen map[key]bool) {
	own := len(seen) == 0
	seen[root] = true
	known := own
	for _, k := range l.members[root] {
		f := l.notes.facts[k]
		declared := f.decl.ident != nil
		if own && declared {
			pool.decls = append(pool.decls, f.decl)
		}
		if own {
			pool.mentions += f.mentions
		}
		known = known || declared || f.begun || len(f.makes) > 0
		pool.makers = append(pool.makers, f.makers...)
		pool.bare = pool.bare || f.bare
		pool.loose = pool.loose || f.loose
		pool.Trouble = cmp.Or(pool.Trouble, f.trouble)
		for _, made := range f.makes {
			if made = l.notes.find(made); !seen[made] {
				l.describe(pool, made, seen)
			}
		}
	}
	pool.loose = pool.loose || !known
}

// name gives the pool the place and the name of the variable that says most: one of a
// package before a field before a local one.
func (l *lister) name(pool *Pool, u use) {
	rank := func(m mention) int {
		switch {
		case strings.HasSuffix(l.p.at(m.ident).Filename, "_test.go"):
			return 4
		case m.v.IsField():
			return 1
		case m.v.Parent() == m.pkg.Types.Scope():
			return 0
		case syntax.Parameter(m.path):
			return 3
		}
		return 2
	}
	if len(pool.decls) == 0 { // what no variable of the program holds
		pool.Pos, pool.at, pool.Package = l.p.at(u.sel), u.sel.Pos(), u.pkg.PkgPath
		pool.Name = types.ExprString(u.sel.X)
	} else {
		m := slices.MinFunc(pool.decls, func(a, b mention) int { return cmp.Compare(rank(a), rank(b)) })
		pool.Pos, pool.at, pool.Package = l.p.at(m.ident), m.ident.Pos(), m.pkg.PkgPath
		var names []string // of all that share code, and so go together
		for _, d := range pool.decls {
			if rank(d) == rank(m) {
				names = append(names, syntax.Name(d.v))
			}
		}
		pool.Name = strings.Join(slices.Compact(names), ", ")
	}
	if written := l.p.fset.Position(pool.at); !l.p.inside(pool.Pos.Filename) && l.p.inside(written.Filename) {
		pool.Pos = written // cgo: the compiler reads a copy
	}
	pool.ID = l.p.id(pool.Pos)
}

// places fills in where a pool is used.
func (l *lister) places(pool *Pool) {
	holds := map[string]bool{}
	for _, u := range pool.uses {
		if !slices.Contains(u.pkg.GoFiles, l.p.at(u.sel).Filename) {
			pool.Trouble = cmp.Or(pool.Trouble, "a Get or a Put is in a file that the go command rewrites, as one with cgo")
		}
		if at := l.p.place(u.pkg, u.node()); u.put {
			pool.Puts = append(pool.Puts, at)
			continue
		} else {
			pool.Gets = append(pool.Gets, at)
		}
		holds[asserted(u)] = true
		hit, miss := branches(u)
		for _, n := range hit {
			pool.Hits = append(pool.Hits, l.p.place(u.pkg, n))
		}
		for _, n := range miss {
			pool.Misses = append(pool.Misses, l.p.place(u.pkg, n))
		}
	}
	switch k := pool.uses[0].kind; {
	case l.notes.unplaced[k]:
		pool.Trouble = cmp.Or(pool.Trouble, "a pool of its kind has a New, and it is not known which")
	case k.makes != "" && pool.loose:
		pool.Trouble = cmp.Or(pool.Trouble, "it may be a pool of code that is not followed, with a New in its options")
	}
	pool.Trouble = cmp.Or(pool.Trouble, l.uncounted(pool))
	if len(holds) == 1 {
		for t := range holds {
			pool.Holds = t
		}
	}
	for _, m := range pool.makers {
		if m.body != nil {
			pool.Misses = append(pool.Misses, l.p.place(m.pkg, m.body))
		}
	}
	if pool.Trouble == "" {
		pool.PlainOnly, pool.Remark = plainOnly(pool), l.remark(pool)
	}
}

// remark says what a reader of the verdict should know of a pool.
func (l *lister) remark(pool *Pool) string {
	for _, u := range pool.uses {
		if ast.IsGenerated(u.file) {
			return fmt.Sprintf("%s is generated: change its generator", filepath.Base(l.p.at(u.sel).Filename))
		}
	}
	for _, m := range pool.makers {
		if name := changes(m); name != "" {
			return fmt.Sprintf("New changes %s, too, which it then does for each Get", name)
		}
	}
	return ""
}

// changes is a variable that a New assigns to and that is not its own; "" if there is none.
func changes(m maker) (name string) {
	if m.body == nil {
		return ""
	}
	for n := range ast.Preorder(m.body) {
		var to []ast.Expr
		switch n := n.(type) {
		case *ast.AssignStmt:
			to = n.Lhs
		case *ast.IncDecStmt:
			to = []ast.Expr{n.X}
		}
		for _, e := range to {
			for sel, ok := syntax.Whole(e).(*ast.SelectorExpr); ok; sel, ok = syntax.Whole(e).(*ast.SelectorExpr) {
				e = sel.X
			}
			id, _ := syntax.Whole(e).(*ast.Ident)
			v, ok := m.pkg.TypesInfo.Uses[id].(*types.Var)
			if ok && (v.Pos() < m.body.Pos() || v.Pos() > m.body.End()) {
				name = id.Name
			}
		}
	}
	return name
}

// uncounted says why the calls of a pool's Get cannot be counted.
func (l *lister) uncounted(pool *Pool) string {
	tests := true
	for _, u := range pool.uses {
		at := l.p.at(u.sel)
		tests = tests && (u.put || strings.HasSuffix(at.Filename, "_test.go"))
		switch {
		case u.put && u.call == nil && u.kind != kinds[0]:
			return fmt.Sprintf("its %s is used as a value in %s:%d", u.sel.Sel.Name, filepath.Base(at.Filename), at.Line)
		case u.put:
		case u.call == nil:
			return fmt.Sprintf("its Get is used as a value in %s:%d, whose calls cannot be counted", filepath.Base(at.Filename), at.Line)
		case l.p.fset.Position(u.sel.Pos()) != at:
			return fmt.Sprintf("a //line directive stands above its Get in %s:%d, whose calls cannot be counted", filepath.Base(at.Filename), at.Line)
		}
	}
	if tests {
		return "only tests get from it, and what tests do is not counted"
	}
	return ""
}

func compare(a, b token.Position) int {
	return cmp.Or(cmp.Compare(a.Filename, b.Filename), cmp.Compare(a.Offset, b.Offset))
}
