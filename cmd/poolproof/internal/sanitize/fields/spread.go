package fields

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// spread follows one value through a function: into variables, literals and closures, and
// into what is made of it. It does not ask what a field of the value holds, but for what
// is given away of it: an address, a slice, a map, a pointer.
type spread struct {
	body     *body
	maker    ast.Node // the function that the value lives in: a declaration or a literal
	within   ast.Node // where a variable that had another value before holds this one; nil: everywhere
	nested   bool     // it follows a local variable that a function may store the value in
	seen     map[types.Object]bool
	closures map[*ast.FuncLit]bool
	out      Spread
	boxed    bool // it is a part of something else, too: what is loaded from that may be the value
	returned bool
}

func newSpread(b *body, maker ast.Node) *spread {
	return &spread{body: b, maker: maker, seen: map[types.Object]bool{}, closures: map[*ast.FuncLit]bool{}}
}

func (s *spread) keep(at ast.Node) {
	if !s.out.Kept {
		s.out.Kept, s.out.Part, s.out.At = true, false, s.body.at(at)
	}
}

// keepPart notes that what a field refers to is kept.
func (s *spread) keepPart(at ast.Node) {
	if !s.out.Part && !s.out.Kept {
		s.out.Part, s.out.At = true, s.body.at(at)
	}
}

// goes is where the value goes to.
func (s *spread) goes() Spread {
	if s.boxed && s.out.Part {
		s.out.Kept, s.out.Part = true, false
	}
	return s.out
}

// store notes that the value is stored in memory of h.
func (s *spread) store(h Holder, at ast.Node) {
	switch {
	case h.Lives:
		s.keep(at)
	case !slices.Contains(s.out.Into, h):
		s.out.Into = append(s.out.Into, h)
		s.out.At = cmp.Or(s.out.At, s.body.at(at))
	}
}

// uses follows a variable that has the value.
func (s *spread) uses(v *types.Var) {
	if s.seen[v] {
		return
	}
	s.seen[v] = true
	for _, id := range s.body.reads[v] {
		if !s.inside(id) {
			continue
		}
		for n := s.body.parents[id]; n != nil && n != s.maker; n = s.body.parents[n] {
			if lit, ok := n.(*ast.FuncLit); ok && s.inside(lit) && (v.Pos() < lit.Pos() || v.Pos() > lit.End()) && !s.closures[lit] {
				s.closures[lit] = true
				s.flow(lit)
			}
		}
		s.flow(id)
	}
}

// inside reports whether a node is where the variable holds the value.
func (s *spread) inside(n ast.Node) bool {
	return s.within == nil || s.within.Pos() <= n.Pos() && n.End() <= s.within.End()
}

// flow follows the value outwards, from an expression that has it. A part is memory in the value,
// or what a field of it refers to: that is loaded, and is no pointer to the value. It
// counts where it is stored for good, and is not followed further. So does memory that a method of
// the standard library returns.
func (s *spread) flow(here ast.Node) {
	part, loaded := false, false
	for {
		parent := s.body.parents[here]
		switch p := parent.(type) {
		case *ast.ParenExpr, *ast.TypeAssertExpr:
		case *ast.KeyValueExpr, *ast.CompositeLit:
			s.boxed = true
		case *ast.UnaryExpr:
			if p.Op != token.AND {
				return
			}
		case *ast.SliceExpr:
			if p.X != here {
				return
			}
		case *ast.SelectorExpr:
			if p.X != here {
				return
			}
			chosen := s.body.info.Selections[p]
			if chosen == nil {
				return
			}
			if call, ok := s.body.parents[p].(*ast.CallExpr); ok && call.Fun == p && chosen.Kind() != types.FieldVal {
				if part || !s.method(call) {
					return
				}
				parent = call
				if fn := s.body.callee(call); fn != nil && s.body.stdFunc(fn) && isSlice(s.body.typeOf(call)) {
					part, loaded = true, true
				} else {
					s.boxed = true
				}
				break
			}
			if chosen.Kind() == types.FieldVal {
				if parent = s.ofPart(p); parent == nil {
					return
				}
				part, loaded = true, loaded || parent == ast.Node(p)
			}
		case *ast.IndexExpr:
			if p.Index == here { // a key
				if _, counted := s.body.parents[p].(*ast.IncDecStmt); counted || s.body.stored(p) {
					s.into(p.X)
				}
				return
			}
			if parent = s.ofPart(p); parent == nil {
				return
			}
			part, loaded = true, loaded || parent == ast.Node(p)
		case *ast.CallExpr:
			if loaded && s.body.builtin(p) != "append" || !s.given(p, here) {
				return
			}
			s.boxed = s.boxed || !loaded
		case *ast.AssignStmt:
			if sw, ok := s.body.parents[p].(*ast.TypeSwitchStmt); ok && sw.Assign == p {
				s.cases(sw)
				return
			}
			for i, right := range p.Rhs {
				if right != here {
					continue
				}
				if loaded {
					if i < len(p.Lhs) && s.holder(p.Lhs[i], 0).Lives {
						s.keepPart(p)
					}
					continue
				}
				if len(p.Lhs) == len(p.Rhs) {
					s.into(p.Lhs[i])
					continue
				}
				for _, left := range p.Lhs { // of several results, those that may have it
					if refers(s.body.typeOf(left)) {
						s.into(left)
					}
				}
			}
			return
		case *ast.ValueSpec:
			if loaded {
				return
			}
			for i, right := range p.Values {
				if right == here && i < len(p.Names) {
					s.into(p.Names[i])
				}
			}
			return
		case *ast.SendStmt:
			if p.Value == here {
				s.into(p.Chan)
			}
			return
		case *ast.ReturnStmt:
			if e, ok := here.(ast.Expr); ok && s.body.inner(p) == s.maker && refers(s.body.typeOf(e)) {
				s.returned = true
			}
			return
		default:
			return
		}
		here = parent
	}
}

