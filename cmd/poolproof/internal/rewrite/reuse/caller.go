package reuse

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/oracle"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// callerMade gives the variant of an object that a function returns, in which its callers make it: the function
// becomes one that the compiler puts into its callers, which makes the object and has another one do the
// rest. In a caller where the object ends, the compiler then puts it into the frame. l is the variable of the
// object; nil where it is returned at once. why is the reason that there is no other variant.
func callerMade(a *allocation, l *local, t types.Type, value, why string) ([]Variant, string) {
	f := splitting{a: a, t: t, text: a.in.typeHere(t), value: value}
	if l == nil {
		f.returned(a.path)
	} else {
		f.declared(l)
	}
	if f.decl == nil || a.site.Kept {
		return nil, why // the caller does not get it, or may get several of a call, or gives it away
	}
	v, not := f.split(l)
	if not != "" {
		return nil, why + "; and callers cannot make it: " + not
	}
	return []Variant{*v}, ""
}

// splitting is a function that makes an object for its caller, and becomes two.
type splitting struct {
	a           *allocation
	t           types.Type
	text, value string // the object's type, and what it begins with; "": zero
	decl        *ast.FuncDecl
	nth         int             // which of its results it is
	ret         *ast.ReturnStmt // that makes it; nil: a variable has it
}

// returned finds the statement that returns what a path leads to.
func (f *splitting) returned(path []ast.Node) {
	i := slices.IndexFunc(path, func(n ast.Node) bool { _, ok := n.(*ast.ReturnStmt); return ok })
	if i < 2 || inside[*ast.FuncLit](path) || !slices.Contains(syntax.List(path[i-1]), path[i].(ast.Stmt)) {
		return
	}
	ret := path[i].(*ast.ReturnStmt)
	nth := slices.IndexFunc(ret.Results, func(e ast.Expr) bool { return addressed(e) == path[len(path)-1] })
	if loop, _ := loopAround(path); nth >= 0 && loop == nil && f.gives(path[1].(*ast.FuncDecl), nth) {
		f.ret, f.nth, f.decl = ret, nth, path[1].(*ast.FuncDecl)
	}
}

// addressed is the operand of & in an expression, or the expression.
func addressed(e ast.Expr) ast.Node {
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		return ast.Unparen(u.X)
	}
	return e
}

// declared finds the function that returns a variable, or its address.
func (f *splitting) declared(l *local) {
	path := pathToNode(f.a.in.file, l.stmt)
	if l.loop != nil || inside[*ast.FuncLit](path) {
		return
	}
	for n := range ast.Preorder(l.body) {
		ret, ok := n.(*ast.ReturnStmt)
		if !ok {
			continue
		}
		for nth, e := range ret.Results {
			id, ok := addressed(e).(*ast.Ident)
			if ok && f.a.in.info.Uses[id] == l.v && types.Identical(f.a.in.info.TypeOf(e), types.NewPointer(f.t)) && f.gives(path[1].(*ast.FuncDecl), nth) {
				f.decl, f.nth = path[1].(*ast.FuncDecl), nth
			}
		}
	}
}

// gives reports whether a result of a function is a pointer to such an object, and no interface that has one.
func (f *splitting) gives(decl *ast.FuncDecl, nth int) bool {
	fn, ok := f.a.in.info.Defs[decl.Name].(*types.Func)
	return ok && nth < fn.Signature().Results().Len() && types.Identical(fn.Signature().Results().At(nth).Type(), types.NewPointer(f.t))
}

// mostPassed is how many arguments a call has that the compiler still puts into a caller, in what it makes.
const mostPassed = 9

