package variant

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus/edit"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus/poolcalls"
)

// The transformations that change the verdict. Those that seed a defect ask for
// one object, got in the function and put by one statement, so that what they make
// is wrong for certain.

// only returns the one statement that puts an object which s gets, with the
// object.
func (s *Site) only() (p put, obj types.Object, def *ast.AssignStmt, ok bool) {
	puts := s.puts()
	if len(puts) != 1 || puts[0].lit {
		return put{}, nil, nil, false
	}
	p = puts[0]
	if obj = poolcalls.Local(p.arg, s.Info, s.Fn); obj == nil {
		return put{}, nil, nil, false
	}
	def = s.gotHere(obj)
	return p, obj, def, def != nil
}

// deletePut takes the put away.
func deletePut(s *Site) (Change, bool) {
	p, obj, def, ok := s.only()
	if !ok || !s.plainUses(obj, p) || def == nil {
		return Change{}, false
	}
	return Change{
		Edits:  []edit.Edit{s.replace(p.stmt, "_ = "+obj.Name())},
		Expect: Expect{Wants: []string{"PV005", "PV006"}},
	}, true
}

// plainUses says whether everything that is done with obj, but for its put, is to
// call its methods and to look at its fields: nothing else can own it.
func (s *Site) plainUses(obj types.Object, p put) bool {
	plain := make(map[*ast.Ident]bool)
	mark := func(e ast.Expr) {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok {
			plain[id] = true
		}
	}
	elsewhere := false
	ast.Inspect(s.Fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			// A method that takes the object as its receiver may keep it, unless it
			// is one of the buffers that everybody knows.
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok && known(s.Info.TypeOf(sel.X)) {
				mark(sel.X)
			}
		case *ast.StarExpr:
			if known(s.Info.TypeOf(n.X)) {
				mark(n.X)
			}
		case *ast.FuncLit:
			elsewhere = elsewhere || len(s.uses(n, obj)) > 0
		case *ast.AssignStmt:
			// What it points to is taken out, for another owner.
			if star, ok := n.Lhs[0].(*ast.StarExpr); ok && s.is(star.X, obj) && isNil(n.Rhs[0]) {
				elsewhere = true
			}
		}
		return true
	})
	if elsewhere {
		return false
	}
	for _, id := range s.uses(s.Fn.Body, obj) {
		if !plain[id] && id != p.arg {
			return false
		}
	}
	return true
}

// known says whether t is a buffer of the standard library.
func known(t types.Type) bool {
	switch types.TypeString(t, nil) {
	case "*bytes.Buffer", "*strings.Builder", "*[]byte":
		return true
	}
	return false
}

// duplicatePut puts twice.
func duplicatePut(s *Site) (Change, bool) {
	p, _, _, ok := s.only()
	if !ok {
		return Change{}, false
	}
	return Change{
		Edits:  []edit.Edit{s.insert(p.stmt.End(), "; "+s.text(p.stmt))},
		Expect: Expect{Wants: []string{"PV001", "PV002"}},
	}, true
}

// hoistDeferred makes a deferred put a direct one, before the uses that follow.
func hoistDeferred(s *Site) (Change, bool) {
	p, obj, _, ok := s.only()
	d, isDefer := p.stmt.(*ast.DeferStmt)
	if !ok || !isDefer || !s.usedAfter(p, obj) {
		return Change{}, false
	}
	return Change{
		Edits:  []edit.Edit{{Start: s.off(d.Pos()), End: s.off(d.Call.Pos())}},
		Expect: Expect{Wants: []string{"PV001", "PV002", "PV003", "PV004"}},
	}, true
}

// hoistDirect moves a direct put up to where the object was got.
func hoistDirect(s *Site) (Change, bool) {
	p, obj, def, ok := s.only()
	if !ok || p.deferred() || p.depth > 0 || !s.usedBetween(def, p, obj) {
		return Change{}, false
	}
	return Change{
		Edits: []edit.Edit{
			s.insert(def.End(), "; "+s.text(p.stmt)),
			s.replace(p.stmt, "_ = 0"),
		},
		Expect: Expect{Wants: []string{"PV001", "PV002", "PV004"}},
	}, true
}

// usedAfter says whether a later statement of the same block uses obj for more
// than its length.
func (s *Site) usedAfter(p put, obj types.Object) bool {
	block, ok := p.block.(*ast.BlockStmt)
	if !ok {
		return false
	}
	for _, st := range block.List {
		if st.Pos() > p.stmt.Pos() && s.strong(st, obj) {
			return true
		}
	}
	return false
}

// usedBetween says whether a statement of the body between the get and the put
// uses obj.
func (s *Site) usedBetween(def *ast.AssignStmt, p put, obj types.Object) bool {
	inBody := false
	for _, st := range s.Fn.Body.List {
		if st == def {
			inBody = true
		} else if inBody && st.Pos() < p.stmt.Pos() && s.strong(st, obj) {
			return true
		}
	}
	return false
}

