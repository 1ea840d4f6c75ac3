package unpool

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Program is the code that was read, with its pools.
type Program struct {
	*program
	Pools []*Pool // in the order of their declarations
}

// Find reads the packages and lists their pools: those that the packages' own code
// gets from. They are of the type sync.Pool, or of bytebufferpool, package pool or package buffer. The error is
// of the kind fault.Code where a package does not compile, and fault.Input where none matches.
func Find(ctx context.Context, s Source) (*Program, error) {
	p, err := load(ctx, s)
	if err != nil {
		return nil, err
	}
	f := &finder{program: p, parent: map[key]key{}, vars: map[key]mention{}, makers: map[key][]maker{}, trouble: map[key]string{}, makes: map[key][]key{}, mentions: map[key]int{}, unplaced: map[*kind]bool{},
		begun: map[key]bool{}, bare: map[key]bool{}, loose: map[key]bool{}}
	for _, pkg := range p.pkgs {
		for _, file := range pkg.Syntax {
			f.file(pkg, file)
		}
	}
	f.joinKept()
	f.lends()
	return &Program{p, f.pools()}, nil
}

// At returns the pools that are declared at FILE:LINE, or else those that a Get or a Put
// there is of. FILE may be the end of a path, and ":COLUMN" may follow.
func (p *Program) At(place string) []*Pool {
	file, rest, _ := strings.Cut(filepath.ToSlash(place), ":")
	here, _ := filepath.Abs(file)
	line, column, _ := strings.Cut(rest, ":")
	is := func(name string, l, c int) bool {
		name = filepath.ToSlash(name)
		return fmt.Sprint(l) == line && (column == "" || fmt.Sprint(c) == column) &&
			(name == filepath.ToSlash(here) || strings.HasSuffix(name, "/"+strings.TrimPrefix(file, "./")))
	}
	var declared, used []*Pool
	for _, pool := range p.Pools {
		if is(pool.Pos.Filename, pool.Pos.Line, pool.Pos.Column) {
			declared = append(declared, pool)
		}
		if slices.ContainsFunc(slices.Concat(pool.Gets, pool.Puts), func(at Place) bool { return is(at.File, at.Line, at.Column) }) {
			used = append(used, pool)
		}
	}
	if len(declared) > 0 {
		return declared
	}
	return used
}

// mention is a variable where it is declared.
type mention struct {
	pkg   *packages.Package
	ident *ast.Ident
	v     *types.Var
	path  []ast.Node // from the file to the parent of ident
}

// use is a Get or a Put.
type use struct {
	kind *kind
	own  bool // of the pool that the kind's package has
	pkg  *packages.Package
	file *ast.File
	path []ast.Node // from the file to the parent of what is replaced
	sel  *ast.SelectorExpr
	call *ast.CallExpr // nil: a method value
	root key
	put  bool
}

// node returns the expression that is replaced at a use.
func (u use) node() ast.Expr {
	if u.call != nil {
		return u.call
	}
	return u.sel
}

// maker is a function that a pool has as New.
type maker struct {
	pkg   *packages.Package
	value ast.Expr // what stands for New
	// holder is the variable whose field the pool is, as far as New may use it at a Get.
	holder *types.Var
	body   *ast.BlockStmt // nil: the source is not here
}

// finder goes through a program. Variables between which a pool is passed on are one:
// a disjoint-set forest over their keys.
type finder struct {
	*program
	parent   map[key]key
	vars     map[key]mention
	makers   map[key][]maker
	makes    map[key][]key // a variable that begins as what a function makes anew
	begun    map[key]bool  // a pool is made for it
	bare     map[key]bool  // a pool of it begins without a New
	loose    map[key]bool  // code that is not followed may give it a pool
	trouble  map[key]string
	mentions map[key]int // but for its declaration
	uses     []use
	others   []use // of methods that are not taken out
	strays   []stray
	unplaced map[*kind]bool // of which a pool that is not known has a New in its options
}

