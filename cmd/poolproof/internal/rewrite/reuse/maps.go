package reuse

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// emptyMap is make(map[K]V), make(map[K]V, n) or map[K]V{}.
type emptyMap struct {
	in   *source
	a    *allocation
	made ast.Expr
	t    types.Type
	kind ast.Expr // the type, as it is written
	size ast.Expr // nil: none is given
}

// mapped gives the variants of an empty map.
func (a *allocation) mapped(made ast.Expr) ([]Variant, string) {
	m := emptyMap{a.in, a, made, a.in.info.TypeOf(made), nil, nil}
	switch n := made.(type) {
	case *ast.CompositeLit:
		m.kind = n.Type
	case *ast.CallExpr:
		m.kind = n.Args[0]
		if len(n.Args) == 2 {
			m.size = n.Args[1]
		}
	}
	if m.kind == nil {
		return nil, "a map in a literal of several, which may be kept"
	}
	var vs []Variant
	if v := m.presize(); v != nil {
		vs = append(vs, *v)
	}
	l, why := a.local()
	if why != "" {
		return vs, why
	}
	if !types.Identical(l.v.Type(), m.t) {
		return vs, fmt.Sprintf("no pool: %s is of the type %s, and not the map itself", l.v.Name(), a.in.short(l.v.Type()))
	}
	evidence, kept, why := a.lasts(l)
	if why != "" {
		return vs, "no pool: " + why
	}
	v, why := m.again(l, kept, evidence)
	if v != nil {
		vs = append(vs, *v)
	}
	return vs, why
}

// again uses one map again, of a loop or of a pool.
func (m emptyMap) again(l *local, kept *refusal, e Evidence) (*Variant, string) {
	name := l.v.Name()
	empty := m.emptying(name)
	switch {
	case empty == "":
		return nil, "no pool: its keys may be NaN, which only clear of go1.21 takes out"
	case m.size != nil && !isInt(m.in.info.TypeOf(m.size)):
		return nil, "no pool: its size is not of the type int"
	case l.loop != nil:
		return m.hoist(l, e, empty)
	case kept != nil && deferredBefore(l.body, l.stmt.Pos()):
		return nil, afterPut
	}
	v := m.a.begin(Pool, e)
	t := v.typeText(m.t)
	if why := m.in.unnamed(m.t, t, "m", "n"); why != "" {
		return nil, "no pool: " + why
	}
	stem := m.a.stem(name)
	pool, get, put := m.in.free(stem+"Pool"), m.in.free("get"+upper(stem)), m.in.free("put"+upper(stem))
	size, param, with := "", "", ""
	if m.size != nil {
		size, param, with = m.in.code(m.size), "n int", ", n"
	}
	v.put(m.made.Pos(), m.made.End(), fmt.Sprintf("%s(%s)", get, size))
	v.put(l.stmt.End(), l.stmt.End(), "", fmt.Sprintf("defer %s(%s)", put, name))
	v.code = fmt.Sprintf(`// %[1]s has empty maps that were used before.
var %[1]s %[2]s.Pool

// %[3]s returns an empty map, for %[4]s.
func %[3]s(%[6]s) %[5]s {
	if m, ok := %[1]s.Get().(%[5]s); ok {
		return m
	}
	return make(%[5]s%[7]s)
}

// %[4]s empties a map and gives it back, unless it is too large to be kept. Nothing may use it after that.
func %[4]s(m %[5]s) {
	if len(m) > 1<<14 {
		return
	}
	%[8]s
	%[1]s.Put(m)
}
`, pool, v.use("sync", "sync"), get, put, t, param, with, m.emptying("m"))
	return v, ""
}

// hoist makes one map before the loop, and empties it in each iteration.
func (m emptyMap) hoist(l *local, e Evidence, empty string) (*Variant, string) {
	switch {
	case !m.in.named(m.kind, l.loop.Pos()):
		return nil, "its type is declared inside of the loop"
	case m.size != nil && !quiet(m.in.info, m.size):
		return nil, fmt.Sprintf("no hoist: its size %s would be evaluated in the first iteration only", m.in.code(m.size))
	case says(m.in.code(m.made), l.v.Name()):
		return nil, fmt.Sprintf("no hoist: what makes it names another %s", l.v.Name())
	}
	v, kept, why := m.a.before(l, e, m.in.code(m.kind))
	if why != "" {
		return nil, why
	}
	name := l.v.Name()
	v.put(l.stmt.Pos(), l.stmt.End(),
		fmt.Sprintf("%s := %s", name, kept), fmt.Sprintf("if %s == nil {", name),
		fmt.Sprintf("%s = %s", name, m.in.code(m.made)), fmt.Sprintf("%s = %s", kept, name),
		"} else {", empty, "}")
	return v, ""
}