// ofPart returns the expression that has a part of the value which is more than a copy:
// its address, or what it refers to; nil if there is none.
func (s *spread) ofPart(e ast.Expr) ast.Node {
	for n := ast.Node(e); ; {
		switch p := s.body.parents[n].(type) {
		case *ast.ParenExpr, *ast.SelectorExpr, *ast.IndexExpr:
			n = p
			continue
		case *ast.UnaryExpr:
			if p.Op == token.AND {
				return p
			}
		case *ast.SliceExpr:
			if _, ok := under(s.body.typeOf(e)).(*types.Array); ok && p.X == n {
				return p
			}
		}
		break
	}
	if t := s.body.typeOf(e); isSlice(t) || isRef(t) {
		return e
	}
	return nil
}

// cases follows the variable of a type switch, which is another one in each clause.
func (s *spread) cases(sw *ast.TypeSwitchStmt) {
	for _, clause := range sw.Body.List {
		if v, ok := s.body.info.Implicits[clause].(*types.Var); ok {
			s.uses(v)
		}
	}
}

// into follows the value to where it is stored.
func (s *spread) into(left ast.Expr) {
	root, whole := rootOf(left)
	if root == nil {
		s.store(s.holder(left, 0), left)
		return
	}
	if root.Name == "_" {
		return
	}
	v, ok := s.body.objectOf(root).(*types.Var)
	if ok && s.seen[v] {
		return // it becomes a part of itself
	}
	if ok && whole && s.local(v) {
		s.uses(v)
		return
	}
	s.boxed = true
	h := s.holder(root, 0)
	if h != (Holder{}) {
		s.store(h, left)
	}
	if ok && !h.Lives && h.Param == 0 {
		s.uses(v)
	}
}

// method notes a call of a method of the value. It reports whether what the call returns
// may have the value.
func (s *spread) method(call *ast.CallExpr) (goesOn bool) {
	if s.started(call) {
		return false
	}
	if fn := s.body.callee(call); fn != nil && !s.body.stdFunc(fn) {
		s.give(call, calledAs(fn), 0)
	}
	return s.mayReturn(call)
}

// mayReturn reports whether what a call returns may have the value that it is given. What appends
// to memory without pointers, b = x.write(b), returns that memory.
func (s *spread) mayReturn(call *ast.CallExpr) bool {
	t := s.body.typeOf(call)
	if list, ok := under(t).(*types.Slice); ok && !refers(list.Elem()) {
		return !slices.ContainsFunc(call.Args, func(a ast.Expr) bool { return types.Identical(s.body.typeOf(a), t) })
	}
	return refers(t)
}

// started keeps the value if a goroutine is started with it.
func (s *spread) started(call *ast.CallExpr) bool {
	_, ok := s.body.parents[call].(*ast.GoStmt)
	if ok {
		s.keep(call)
	}
	return ok
}

