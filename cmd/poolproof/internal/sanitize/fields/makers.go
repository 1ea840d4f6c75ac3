package fields

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// Maker is one thing that a function makes and returns: the New of a pool, or a function that
// makes an object where Get gives none. If other code keeps the thing too, a registry for example
// that counts what all objects hold, that code may use it after its Put.
type Maker struct {
	Types   []string `json:"types,omitempty"`   // of the thing: import/path.Type
	Generic string   `json:"generic,omitempty"` // the function or type that has the type parameter of which it is
	Spread
	From   *Handed `json:"from,omitempty"`   // the function that makes it
	Unless string  `json:"unless,omitempty"` // a field: this says nothing if the program sets it to false, 0 or nil
}

// makers asks of one function what it makes, and where its parameters go to.
type makers struct {
	body  *body
	facts *Facts
	read  map[*types.Var][]*ast.Ident // see reads
}

// visit notes what makes objects for pools at one node.
func (f *makers) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.FuncDecl:
		f.gives()
		if fn, ok := f.body.info.Defs[n.Name].(*types.Func); ok && n.Recv != nil {
			f.facts.value(fn.Name(), fn.Signature(), fn.FullName(), 0)
		}
	case *ast.FuncLit:
		if oneResult(f.body.typeOf(n)) && !f.calledAtOnce(n) && !f.onlyCalled(n) {
			f.note(f.made(n, nil))
		}
		f.asHook(n)
	case *ast.Ident, *ast.SelectorExpr:
		fn := f.asValue(n.(ast.Expr))
		if fn == nil {
			return
		}
		if oneResult(fn.Type()) {
			m := Maker{From: &Handed{Arg: Arg{Func: fn.FullName()}, Held: map[int]Holder{0: {Lives: true}}}}
			m.addTypes(f, resultOf(fn))
			f.note([]Maker{m})
		}
		f.valueOf(n.(ast.Expr), fn)
	case *ast.CallExpr:
		if fn := f.body.callee(n); fn != nil && fn.FullName() == "(*sync.Pool).Get" {
			if around := f.body.inner(n); around != nil {
				f.note(f.made(around, n))
			}
		}
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

func (f *makers) note(all []Maker) {
	for _, m := range all {
		if !m.Spread.empty() || m.From != nil {
			f.facts.Makers = append(f.facts.Makers, m)
		}
	}
}

// oneResult reports whether a function could be a New: it has no parameters, and one
// result that refers to something.
func oneResult(t types.Type) bool {
	sig, ok := under(t).(*types.Signature)
	return ok && sig.Params().Len() == 0 && sig.Results().Len() == 1 && refers(sig.Results().At(0).Type())
}

func resultOf(fn *types.Func) types.Type {
	if results := fn.Signature().Results(); results.Len() > 0 {
		return results.At(0).Type()
	}
	return nil
}

// calledAtOnce reports whether a function literal is called where it stands.
func (f *makers) calledAtOnce(lit *ast.FuncLit) bool {
	call, ok := f.body.parents[lit].(*ast.CallExpr)
	return ok && call.Fun == lit
}