// split writes the function as two, or says why it cannot be.
func (f *splitting) split(l *local) (*Variant, string) {
	in, decl := f.a.in, f.decl
	names, args, why := f.passed()
	head := in.code(span{decl.Pos(), decl.Body.Lbrace})
	switch {
	case f.text == "" || !every(f.t, func(name *types.TypeName) bool {
		_, param := name.Type().(*types.TypeParam)
		return param || name.Pkg() == nil || name.Parent() == name.Pkg().Scope()
	}):
		return nil, "its type has no name outside of the function"
	case says(f.text, names...):
		return nil, "a parameter hides its type"
	case why != "":
		return nil, why
	case strings.Contains(head, "//"):
		return nil, "there is a comment between the parameters"
	case len(args) >= mostPassed:
		return nil, "the function has many parameters"
	case decl.Doc != nil && slices.ContainsFunc(decl.Doc.List, func(c *ast.Comment) bool {
		return strings.HasPrefix(c.Text, "//go:") || strings.HasPrefix(c.Text, "//export ")
	}):
		return nil, "the function has a directive"
	case jumps(decl.Body):
		return nil, "the function has a goto"
	case asksCaller(in, decl.Body, map[*ast.FuncDecl]bool{}):
		return nil, "the function asks what stands on the stack"
	case l != nil && f.stored(l) != "":
		return nil, f.stored(l)
	case f.others(l):
		return nil, "the function returns another object, too, for which they would make one in vain"
	case in.renumbered() || len(f.a.facts) == 0:
		return nil, "nothing is known of the compiler there"
	case f.inlined():
		return nil, fmt.Sprintf("the compiler puts %s into its callers as it is, and the object does not end there", decl.Name.Name)
	}
	made, into := in.free("made"), in.free(lower(decl.Name.Name)+"Into")
	v := f.a.begin(StackCaller, Semantics)
	v.Remark = fmt.Sprintf("a caller that keeps the object allocates it also where the function returns without one, and on the stack is %s", into)
	call, params := into, ""
	if decl.Recv != nil {
		call = names[0] + "." + into
	} else if list := decl.Type.TypeParams; list != nil {
		for _, field := range list.List {
			for _, id := range field.Names {
				params += ", " + id.Name
			}
		}
		params = "[" + params[2:] + "]"
	}
	v.put(decl.Pos(), decl.Pos(), strings.Join(strings.Fields(head), " ")+" {",
		fmt.Sprintf("return %s%s(new(%s)%s)", call, params, f.text, strings.Join(append([]string{""}, args...), ", ")), "}", "", "")
	v.put(decl.Name.Pos(), decl.Name.End(), into)
	first := made + " *" + f.text
	if len(decl.Type.Params.List) > 0 {
		first += ", "
	}
	v.put(decl.Type.Params.Opening+1, decl.Type.Params.Opening+1, first)
	var begin []string
	if f.value != "" {
		begin = []string{fmt.Sprintf("*%s = %s", made, f.value)}
	}
	if f.ret == nil {
		v.put(l.stmt.Pos(), l.stmt.End(), append(begin, fmt.Sprintf("%s := %s", l.v.Name(), made))...)
		if !types.Identical(l.v.Type(), types.NewPointer(f.t)) {
			return v, byPointer(in, l, v)
		}
		return v, ""
	}
	results := make([]string, len(f.ret.Results))
	for i, e := range f.ret.Results {
		results[i] = in.code(e)
		if i < f.nth && calls(in.info, e) {
			return nil, "another result comes before it from a call"
		}
	}
	results[f.nth] = made
	v.put(f.ret.Pos(), f.ret.End(), append(begin, "return "+strings.Join(results, ", "))...)
	return v, ""
}