// stray is the literal of a pool that no variable of a pool's type holds.
type stray struct {
	pkg *packages.Package
	lit *ast.CompositeLit
}

func (f *finder) find(k key) key {
	for f.parent[k] != "" {
		k = f.parent[k]
	}
	return k
}

// join reports whether two keys were apart.
func (f *finder) join(a, b key) bool {
	if a, b = f.find(a), f.find(b); a == b || a == "" || b == "" {
		return false
	}
	f.parent[f.find(a)] = f.find(b)
	return true
}

func (f *finder) file(pkg *packages.Package, file *ast.File) {
	var path []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		r := reader{f, pkg, file, path}
		switch n := n.(type) {
		case *ast.Ident:
			r.ident(n)
		case *ast.SelectorExpr:
			r.selector(n)
		case *ast.CompositeLit:
			if t := pkg.TypesInfo.TypeOf(n); t != nil && isPool(t) {
				r.literal(n)
			}
		case *ast.AssignStmt:
			r.assignNew(n)
		case *ast.CallExpr:
			r.made(n)
			r.flows(n)
		case *ast.TypeAssertExpr:
			r.flows(n)
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				r.flows(n)
			}
		}
		path = append(path, n)
		return true
	})
}

// name gives the pool the place and the name of the variable that says most: one of a
// package before a field before a local one.
func (f *finder) name(pool *Pool, u use) {
	rank := func(m mention) int {
		switch {
		case strings.HasSuffix(f.at(m.ident).Filename, "_test.go"):
			return 4
		case m.v.IsField():
			return 1
		case m.v.Parent() == m.pkg.Types.Scope():
			return 0
		case parameter(m.path):
			return 3
		}
		return 2
	}
	if len(pool.decls) == 0 { // what no variable of the program holds
		pool.Pos, pool.at, pool.Package = f.at(u.sel), u.sel.Pos(), u.pkg.PkgPath
		pool.Name = types.ExprString(u.sel.X)
	} else {
		m := slices.MinFunc(pool.decls, func(a, b mention) int { return cmp.Compare(rank(a), rank(b)) })
		pool.Pos, pool.at, pool.Package = f.at(m.ident), m.ident.Pos(), m.pkg.PkgPath
		var names []string // of all that share code, and so go together
		for _, d := range pool.decls {
			if rank(d) == rank(m) {
				names = append(names, nameOf(d.v))
			}
		}
		pool.Name = strings.Join(slices.Compact(names), ", ")
	}
	if written := f.fset.Position(pool.at); !f.inside(pool.Pos.Filename) && f.inside(written.Filename) {
		pool.Pos = written // cgo: the compiler reads a copy
	}
	pool.ID = f.id(pool.Pos)
}

// nameOf is the name of a variable; a field has that of its type before it.
func nameOf(v *types.Var) string {
	if owner := ""; v.IsField() {
		if owner = ownerOf(v); owner != "" {
			return owner + "." + v.Name()
		}
	}
	return v.Name()
}

// places fills in where a pool is used.
func (f *finder) places(pool *Pool) {
	holds := map[string]bool{}
	for _, u := range pool.uses {
		if !slices.Contains(u.pkg.GoFiles, f.at(u.sel).Filename) {
			pool.Trouble = cmp.Or(pool.Trouble, "a Get or a Put is in a file that the go command rewrites, as one with cgo")
		}
		if at := f.place(u.pkg, u.node()); u.put {
			pool.Puts = append(pool.Puts, at)
			continue
		} else {
			pool.Gets = append(pool.Gets, at)
		}
		holds[asserted(u)] = true
		hit, miss := branches(u)
		for _, n := range hit {
			pool.Hits = append(pool.Hits, f.place(u.pkg, n))
		}
		for _, n := range miss {
			pool.Misses = append(pool.Misses, f.place(u.pkg, n))
		}
	}
	switch k := pool.uses[0].kind; {
	case f.unplaced[k]:
		pool.Trouble = cmp.Or(pool.Trouble, "a pool of its kind has a New, and it is not known which")
	case k.makes != "" && pool.loose:
		pool.Trouble = cmp.Or(pool.Trouble, "it may be a pool of code that is not followed, with a New in its options")
	}
	pool.Trouble = cmp.Or(pool.Trouble, f.uncounted(pool))
	if len(holds) == 1 {
		for t := range holds {
			pool.Holds = t
		}
	}
	for _, m := range pool.makers {
		if m.body != nil {
			pool.Misses = append(pool.Misses, f.place(m.pkg, m.body))
		}
	}
	if pool.Trouble == "" {
		pool.PlainOnly, pool.Remark = plainOnly(pool), f.remark(pool)
	}
}