// emptying is code that empties a map; "" where the module's language has none for its keys.
func (m emptyMap) emptying(name string) string {
	switch {
	case m.in.since(21):
		return fmt.Sprintf("clear(%s)", name)
	case mayBeNaN(m.t.Underlying().(*types.Map).Key()):
		return ""
	}
	return fmt.Sprintf("for %[2]s := range %[1]s { delete(%[1]s, %[2]s) }", name, m.in.free("key"))
}

// isInt reports whether a size is of the type int itself, or a constant that can be.
func isInt(t types.Type) bool {
	b, ok := types.Unalias(t).(*types.Basic)
	return ok && (b.Kind() == types.Int || b.Kind() == types.UntypedInt)
}

// presize asks for the memory of all elements at once: of as many as the loop that comes next
// has iterations, or as maps of this place came to.
func (m emptyMap) presize() *Variant {
	into := m.variable()
	if into == nil || m.size != nil || small(m.a) {
		return nil
	}
	v := m.a.begin(Presize, Semantics)
	if over := m.filled(into); over != "" {
		v.put(m.made.Pos(), m.made.End(), fmt.Sprintf("make(%s, len(%s))", m.in.code(m.kind), over))
		return v
	}
	h := hint(v, m.in, m.a.stem(into.Name()), 8, 1<<16)
	v.put(m.made.Pos(), m.made.End(), fmt.Sprintf("make(%s, %s())", m.in.code(m.kind), h.size))
	grows := false
	syntax.Inspect(m.in.file, func(path []ast.Node) bool {
		if s, ok := path[len(path)-1].(ast.Stmt); ok && slices.Contains(syntax.List(path[len(path)-2]), s) {
			if x := adds(m.in.info, s); x != nil && variableOf(m.in.info, x) == into { // nothing else has the map meanwhile
				v.put(s.End(), s.End(), "", fmt.Sprintf("%s(len(%s))", h.note, m.in.code(x)))
				grows = true
			}
		}
		return true
	})
	if !grows {
		return nil
	}
	return v
}

// variable is the variable or field that gets the map; nil if it is not one.
func (m emptyMap) variable() *types.Var {
	switch p := m.a.path[len(m.a.path)-2].(type) {
	case *ast.AssignStmt:
		if len(p.Lhs) == 1 {
			return variableOf(m.in.info, p.Lhs[0])
		}
	case *ast.ValueSpec:
		if len(p.Names) == 1 {
			return variableOf(m.in.info, p.Names[0])
		}
	}
	return nil
}

// adds is the map to which a statement adds an element, or may; nil if it does not.
func adds(info *types.Info, s ast.Stmt) ast.Expr {
	var to ast.Expr
	switch s := s.(type) {
	case *ast.AssignStmt:
		if len(s.Lhs) == 1 {
			to = s.Lhs[0]
		}
	case *ast.IncDecStmt:
		to = s.X
	}
	if index, ok := to.(*ast.IndexExpr); ok {
		if _, is := core(info, index.X).(*types.Map); is {
			return index.X
		}
	}
	return nil
}

// filled returns what the next statement ranges over, if each iteration adds an element to the map;
// "" otherwise.
func (m emptyMap) filled(into *types.Var) string {
	at := len(m.a.path) - 2
	for at > 0 && !slices.ContainsFunc(syntax.List(m.a.path[at-1]), func(s ast.Stmt) bool { return s == m.a.path[at] }) {
		at--
	}
	if at == 0 || into.IsField() {
		return ""
	}
	list := syntax.List(m.a.path[at-1])
	i := slices.IndexFunc(list, func(s ast.Stmt) bool { return s == m.a.path[at] }) + 1
	if i == len(list) {
		return ""
	}
	next := list[i]
	if labeled, ok := next.(*ast.LabeledStmt); ok {
		next = labeled.Stmt
	}
	body := (*ast.BlockStmt)(nil)
	switch loop := next.(type) {
	case *ast.RangeStmt:
		body = loop.Body
	case *ast.ForStmt:
		body = loop.Body
	default:
		return ""
	}
	for i, s := range body.List {
		if x := adds(m.in.info, s); x != nil && variableOf(m.in.info, x) == into && !slices.ContainsFunc(body.List[:i], returns) {
			if over := ranged(m.in, next); over != into.Name() {
				return over
			}
		}
	}
	return ""
}