// stored says what keeps a pointer to the object beside a return, whoever the caller is; "" if nothing is known to.
// What becomes of it in calls, and in function values that the compiler does not put on the heap, is for the compiler.
func (f *splitting) stored(l *local) string {
	k := turnKeeper{f.a.in, newKeeper(f.a.in), map[*types.Var]bool{}}
	k.uses.late = true // a return is none
	r := k.keeps(l.v, l.body, types.Identical(l.v.Type(), types.NewPointer(f.t)))
	if r == nil {
		return ""
	}
	path := pathTo(f.a.in.file, func(n ast.Node) bool { _, ok := n.(*ast.Ident); return ok && n.Pos() == r.at })
	passed := false
	for i := len(path) - 1; path[i] != ast.Node(l.body); i-- {
		kept := false
		switch n := path[i].(type) {
		case *ast.CallExpr: // as a number, the address of what is in a frame may change
			passed, kept = true, f.a.in.info.TypeOf(n.Fun) == types.Typ[types.UnsafePointer]
		case *ast.GoStmt:
			kept = true
		case *ast.FuncLit:
			text, _ := f.a.fact(n.Pos())
			kept = strings.HasSuffix(text, " escapes to heap")
		case *ast.SendStmt, *ast.CompositeLit:
			kept = !passed
		case *ast.AssignStmt:
			_, variable := n.Lhs[0].(*ast.Ident)
			kept = !passed && !variable
		}
		if kept {
			return k.uses.say(r)
		}
	}
	return ""
}

// inlined reports whether the compiler can put the function into its callers as it is.
func (f *splitting) inlined() bool {
	p, generic := f.a.in.pkg.Fset.PositionFor(f.decl.Name.Pos(), false), generic(f.a.in.info, []ast.Node{f.decl})
	return slices.ContainsFunc(f.a.facts, func(fact oracle.Fact) bool {
		return fact.Line == p.Line && fact.File == filepath.Base(p.Filename) && strings.HasPrefix(fact.Text, oracle.Inlines) &&
			strings.Contains(fact.Text, "[go.shape.") == generic // without, it calls the one with the shape
	})
}

// passed lists the names of the function's parameters, the receiver first, and the arguments by which another
// function is passed them all; or says why they cannot be passed on.
func (f *splitting) passed() (names, args []string, why string) {
	for i, list := range []*ast.FieldList{f.decl.Recv, f.decl.Type.Params, f.decl.Type.Results} {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			if i < 2 && len(field.Names) == 0 {
				return nil, nil, "a parameter has no name"
			}
			for _, id := range field.Names {
				arg := id.Name
				if _, more := field.Type.(*ast.Ellipsis); more {
					arg += "..."
				}
				switch names = append(names, id.Name); {
				case i < 2 && id.Name == "_":
					return nil, nil, "a parameter has no name"
				case i == 1:
					args = append(args, arg)
				}
			}
		}
	}
	return names, args, ""
}

// asksCaller reports whether a function, or one of the package that it calls, asks what stands above it on the
// stack: there is one function more.
func asksCaller(a *source, body ast.Node, done map[*ast.FuncDecl]bool) bool {
	for n := range ast.Preorder(body) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			continue
		}
		if builtinOf(a.info, call) == "recover" && len(done) == 0 {
			return true
		}
		fn := calledFunc(a.info, call)
		if fn == nil {
			continue
		}
		if name := fn.FullName(); name == "runtime.Caller" || name == "runtime.Callers" || name == "runtime/debug.Stack" {
			return true
		}
		if decl := syntax.Declaration(a.info, a.pkg.Syntax, fn.Origin()); decl != nil && decl.Body != nil && !done[decl] {
			done[decl] = true
			if asksCaller(a, decl.Body, done) {
				return true
			}
		}
	}
	return false
}

// others reports whether the function may return something that is neither nil nor the object.
func (f *splitting) others(l *local) (others bool) {
	info := f.a.in.info
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if n == f.ret {
				return false
			}
			nth := f.nth
			if len(n.Results) <= nth || len(n.Results) == 1 && f.decl.Type.Results.NumFields() > 1 {
				others = true // named, or those of a call
				return false
			}
			id, ok := addressed(n.Results[nth]).(*ast.Ident)
			others = others || !ok || !info.Types[n.Results[nth]].IsNil() && (l == nil || info.Uses[id] != l.v)
		}
		return true
	})
	return others
}
