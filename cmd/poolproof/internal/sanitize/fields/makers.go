package fields

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// Maker is a function that makes objects: the New of a pool, or a function that makes one
// where Get gives none. If other code keeps the objects too, a registry for example that
// counts what all of them hold, that code may use them after their Put.
type Maker struct {
	Types   []string `json:"types,omitempty"`   // of what it returns: import/path.Type
	Generic string   `json:"generic,omitempty"` // the function or type that has the type parameter which it returns
	Spread
	From []string `json:"from,omitempty"` // functions whose results it returns
}

// makers asks of one function what it makes, and where its parameters go to.
type makers struct{ function }

// visit notes what makes objects for pools at one node.
func (f makers) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.FuncDecl:
		f.gives()
	case *ast.FuncLit:
		if oneResult(f.typeOf(n)) && !f.calledAtOnce(n) {
			f.note(f.maker(n, n.Body, nil))
		}
	case *ast.Ident, *ast.SelectorExpr:
		if fn := f.asValue(n.(ast.Expr)); fn != nil && oneResult(fn.Type()) {
			f.note(Maker{Types: typeNames(resultOf(fn)), From: []string{fn.FullName()}})
		}
	case *ast.CallExpr:
		if fn := f.callee(n); fn != nil && fn.FullName() == "(*sync.Pool).Get" {
			if body := f.bodyAround(n); body != nil {
				f.note(f.maker(f.parents[body], body, n))
			}
		}
	}
}

func (f makers) note(m Maker) {
	if m.Kept || len(m.To)+len(m.From) > 0 {
		f.facts.Makers = append(f.facts.Makers, m)
	}
}

// oneResult reports whether a function could be a New: it has no parameters, and one
// result that refers to something.
func oneResult(t types.Type) bool {
	sig, ok := under(t).(*types.Signature)
	return ok && sig.Params().Len() == 0 && sig.Results().Len() == 1 && refers(sig.Results().At(0).Type())
}

func resultOf(fn *types.Func) types.Type {
	if sig, ok := fn.Type().(*types.Signature); ok && sig.Results().Len() > 0 {
		return sig.Results().At(0).Type()
	}
	return nil
}

// calledAtOnce reports whether a function literal is called where it stands.
func (f makers) calledAtOnce(lit *ast.FuncLit) bool {
	call, ok := f.parents[lit].(*ast.CallExpr)
	return ok && call.Fun == lit
}

// asValue returns the function that an expression names without a call.
func (f makers) asValue(e ast.Expr) *types.Func {
	id, ok := e.(*ast.Ident)
	if sel, isSel := e.(*ast.SelectorExpr); isSel {
		id, ok = sel.Sel, true
	} else if sel, isSel := f.parents[e].(*ast.SelectorExpr); isSel && sel.Sel == id {
		return nil
	}
	if call, isCall := f.parents[e].(*ast.CallExpr); !ok || isCall && call.Fun == e {
		return nil
	}
	fn, ok := f.info.Uses[id].(*types.Func)
	if !ok || f.stdFunc(fn) || dynamic(fn) {
		return nil
	}
	return fn.Origin()
}

// bodyAround is the body of the innermost function that a node stands in.
func (f makers) bodyAround(n ast.Node) *ast.BlockStmt {
	for n = f.parents[n]; n != nil; n = f.parents[n] {
		switch n := n.(type) {
		case *ast.FuncLit:
			return n.Body
		case *ast.FuncDecl:
			return n.Body
		}
	}
	return nil
}

// maker follows all that a function makes and returns. get is the Get after which
// it does so, if it is no New.
func (f makers) maker(node ast.Node, body *ast.BlockStmt, get *ast.CallExpr) (m Maker) {
	const most = 64 // expressions that make something; a function with more is no constructor
	n := 0
	ast.Inspect(body, func(at ast.Node) bool {
		e, ok := at.(ast.Expr)
		if _, nested := at.(*ast.FuncLit); nested || n > most {
			return false
		}
		if !ok || !f.start(e) {
			return true
		}
		n++
		s := f.newSpread(node)
		if get != nil {
			s.within = f.branch(e, get)
		}
		s.flow(e, false)
		if !s.returned && s.within == nil {
			return true
		}
		m.add(f, e, s)
		return true
	})
	if get == nil {
		for _, t := range f.returnedTypes(body) {
			m.addTypes(f, t)
		}
	}
	return m
}

// add joins what became of one thing that was made and is returned.
func (m *Maker) add(f makers, e ast.Expr, s *spread) {
	if s.out.Kept && !m.Kept {
		m.Kept, m.At = true, s.out.At
	}
	m.To = append(m.To, s.out.To...)
	if call, ok := e.(*ast.CallExpr); ok {
		fn := f.callee(call)
		if fn != nil && !dynamic(fn) && !f.stdFunc(fn) {
			m.From = append(m.From, fn.FullName())
		}
		if fn != nil && f.stdFunc(fn) {
			return // what the standard library makes of it, as an element of a list
		}
	}
	m.addTypes(f, f.typeOf(e))
}

func (m *Maker) addTypes(f makers, t types.Type) {
	if m.Generic == "" && t != nil && isTypeParam(pointee(t)) {
		m.Generic = f.generic()
	}
	for _, name := range typeNames(t) {
		if !slices.Contains(m.Types, name) {
			m.Types = append(m.Types, name)
		}
	}
}

