package fields

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// makers asks of one function what it makes, and where its parameters go to.
type makers struct {
	body  *body
	facts *Facts
}

// literal notes what a function literal makes, which may be a New, and what it does with its parameters.
func (f *makers) literal(lit *ast.FuncLit) {
	sig, ok := under(f.body.typeOf(lit)).(*types.Signature)
	if call, called := f.body.parents[lit].(*ast.CallExpr); !ok || called && call.Fun == lit {
		return
	}
	if oneResult(sig) && !f.onlyCalled(lit) {
		f.note(f.made(lit, nil), lit)
	}
	var out Func
	for i := range sig.Params().Len() {
		v := sig.Params().At(i)
		if !poolable(v.Type()) {
			continue
		}
		s := newSpread(f.body, lit)
		s.uses(v)
		if goes := s.goes(); !goes.empty() {
			put(&out.Gives, i, goes)
		}
	}
	if out.Gives != nil {
		name := "literal " + f.body.pkg + " " + f.body.at(lit) + " " + strconv.Itoa(int(lit.Pos()))
		f.facts.Funcs[name] = out
		f.facts.value("", sig, name, 0)
	}
}

// named notes a function that is named without a call: it may be a New, or called by way of its value.
func (f *makers) named(e ast.Expr) {
	fn := f.asValue(e)
	if fn == nil {
		return
	}
	sig := fn.Signature()
	if oneResult(sig) {
		m := Maker{From: &Handed{Arg: Arg{Func: fn.FullName()}, Held: map[int]Holder{0: {Lives: true}}}}
		f.note([]Maker{f.typed(m, sig.Results().At(0).Type())}, fn)
	}
	if sig.Recv() == nil {
		f.facts.value("", sig, fn.FullName(), 0)
	} else if sel, ok := e.(*ast.SelectorExpr); ok { // T.Method, whose first parameter is the receiver, is rare
		if chosen := f.body.info.Selections[sel]; chosen != nil && chosen.Kind() == types.MethodVal {
			f.facts.value("", sig, fn.FullName(), 1)
		}
	}
}

// get notes what the function makes where a Get gives it nothing.
func (f *makers) get(call *ast.CallExpr) {
	if fn := f.body.callee(call); fn != nil && fn.FullName() == "(*sync.Pool).Get" {
		if around := f.body.inner(call); around != nil {
			f.note(f.made(around, call), around)
		}
	}
}

// note notes what a function makes: a literal or a declaration, or one that is named; nil for what any
// code may do.
func (f *makers) note(all []Maker, in interface{ Pos() token.Pos }) {
	for _, m := range all {
		if fn, ok := in.(*types.Func); in != nil && (!ok || fn.Pkg() != nil && fn.Pkg().Path() == f.body.pkg) {
			m.In = f.body.pkg + " " + f.body.at(in)
		}
		f.facts.Makers = append(f.facts.Makers, m)
	}
}

// oneResult reports whether a function could be a New: it has no parameters, and one
// result that refers to something.
func oneResult(sig *types.Signature) bool {
	return sig.Params().Len() == 0 && sig.Results().Len() == 1 && refers(sig.Results().At(0).Type())
}

// onlyCalled reports whether a function literal is the value of a variable that is only called: it
// is a helper, and no pool has it.
func (f *makers) onlyCalled(lit *ast.FuncLit) bool {
	a, ok := f.body.parents[lit].(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 1 {
		return false
	}
	v := f.body.variable(a.Lhs[0])
	return v != nil && !packageLevel(v) && !slices.ContainsFunc(f.body.reads[v], func(id *ast.Ident) bool {
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
		s := newSpread(f.body, node)
		if get != nil {
			s.within = f.branch(e, get)
		}
		s.flow(e)
		if s.returned || s.within != nil {
			all = append(all, f.thing(e, s))
		}
		return true
	})
	return all
}

// thing is one thing that is made and returned, and what became of it.
func (f *makers) thing(e ast.Expr, s *spread) Maker {
	m := Maker{Spread: s.goes()}
	if call, ok := e.(*ast.CallExpr); ok && f.body.builtin(call) == "" {
		switch fn := f.body.callee(call); {
		case fn == nil || dynamic(fn):
			m.Open = true
		case !f.body.stdFunc(fn):
			m.From = s.handed(call, fn.FullName(), -1)
		}
	}
	return f.typed(m, f.body.typeOf(e))
}

// typed returns a thing with its type.
func (f *makers) typed(m Maker, t types.Type) Maker {
	if isTypeParam(pointee(t)) {
		m.Generic = f.generic()
	}
	m.Types = typeNames(t)
	return m
}

// generic is the name of the function, or of the type whose method it is, if that has type
// parameters.
func (f *makers) generic() string {
	fn := f.body.fn
	if fn == nil {
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
		if f.body.info.Types[e.Fun].IsType() {
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
	v := f.body.variable(assign.Lhs[0])
	var block ast.Node
	for n := ast.Node(e); n != nil; n = f.body.parents[n] {
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) > 0 {
			if v == nil || f.body.variable(a.Lhs[0]) != v {
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

// gives says where a function's parameters go to, and what it makes. A method may be called by its interface.
func (f *makers) gives() {
	fn := f.body.fn
	if fn == nil {
		return
	}
	if fn.Signature().Recv() != nil {
		f.facts.value(fn.Name(), fn.Signature(), fn.FullName(), 0)
	}
	for v, i := range f.body.params {
		if !refers(v.Type()) {
			continue
		}
		s := newSpread(f.body, f.body.decl)
		s.uses(v)
		if goes := s.goes(); !goes.empty() {
			put(&f.body.out.Gives, i, goes)
		}
	}
	if results := fn.Signature().Results(); results.Len() > 0 && refers(results.At(0).Type()) {
		for _, m := range f.made(f.body.decl, nil) {
			if !m.Spread.empty() || m.From != nil || len(m.Types) > 0 || m.Generic != "" {
				f.body.out.Makes = append(f.body.out.Makes, m)
			}
		}
	}
}