// group is the most elements of a map that has one allocation.
const group = 8

// small reports whether the maps of the site have one group each, which is asked for at once
// as it is.
func small(a *allocation) bool {
	n, ok := a.node.(*ast.IndexExpr)
	if !ok {
		return false // what make allocates says nothing of what the map grows to
	}
	m := core(a.in.info, n.X).(*types.Map)
	if !nameable(m) || a.site.Size() == 0 {
		return false
	}
	size := a.in.pkg.TypesSizes.Sizeof(types.NewStruct([]*types.Var{
		types.NewVar(token.NoPos, nil, "k", m.Key()), types.NewVar(token.NoPos, nil, "v", m.Elem())}, nil))
	one := float64(8 + group*size)
	return one <= a.site.Size() && a.site.Size() <= 1.13*one // size classes waste an eighth at most
}

// grownMap gives the variants of a map to which an element is added.
func grownMap(a *allocation, n *ast.IndexExpr) ([]Variant, string) {
	if small(a) {
		return nil, fmt.Sprintf("the maps have at most %d elements here, for which memory is asked once", group)
	}
	why := ""
	var vs []Variant
	for _, made := range makers(a, n.X, 3) {
		found, because := made.variants()
		vs = append(vs, found...)
		why = cmp.Or(why, because)
	}
	if len(vs) > 0 {
		return vs, ""
	}
	why = cmp.Or(why, "no function of the file makes it")
	return nil, fmt.Sprintf("the map %s grows: one that is made for as many elements, or kept and emptied with clear, need not (%s)", a.in.code(n.X), why)
}

// makers are the places in the file that make the map of an expression: where the variable
// begins, or a field is set; and those of the arguments, for a parameter, over so many calls.
func makers(a *allocation, e ast.Expr, calls int) (all []*allocation) {
	v := variableOf(a.in.info, e)
	if v == nil || calls == 0 {
		return nil
	}
	ast.Inspect(a.in.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if len(n.Lhs) == len(n.Rhs) && variableOf(a.in.info, l) == v {
					all = maker(all, a, n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if len(n.Names) == len(n.Values) && a.in.info.Defs[id] == v {
					all = maker(all, a, n.Values[i])
				}
			}
		}
		return true
	})
	for at, fn := range takes(a.in.file, a.in.info, v) {
		for _, f := range a.in.pkg.Syntax {
			ast.Inspect(f, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok && calledFunc(a.in.info, call) == fn && at < len(call.Args) {
					if id, ok := ast.Unparen(call.Args[at]).(*ast.Ident); ok && a.in.info.Uses[id] != types.Object(v) {
						caller := *a
						caller.in = a.in.with(f)
						all = append(all, makers(&caller, id, calls-1)...)
					}
				}
				return true
			})
		}
	}
	return all
}

// maker adds what makes an empty map.
func maker(all []*allocation, a *allocation, e ast.Expr) []*allocation {
	e = ast.Unparen(e)
	switch n := e.(type) {
	case *ast.CompositeLit:
	case *ast.CallExpr:
		if builtinOf(a.in.info, n) != "make" {
			return all
		}
	default:
		return all
	}
	made := *a
	made.node, made.path = e, pathToNode(a.in.file, e)
	made.site.Observed = false // that was said of what the map grows by
	return append(all, &made)
}

// takes is the function that has a variable as a parameter, by the place of that.
func takes(file *ast.File, info *types.Info, v *types.Var) map[int]*types.Func {
	if v.Kind() != types.ParamVar {
		return nil
	}
	for _, d := range file.Decls {
		decl, ok := d.(*ast.FuncDecl)
		if !ok || v.Pos() < decl.Pos() || v.Pos() > decl.End() {
			continue
		}
		fn, ok := info.Defs[decl.Name].(*types.Func)
		if !ok {
			continue
		}
		for i := range fn.Signature().Params().Len() {
			if fn.Signature().Params().At(i) == v {
				return map[int]*types.Func{i: fn}
			}
		}
	}
	return nil
}