// generic is the name of the function, or of the type whose method it is, if that has type
// parameters.
func (f makers) generic() string {
	if f.decl == nil {
		return ""
	}
	fn, ok := f.info.Defs[f.decl.Name].(*types.Func)
	if !ok {
		return ""
	}
	if recv := fn.Type().(*types.Signature).Recv(); recv != nil {
		for _, name := range typeNames(recv.Type()) {
			return name
		}
	}
	return fn.FullName()
}

// start reports whether an expression makes something, or has it made by a function.
func (f makers) start(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		if tv, ok := f.info.Types[e.Fun]; ok && tv.IsType() {
			return false
		}
		switch f.builtin(e) {
		case "new", "make":
			return true
		case "":
			fn := f.callee(e)
			return refers(f.typeOf(e)) && (fn == nil || !strings.HasPrefix(fn.FullName(), "(*sync.Pool)."))
		}
	}
	return false
}

// branch is the block of an if in which something is made for a variable that a Get
// has set before; nil if the function makes it for another variable.
func (f makers) branch(e ast.Expr, get *ast.CallExpr) ast.Node {
	gets := f.parents[get]
	if assert, ok := gets.(*ast.TypeAssertExpr); ok {
		gets = f.parents[assert]
	}
	assign, ok := gets.(*ast.AssignStmt)
	if !ok || len(assign.Lhs) == 0 {
		return nil
	}
	id, ok := assign.Lhs[0].(*ast.Ident)
	if !ok {
		return nil
	}
	v := f.objectOf(id)
	var block ast.Node
	for n := ast.Node(e); n != nil; n = f.parents[n] {
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) > 0 {
			if left, ok := a.Lhs[0].(*ast.Ident); !ok || f.objectOf(left) != v {
				return nil
			}
			block = f.parents[a]
			break
		}
	}
	if b, ok := block.(*ast.BlockStmt); ok {
		if _, ok := f.parents[b].(*ast.IfStmt); ok {
			return b
		}
	}
	return nil
}

// returnedTypes are the types of what a function returns, as its expressions have them.
func (f makers) returnedTypes(body *ast.BlockStmt) (all []types.Type) {
	ast.Inspect(body, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		if r, ok := n.(*ast.ReturnStmt); ok && len(r.Results) > 0 {
			all = append(all, f.typeOf(r.Results[0]))
		}
		return true
	})
	return all
}

// gives says where a function's parameters go to, and what it makes.
func (f makers) gives() {
	fn, ok := f.info.Defs[f.decl.Name].(*types.Func)
	if !ok {
		return
	}
	for v, i := range f.params {
		if !refers(v.Type()) {
			continue
		}
		s := f.newSpread(f.decl)
		s.uses(v)
		if s.out.Kept || len(s.out.To) > 0 {
			if f.out.Gives == nil {
				f.out.Gives = map[int]Spread{}
			}
			f.out.Gives[i] = s.out
		}
	}
	if refers(resultOf(fn)) {
		if m := f.maker(f.decl, f.decl.Body, nil); m.Kept || len(m.To)+len(m.From) > 0 {
			f.out.Makes = &m
		}
	}
}

// registered returns, by type, where objects that were made for a pool are given to code that
// keeps them.
func (l *linker) registered(all []*Facts) map[string]string {
	found := map[string]string{}
	for _, f := range all {
		if f == nil {
			continue
		}
		for i := range f.Makers {
			if at := l.keptBy(&f.Makers[i], map[string]bool{}); at != "" {
				l.typesOf(&f.Makers[i], all, func(name string) { found[name] = at }, map[string]bool{})
			}
		}
	}
	return found
}

// typesOf names the types of what a maker returns, also by way of functions that return any.
func (l *linker) typesOf(m *Maker, all []*Facts, add func(name string), seen map[string]bool) {
	for _, t := range m.Types {
		add(t)
	}
	if m.Generic != "" {
		for _, f := range all {
			if f != nil {
				for _, t := range f.Instances[m.Generic] {
					add(t)
				}
			}
		}
	}
	for _, name := range m.From {
		if fn, ok := l.funcs[name]; ok && fn.Makes != nil && !seen[name] {
			seen[name] = true
			l.typesOf(fn.Makes, all, add, seen)
		}
	}
}

// keptBy returns where something that a maker makes is kept; "" if it is not.
func (l *linker) keptBy(m *Maker, seen map[string]bool) string {
	if at := l.spreads(m.Spread, seen); at != "" {
		return at
	}
	for _, name := range m.From {
		if seen["of "+name] {
			continue
		}
		seen["of "+name] = true
		if fn, ok := l.funcs[name]; ok && fn.Makes != nil {
			if at := l.keptBy(fn.Makes, seen); at != "" {
				return at
			}
		}
	}
	return ""
}

func (l *linker) spreads(s Spread, seen map[string]bool) string {
	if s.Kept {
		return s.At
	}
	for _, a := range s.To {
		key := a.Func + " " + itoa(a.N)
		if seen[key] {
			continue
		}
		seen[key] = true
		fn, ok := l.funcs[a.Func]
		if !ok {
			continue // it has no body, or no parameter with a name
		}
		if at := l.spreads(fn.Gives[a.N], seen); at != "" {
			return at
		}
	}
	return ""
}