// onlyCalled reports whether a function literal is the value of a variable that is only called: it
// is a helper, and no pool has it.
func (f *makers) onlyCalled(lit *ast.FuncLit) bool {
	a, ok := f.body.parents[lit].(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 1 {
		return false
	}
	id, ok := a.Lhs[0].(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := f.body.objectOf(id).(*types.Var)
	if !ok || v.Pkg() == nil || v.Parent() == v.Pkg().Scope() {
		return false
	}
	return !slices.ContainsFunc(f.reads(v), func(id *ast.Ident) bool {
		call, ok := f.body.parents[id].(*ast.CallExpr)
		return !ok || call.Fun != ast.Expr(id)
	})
}

// asValue returns the function that an expression names without a call.
func (f *makers) asValue(e ast.Expr) *types.Func {
	id, ok := e.(*ast.Ident)
	if sel, isSel := e.(*ast.SelectorExpr); isSel {
		id, ok = sel.Sel, true
	} else if sel, isSel := f.body.parents[e].(*ast.SelectorExpr); isSel && sel.Sel == id {
		return nil
	}
	if call, isCall := f.body.parents[e].(*ast.CallExpr); !ok || isCall && call.Fun == e {
		return nil
	}
	fn, ok := f.body.info.Uses[id].(*types.Func)
	if !ok || f.body.stdFunc(fn) || dynamic(fn) {
		return nil
	}
	return fn.Origin()
}

// made follows all that a function makes and returns. get is the Get after which
// it does so, if it is no New.
func (f *makers) made(node ast.Node, get *ast.CallExpr) (all []Maker) {
	const most = 64 // expressions that make something; a function with more is no constructor
	n := 0
	ast.Inspect(node, func(at ast.Node) bool {
		e, ok := at.(ast.Expr)
		if _, lit := at.(*ast.FuncLit); lit && at != node || n > most {
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
		if s.returned || s.within != nil {
			all = append(all, f.thing(e, s))
		}
		return true
	})
	return all
}

// thing is one thing that is made and returned, and what became of it.
func (f *makers) thing(e ast.Expr, s *spread) Maker {
	m := Maker{Spread: s.out}
	if call, ok := e.(*ast.CallExpr); ok {
		fn := f.body.callee(call)
		if fn != nil && f.body.stdFunc(fn) {
			return m // what the standard library makes of it, as an element of a list
		}
		if fn != nil && !dynamic(fn) {
			m.From = s.handed(call, fn.FullName(), -1)
		}
	}
	m.addTypes(f, f.body.typeOf(e))
	return m
}

func (m *Maker) addTypes(f *makers, t types.Type) {
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
func (f *makers) generic() string {
	if f.body.decl == nil {
		return ""
	}
	fn, ok := f.body.info.Defs[f.body.decl.Name].(*types.Func)
	if !ok {
		return ""
	}
	if recv := fn.Signature().Recv(); recv != nil {
		for _, name := range typeNames(recv.Type()) {
			return name
		}
	}
	return fn.FullName()
}

// start reports whether an expression makes something, or has it made by a function.
func (f *makers) start(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		if tv, ok := f.body.info.Types[e.Fun]; ok && tv.IsType() {
			return false
		}
		switch f.body.builtin(e) {
		case "new", "make":
			return true
		case "":
			fn := f.body.callee(e)
			return refers(f.body.typeOf(e)) && (fn == nil || !strings.HasPrefix(fn.FullName(), "(*sync.Pool)."))
		}
	}
	return false
}

// branch is the block of an if in which something is made for a variable that a Get
// has set before; nil if the function makes it for another variable.
func (f *makers) branch(e ast.Expr, get *ast.CallExpr) ast.Node {
	gets := f.body.parents[get]
	if assert, ok := gets.(*ast.TypeAssertExpr); ok {
		gets = f.body.parents[assert]
	}
	assign, ok := gets.(*ast.AssignStmt)
	if !ok || len(assign.Lhs) == 0 {
		return nil
	}
	id, ok := assign.Lhs[0].(*ast.Ident)
	if !ok {
		return nil
	}
	v := f.body.objectOf(id)
	var block ast.Node
	for n := ast.Node(e); n != nil; n = f.body.parents[n] {
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) > 0 {
			if left, ok := a.Lhs[0].(*ast.Ident); !ok || f.body.objectOf(left) != v {
				return nil
			}
			block = f.body.parents[a]
			break
		}
	}
	if b, ok := block.(*ast.BlockStmt); ok {
		if _, ok := f.body.parents[b].(*ast.IfStmt); ok {
			return b
		}
	}
	return nil
}

// gives says where a function's parameters go to, and what it makes.
func (f *makers) gives() {
	fn, ok := f.body.info.Defs[f.body.decl.Name].(*types.Func)
	if !ok {
		return
	}
	for v, i := range f.body.params {
		if !refers(v.Type()) {
			continue
		}
		s := f.newSpread(f.body.decl)
		s.uses(v)
		if !s.out.empty() {
			put(&f.body.out.Gives, i, s.out)
		}
	}
	if refers(resultOf(fn)) {
		for _, m := range f.made(f.body.decl, nil) {
			if !m.Spread.empty() || m.From != nil || len(m.Types) > 0 || m.Generic != "" {
				f.body.out.Makes = append(f.body.out.Makes, m)
			}
		}
	}
}
