package fields

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// Spread says where a value goes to beside the value that it becomes a part of.
type Spread struct {
	Kept bool   `json:"kept,omitempty"` // other code may keep it
	To   []Arg  `json:"to,omitempty"`   // functions that it is given to
	At   string `json:"at,omitempty"`   // the place, if it is kept
}

// spread follows one value through a function: into variables, literals and closures, and
// into what is made of it. It does not ask what a field of the value holds, but for what
// is given away of it: an address, a slice, a map, a pointer.
type spread struct {
	makers
	maker    ast.Node // the function that the value lives in: a declaration or a literal
	within   ast.Node // where a variable that had another value before holds this one; nil: everywhere
	seen     map[types.Object]bool
	closures map[*ast.FuncLit]bool
	out      Spread
	returned bool
}

func (f makers) newSpread(maker ast.Node) *spread {
	return &spread{makers: f, maker: maker, seen: map[types.Object]bool{}, closures: map[*ast.FuncLit]bool{}}
}

func (s *spread) keep(at ast.Node) {
	if !s.out.Kept {
		s.out.Kept, s.out.At = true, s.at(at)
	}
}

// uses follows a variable that has the value.
func (s *spread) uses(v *types.Var) {
	if s.seen[v] {
		return
	}
	s.seen[v] = true
	for _, id := range s.reads(v) {
		if s.within != nil && (id.Pos() < s.within.Pos() || id.Pos() > s.within.End()) {
			continue
		}
		for n := s.parents[id]; n != nil && n != s.maker; n = s.parents[n] {
			if lit, ok := n.(*ast.FuncLit); ok && (v.Pos() < lit.Pos() || v.Pos() > lit.End()) && !s.closures[lit] {
				s.closures[lit] = true
				s.flow(lit, false)
			}
		}
		s.flow(id, false)
	}
}

// reads returns where a variable is read.
func (f makers) reads(v *types.Var) []*ast.Ident {
	if f.read == nil {
		f.read = map[*types.Var][]*ast.Ident{}
		ast.Inspect(f.node, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if v, ok := f.info.Uses[id].(*types.Var); ok {
					f.read[v] = append(f.read[v], id)
				}
			}
			return true
		})
	}
	return f.read[v]
}

// flow follows the value outwards, from an expression that has it. A part is what a field
// of the value refers to.
func (s *spread) flow(here ast.Node, part bool) {
	for {
		parent := s.parents[here]
		switch p := parent.(type) {
		case *ast.ParenExpr, *ast.TypeAssertExpr, *ast.KeyValueExpr, *ast.CompositeLit:
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
			chosen := s.info.Selections[p]
			if chosen == nil {
				return
			}
			if call, ok := s.parents[p].(*ast.CallExpr); ok && call.Fun == p && chosen.Kind() != types.FieldVal {
				if part || !s.method(call) {
					return
				}
				parent = call
				break
			}
			if chosen.Kind() == types.FieldVal {
				if parent = s.ofPart(p); parent == nil {
					return
				}
				part = true
			}
		case *ast.IndexExpr:
			if p.Index == here { // a key
				if s.storedTo(p) {
					s.into(p.X)
				}
				return
			}
			if parent = s.ofPart(p); parent == nil {
				return
			}
			part = true
		case *ast.CallExpr:
			if !s.given(p, here) {
				return
			}
		case *ast.AssignStmt:
			for i, right := range p.Rhs {
				if right != here {
					continue
				}
				if len(p.Lhs) == len(p.Rhs) {
					s.into(p.Lhs[i])
					continue
				}
				for _, left := range p.Lhs {
					s.into(left)
				}
			}
			return
		case *ast.ValueSpec:
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
			if s.inner(p) == s.maker {
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
		switch p := s.parents[n].(type) {
		case *ast.ParenExpr, *ast.SelectorExpr, *ast.IndexExpr:
			n = p
			continue
		case *ast.UnaryExpr:
			if p.Op == token.AND {
				return p
			}
		case *ast.SliceExpr:
			if _, ok := under(s.typeOf(e)).(*types.Array); ok && p.X == n {
				return p
			}
		}
		break
	}
	if t := s.typeOf(e); isSlice(t) || isRef(t) {
		return e
	}
	return nil
}

// inner is the innermost function that a node stands in.
func (s *spread) inner(n ast.Node) ast.Node {
	for n = s.parents[n]; n != nil; n = s.parents[n] {
		switch n.(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			return n
		}
	}
	return nil
}

// storedTo reports whether an expression is stored to.
func (s *spread) storedTo(e ast.Expr) bool {
	switch p := s.parents[e].(type) {
	case *ast.AssignStmt:
		for _, left := range p.Lhs {
			if left == e {
				return true
			}
		}
	case *ast.IncDecStmt:
		return true
	}
	return false
}

// into follows the value to where it is stored.
func (s *spread) into(left ast.Expr) {
	root, whole := rootOf(left)
	if root == nil {
		s.keep(left)
		return
	}
	if root.Name == "_" {
		return
	}
	v, ok := s.objectOf(root).(*types.Var)
	switch {
	case !ok:
		s.keep(left)
	case s.seen[v]: // it becomes a part of itself
	case v.Pos() < s.maker.Pos() || v.Pos() > s.maker.End(): // a package variable, or one of the function around
		s.keep(left)
	case whole:
		s.uses(v)
	case s.fresh(v):
		s.uses(v)
	default:
		s.keep(left)
	}
}

// rootOf returns the variable whose memory an expression denotes, whole if it is the variable
// itself.
func rootOf(e ast.Expr) (root *ast.Ident, whole bool) {
	whole = true
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			return x, whole
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.UnaryExpr:
			e = x.X
		case *ast.TypeAssertExpr:
			e = x.X
		default:
			return nil, false
		}
		whole = false
	}
}