// remark says what a reader of the verdict should know of a pool.
func (f *finder) remark(pool *Pool) string {
	for _, u := range pool.uses {
		if ast.IsGenerated(u.file) {
			return fmt.Sprintf("%s is generated: its generator is what to change", filepath.Base(f.at(u.sel).Filename))
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
	outer := func(e ast.Expr) {
		for {
			switch x := ast.Unparen(e).(type) {
			case *ast.SelectorExpr:
				e = x.X
				continue
			case *ast.IndexExpr:
				e = x.X
				continue
			case *ast.StarExpr:
				e = x.X
				continue
			case *ast.Ident:
				v, ok := m.pkg.TypesInfo.Uses[x].(*types.Var)
				if ok && (v.Pos() < m.body.Pos() || v.Pos() > m.body.End()) {
					name = x.Name
				}
			}
			return
		}
	}
	ast.Inspect(m.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				outer(l)
			}
		case *ast.IncDecStmt:
			outer(n.X)
		}
		return true
	})
	return name
}

// uncounted says why the calls of a pool's Get cannot be counted.
func (f *finder) uncounted(pool *Pool) string {
	tests := true
	for _, u := range pool.uses {
		at := f.at(u.sel)
		tests = tests && (u.put || strings.HasSuffix(at.Filename, "_test.go"))
		switch {
		case u.put && u.call == nil && u.kind != kinds[0]:
			return fmt.Sprintf("its %s is used as a value in %s:%d", u.sel.Sel.Name, filepath.Base(at.Filename), at.Line)
		case u.put:
		case u.call == nil:
			return fmt.Sprintf("its Get is used as a value in %s:%d, whose calls cannot be counted", filepath.Base(at.Filename), at.Line)
		case f.fset.Position(u.sel.Pos()) != at:
			return fmt.Sprintf("a //line directive stands above its Get in %s:%d, whose calls cannot be counted", filepath.Base(at.Filename), at.Line)
		}
	}
	if tests {
		return "only tests get from it, and what tests do is not counted"
	}
	return ""
}

// asserted is the type that what a Get returns is asserted to, as it is written there.
func asserted(u use) string {
	if a, ok := parentOf(u.path).(*ast.TypeAssertExpr); ok && a.Type != nil {
		return types.TypeString(u.pkg.TypesInfo.TypeOf(a.Type), types.RelativeTo(u.pkg.Types))
	}
	return ""
}

// parentOf is the last node of a path that is no parenthesis.
func parentOf(path []ast.Node) ast.Node {
	for _, n := range slices.Backward(path) {
		if _, ok := n.(*ast.ParenExpr); !ok {
			return n
		}
	}
	return nil
}

func compare(a, b token.Position) int {
	return cmp.Or(cmp.Compare(a.Filename, b.Filename), cmp.Compare(a.Offset, b.Offset))
}

// parameter reports whether a name that is declared at the end of a path is one of a
// function's.
func parameter(path []ast.Node) bool {
	for _, n := range slices.Backward(path) {
		switch n.(type) {
		case *ast.FuncType, *ast.FuncDecl:
			return true
		case *ast.StructType, *ast.ValueSpec, ast.Stmt:
			return false
		}
	}
	return false
}