// strong says whether n uses what obj points to, for certain once it runs: not in
// a function literal or a deferred call, and more than its length.
func (s *Site) strong(n ast.Node, obj types.Object) (found bool) {
	if _, ok := n.(*ast.DeferStmt); ok {
		return false
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && (id.Name == "len" || id.Name == "cap") {
				return false
			}
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok && s.is(sel.X, obj) {
				found = true
			}
		case *ast.StarExpr:
			found = found || s.is(n.X, obj)
		case *ast.IndexExpr:
			found = found || s.is(n.X, obj)
		case *ast.SelectorExpr:
			found = found || s.is(n.X, obj)
		}
		return !found
	})
	return found
}

func (s *Site) is(e ast.Expr, obj types.Object) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && s.Info.Uses[id] == obj
}

// returnMemory returns the memory of a deferred buffer where a copy was returned.
func returnMemory(s *Site) (Change, bool) {
	p, obj, _, ok := s.only()
	if !ok || !p.deferred() {
		return Change{}, false
	}
	memory := ""
	switch types.TypeString(obj.Type(), nil) {
	case "*bytes.Buffer":
		memory = obj.Name() + ".Bytes()"
	case "*[]byte":
		memory = "*" + obj.Name()
	case "[]byte":
		memory = obj.Name()
	default:
		return Change{}, false
	}
	var c Change
	ast.Inspect(s.Fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			for _, r := range n.Results {
				if t := s.Info.TypeOf(r); t != nil && types.TypeString(t, nil) == "[]byte" && n.Pos() > p.stmt.Pos() && !isNil(r) {
					c.Edits = append(c.Edits, s.replace(r, memory))
				}
			}
		}
		return true
	})
	c.Expect = Expect{Wants: []string{"PV003"}}
	return c, len(c.Edits) > 0
}

func isNil(e ast.Expr) bool { id, ok := e.(*ast.Ident); return ok && id.Name == "nil" }

// deferPut defers a put that was too early.
func deferPut(s *Site) (Change, bool) {
	puts := s.puts()
	if len(puts) != 1 || puts[0].deferred() || puts[0].depth > 0 || puts[0].lit {
		return Change{}, false
	}
	if poolcalls.Local(puts[0].arg, s.Info, s.Fn) == nil {
		return Change{}, false
	}
	// What is returned, sent or shared by a conversion that is unsafe would be put
	// while others have it.
	wrong := false
	ast.Inspect(s.Fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SendStmt, *ast.DeferStmt, *ast.GoStmt:
			wrong = true
		case *ast.Ident:
			if n.Name == "unsafe" {
				wrong = true
			}
		}
		return true
	})
	sig := s.Info.Defs[s.Fn.Name].Type().(*types.Signature)
	for v := range sig.Results().Variables() {
		if _, basic := v.Type().Underlying().(*types.Basic); !basic && v.Type().String() != "error" {
			wrong = true
		}
	}
	return Change{
		Edits:  []edit.Edit{s.insert(puts[0].stmt.Pos(), "defer ")},
		Expect: Expect{Silent: true},
	}, !wrong
}

// swapDefers exchanges a deferred put and a deferred use, which run in the other
// order then.
func swapDefers(s *Site) (Change, bool) {
	var defers []*ast.DeferStmt
	for _, st := range s.Fn.Body.List {
		if d, ok := st.(*ast.DeferStmt); ok {
			defers = append(defers, d)
		}
	}
	puts := s.puts()
	if len(defers) != 2 || len(puts) != 1 {
		return Change{}, false
	}
	obj := poolcalls.Local(puts[0].arg, s.Info, s.Fn)
	at := token.NoPos
	for i, d := range defers {
		if d == puts[0].stmt {
			at = defers[1-i].Pos()
			if obj == nil || !s.usesWhenRun(defers[1-i], obj) {
				return Change{}, false
			}
		}
	}
	if !at.IsValid() {
		return Change{}, false
	}
	expect := Expect{Wants: []string{"PV001", "PV002"}}
	if at < puts[0].stmt.Pos() { // the use was deferred first, and so ran last
		expect = Expect{Silent: true}
	}
	return Change{
		Edits:  []edit.Edit{s.replace(defers[0], s.text(defers[1])), s.replace(defers[1], s.text(defers[0]))},
		Expect: expect,
	}, true
}

// usesWhenRun says whether a deferred call uses obj when it runs: in a function
// literal or as its receiver.
func (s *Site) usesWhenRun(d *ast.DeferStmt, obj types.Object) bool {
	switch f := d.Call.Fun.(type) {
	case *ast.FuncLit:
		return len(s.uses(f, obj)) > 0
	case *ast.SelectorExpr:
		return len(s.uses(f, obj)) > 0
	}
	return false
}