// fresh reports whether all that a local variable ever holds was made in the function.
func (s *spread) fresh(v *types.Var) bool {
	if _, ok := s.params[v]; ok || s.literals[v] {
		return false
	}
	for _, d := range s.defs[v] {
		if !s.makes(d.value) {
			return false
		}
	}
	return true
}

// makes reports whether an expression makes what it refers to.
func (s *spread) makes(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.UnaryExpr:
		_, ok := ast.Unparen(e.X).(*ast.CompositeLit)
		return ok && e.Op == token.AND
	case *ast.CallExpr:
		b := s.builtin(e)
		return b == "new" || b == "make" || b == "append" && len(e.Args) > 0 && s.makes(e.Args[0])
	}
	return false
}

// method notes a call of a method of the value. It reports whether what the call returns
// may have the value.
func (s *spread) method(call *ast.CallExpr) (goesOn bool) {
	if s.started(call) {
		return false
	}
	fn := s.callee(call)
	if fn != nil && !dynamic(fn) && !s.stdFunc(fn) {
		s.out.To = append(s.out.To, Arg{Func: fn.FullName()})
	}
	return refers(s.typeOf(call))
}

// started keeps the value if a goroutine is started with it.
func (s *spread) started(call *ast.CallExpr) bool {
	_, ok := s.parents[call].(*ast.GoStmt)
	if ok {
		s.keep(call)
	}
	return ok
}

// refers reports whether a value of a type may refer to memory that its user can reach.
func refers(t types.Type) bool {
	switch u := under(t).(type) {
	case nil, *types.Basic:
		return false
	case *types.Tuple:
		for i := range u.Len() {
			if refers(u.At(i).Type()) && u.At(i).Type().String() != "error" {
				return true
			}
		}
		return false
	}
	return t.String() != "error"
}

// given notes a call that the value is an argument of, or the called function. It
// reports whether what the call returns may have the value.
func (s *spread) given(call *ast.CallExpr, arg ast.Node) (goesOn bool) {
	if tv, ok := s.info.Types[call.Fun]; ok && tv.IsType() {
		return refers(s.typeOf(call))
	}
	if s.started(call) || call.Fun == arg {
		return false
	}
	i := 0
	for i < len(call.Args) && call.Args[i] != arg {
		i++
	}
	switch s.builtin(call) {
	case "append", "new":
		return true
	case "copy":
		if i == 1 {
			s.into(call.Args[0])
		}
		return false
	case "":
	default:
		return false
	}
	fn := s.callee(call)
	switch {
	case fn == nil || dynamic(fn):
		if p := s.imported(call); p == "" || !s.std(p) {
			s.keep(call)
		}
		return false
	case s.stdFunc(fn):
		return s.toStd(call, fn, i)
	}
	sig, ok := fn.Type().(*types.Signature)
	if !ok || sig.Variadic() && i >= sig.Params().Len()-1 {
		s.keep(call)
		return false
	}
	if sig.Recv() != nil && len(s.arguments(call, fn)) > len(call.Args) {
		i++
	}
	s.out.To = append(s.out.To, Arg{Func: fn.FullName(), N: i})
	return refers(s.typeOf(call))
}

// imported is the package whose function a call names; "" if it is none.
func (s *spread) imported(call *ast.CallExpr) string {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		if id, ok := sel.X.(*ast.Ident); ok {
			if p, ok := s.info.Uses[id].(*types.PkgName); ok {
				return p.Imported().Path()
			}
		}
	}
	return ""
}

// toStd notes a function of the standard library that is given the value: containers
// keep it, and what starts something later; all others at most return it.
func (s *spread) toStd(call *ast.CallExpr, fn *types.Func, i int) (goesOn bool) {
	pkg, name := fn.Pkg().Path(), fn.Name()
	store := strings.HasPrefix(name, "Store") || strings.HasPrefix(name, "Swap") || strings.HasPrefix(name, "CompareAndSwap") || name == "LoadOrStore"
	switch {
	case (pkg == "sync" || pkg == "sync/atomic") && store, strings.HasPrefix(pkg, "container/"):
		var to ast.Expr
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && s.info.Selections[sel] != nil {
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
	return refers(s.typeOf(call))
}