// given notes a call that the value is an argument of, or the called function. It
// reports whether what the call returns may have the value.
func (s *spread) given(call *ast.CallExpr, arg ast.Node) (goesOn bool) {
	if s.body.info.Types[call.Fun].IsType() {
		return refers(s.body.typeOf(call))
	}
	if s.started(call) || call.Fun == arg {
		return false
	}
	i := slices.IndexFunc(call.Args, func(a ast.Expr) bool { return a == arg })
	switch s.body.builtin(call) {
	case "append":
		list, ok := under(s.body.typeOf(call)).(*types.Slice)
		return !ok || i == 0 || !call.Ellipsis.IsValid() || refers(list.Elem()) // else its bytes are copied
	case "new":
		return true
	case "copy":
		if sl, ok := under(s.body.typeOf(call.Args[0])).(*types.Slice); ok && i == 1 && refers(sl.Elem()) {
			s.into(call.Args[0])
		}
		return false
	case "":
	default:
		return false
	}
	fn, of := s.body.callee(call), syntax.Package(s.body.info, call.Fun)
	switch {
	case fn == nil && of != nil:
		if !s.body.std(of.Imported().Path()) {
			s.keep(call)
		}
		return false
	case fn != nil && s.body.stdFunc(fn) && !dynamic(fn):
		return s.toStd(call, fn, i)
	case fn != nil && dynamic(fn) && readsOrWrites(fn):
		return false
	}
	sig, ok := under(s.body.typeOf(call.Fun)).(*types.Signature)
	if !ok {
		return false
	}
	if sig.Variadic() {
		i = min(i, sig.Params().Len()-1)
	}
	name := ""
	if fn == nil {
		name = dynamicKey("", sig)
	} else {
		name = calledAs(fn)
		if len(s.body.arguments(call)) > len(call.Args) {
			i++
		}
	}
	s.give(call, name, i)
	return s.mayReturn(call)
}

// readsOrWrites reports whether an interface's method is that of io.Reader or io.Writer, which must
// not keep the bytes.
func readsOrWrites(fn *types.Func) bool {
	sig := fn.Signature()
	return (fn.Name() == "Write" || fn.Name() == "Read") &&
		sig.Params().Len() == 1 && sig.Params().At(0).Type().String() == "[]byte" && sig.Results().Len() == 2
}

// give notes a function that the value is given to as argument n, the receiver first.
func (s *spread) give(call *ast.CallExpr, name string, n int) {
	s.out.To = append(s.out.To, *s.handed(call, name, n))
}

// handed is a call, with what its other arguments are.
func (s *spread) handed(call *ast.CallExpr, name string, n int) *Handed {
	h := &Handed{Arg: Arg{Func: name, N: n}}
	for j, a := range s.body.arguments(call) {
		if j == n || !refers(s.body.typeOf(a)) {
			continue
		}
		if is := s.holder(a, 0); is != (Holder{}) {
			put(&h.Held, j, is)
			continue
		}
		v, _ := s.body.rootVar(a)
		if v == nil || s.nested || s.seen[v] {
			continue
		}
		then := newSpread(s.body, s.maker)
		then.nested, then.boxed = true, true
		then.uses(v)
		if goes := then.goes(); !goes.empty() {
			put(&h.Then, j, goes)
		}
	}
	return h
}

// toStd notes a function of the standard library that is given the value: containers
// keep it, and what starts something later; all others at most return it.
func (s *spread) toStd(call *ast.CallExpr, fn *types.Func, i int) (goesOn bool) {
	pkg, name := fn.Pkg().Path(), fn.Name()
	store := strings.HasPrefix(name, "Store") || strings.HasPrefix(name, "Swap") || strings.HasPrefix(name, "CompareAndSwap") || name == "LoadOrStore"
	switch {
	case (pkg == "sync" || pkg == "sync/atomic") && store, strings.HasPrefix(pkg, "container/"):
		var to ast.Expr
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && s.body.info.Selections[sel] != nil {
			to = sel.X
		} else if i > 0 {
			to = call.Args[0]
		}
		if to != nil {
			s.into(to)
		}
		return pkg == "container/list" || pkg == "container/ring"
	case pkg == "expvar", name == "AfterFunc" && (pkg == "time" || pkg == "context"), pkg == "net/http" && strings.HasPrefix(name, "Handle"):
		s.keep(call)
		return false
	}
	return refers(s.body.typeOf(call))
}
