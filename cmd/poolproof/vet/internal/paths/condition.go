package paths

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
)

// Eval returns the value of a condition if the path so far decides it.
func (w *Walker) Eval(cond ssa.Value, s *State) (value, known bool) {
	cond = s.resolve(cond)
	switch c := cond.(type) {
	case *ssa.Const:
		if isBool(c) {
			return constant.BoolVal(c.Value), true
		}
	case *ssa.UnOp:
		if c.Op == token.NOT {
			value, known = w.Eval(c.X, s)
			return !value, known
		}
	case *ssa.BinOp:
		if value, known, ok := w.compare(c, s); ok {
			return value, known
		}
	}
	k := w.Program.KeyOf(cond)
	for _, f := range s.known {
		if f.text == k.Text && f.equals == "" {
			return f.value, true
		}
	}
	return false, false
}

// resolve replaces a merged value by what it was on this path.
func (s *State) resolve(v ssa.Value) ssa.Value {
	if phi, ok := v.(*ssa.Phi); ok {
		if edge := s.phis[phi]; edge != nil {
			return edge
		}
	}
	return v
}

// Resolve returns what a merged value was on this path, or the value itself.
func (s *State) Resolve(v ssa.Value) ssa.Value { return s.resolve(v) }

// compare evaluates a comparison for equality or order.
func (w *Walker) compare(c *ssa.BinOp, s *State) (value, known, ok bool) {
	op, x, y := c.Op, s.resolve(c.X), s.resolve(c.Y)
	negate := false
	switch op {
	case token.NEQ:
		op, negate = token.EQL, true
	case token.GEQ:
		op, negate = token.LSS, true
	case token.LEQ:
		op, negate, x, y = token.LSS, true, y, x
	case token.GTR:
		op, x, y = token.LSS, y, x
	case token.EQL, token.LSS:
	default:
		return false, false, false
	}
	if op == token.EQL {
		if value, known = w.equal(x, y, s); known {
			return value != negate, true, true
		}
		return false, false, true
	}
	kx, ky := w.Program.KeyOf(x), w.Program.KeyOf(y)
	for _, f := range s.known {
		if f.text == kx.Text+"<"+ky.Text && f.equals == "" {
			return f.value != negate, true, true
		}
	}
	return false, false, true
}

// IsNil reports whether a value is nil, if the path so far decides it.
func (w *Walker) IsNil(v ssa.Value, s *State) (value, known bool) {
	v = s.resolve(v)
	return w.equal(v, ssa.NewConst(nil, v.Type()), s)
}

// equal reports whether x equals y, if that is known.
func (w *Walker) equal(x, y ssa.Value, s *State) (value, known bool) {
	if _, ok := x.(*ssa.Const); ok {
		x, y = y, x
	}
	if cx, ok := x.(*ssa.Const); ok {
		if cy, ok := y.(*ssa.Const); ok {
			if cx.IsNil() || cy.IsNil() {
				return cx.IsNil() == cy.IsNil(), true
			}
			return constant.Compare(cx.Value, token.EQL, cy.Value), true
		}
	}
	kx, ky := w.Program.KeyOf(x), w.Program.KeyOf(y)
	cy, yConst := y.(*ssa.Const)
	if yConst && isBool(cy) {
		if v, ok := w.Eval(x, s); ok {
			return v == constant.BoolVal(cy.Value), true
		}
	}
	if yConst && cy.IsNil() && neverNil(x) {
		return false, true
	}
	for _, f := range s.known {
		if f.text != kx.Text || f.equals == "" {
			continue
		}
		switch {
		case f.equals == ky.Text:
			return f.value, true
		case f.value && yConst && f.equals[0] != 'v' && f.equals[0] != '[' && f.equals[0] != '(':
			return false, true // it equals another constant
		}
	}
	return false, false
}

// neverNil reports whether a value cannot be nil.
func neverNil(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.MakeInterface, *ssa.Alloc, *ssa.MakeClosure, *ssa.Function, *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeChan, *ssa.FieldAddr:
		return true
	case *ssa.Call:
		if fn := v.Call.StaticCallee(); fn != nil && fn.Pkg != nil {
			switch fn.String() {
			case "errors.New", "fmt.Errorf":
				return true
			}
		}
	}
	return false
}

// Assume adds what is known where a condition has a value.
func (w *Walker) Assume(cond ssa.Value, value bool, s *State) {
	cond = s.resolve(cond)
	switch c := cond.(type) {
	case *ssa.UnOp:
		if c.Op == token.NOT {
			w.Assume(c.X, !value, s)
			return
		}
	case *ssa.BinOp:
		op, x, y := c.Op, s.resolve(c.X), s.resolve(c.Y)
		switch op {
		case token.NEQ:
			op, value = token.EQL, !value
		case token.GEQ:
			op, value = token.LSS, !value
		case token.LEQ:
			op, value, x, y = token.LSS, !value, y, x
		case token.GTR:
			op, x, y = token.LSS, y, x
		}
		if _, ok := x.(*ssa.Const); ok && op == token.EQL {
			x, y = y, x
		}
		kx, ky := w.Program.KeyOf(x), w.Program.KeyOf(y)
		k := known{value: value, blocks: append(kx.Blocks, ky.Blocks...), places: append(kx.Places, ky.Places...)}
		switch op {
		case token.EQL:
			k.text, k.equals = kx.Text, ky.Text
			w.keep(c.Parent(), k, s)
			return
		case token.LSS:
			k.text = kx.Text + "<" + ky.Text
			w.keep(c.Parent(), k, s)
			return
		}
	}
	k := w.Program.KeyOf(cond)
	w.keep(cond.Parent(), known{text: k.Text, value: value, blocks: k.Blocks, places: k.Places}, s)
	if value && cond.Parent() != nil {
		asked := w.asked(cond.Parent())
		for _, place := range w.Program.Excluded(cond) {
			if text := w.Program.PlaceText(place); asked.count[text] > 0 {
				s.assume(known{text: text, blocks: k.Blocks, places: []memory.Var{place}})
			}
		}
	}
}

// keep assumes a condition if the function asks about it again.
func (w *Walker) keep(f *ssa.Function, k known, s *State) {
	if f != nil && w.asked(f).again(k.text) {
		s.assume(k)
	}
}

func isBool(c *ssa.Const) bool {
	b, ok := c.Type().Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0 && c.Value != nil
}
