package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// Some results have memory of a parameter in each part: the lines that bytes.Split has cut, those
// with which the function that bytes.Lines returns calls its own parameter. So whoever has one of
// the parts has memory of the parameter.

// cutter follows memory of the parameters of a function to where that has cut it.
type cutter struct{ of *function }

// learn learns what the function calls its parameters with, and which results have memory of a parameter in
// each part.
func (l cutter) learn(s *summary.Summary, returns []*ssa.Return) {
	for i, prm := range l.of.f.Params {
		if sig, ok := prm.Type().Underlying().(*types.Signature); ok && i < 64 {
			l.pieces(i, prm, sig, s)
		}
	}
	for r, v := range slices.Collect(l.of.f.Signature.Results().Variables()) {
		each := ^summary.Mask(0)
		for _, ret := range returns {
			if r < len(ret.Results) && parts(v.Type()) {
				each &= l.each(ret.Results[r], make(map[ssa.Value]bool))
			}
		}
		if each &^= s.Borrows | s.Owns; each != 0 && each != ^(s.Borrows|s.Owns) { // else there is nothing in it
			s.AddReturn(summary.Flow{To: r, From: each, Holds: each, Each: each})
		}
	}
}

// piece returns the parameter that a value certainly is memory of.
func (l cutter) piece(v ssa.Value) (m summary.Mask) {
	for _, o := range l.of.p.OriginsIn(l.of.f, v) {
		i, ok := l.of.index(o.Root)
		if !ok || o.May && !l.ownCopy(o.Root) || o.Holds || m&^summary.Bit(i) != 0 {
			return 0
		}
		m = summary.Bit(i)
	}
	return m
}

// ownCopy reports whether a value is a captured variable that only the literal assigns once it is made.
func (l cutter) ownCopy(v ssa.Value) bool {
	place, ok := l.of.p.Place(v)
	variable, isVar := place.Base.(*ssa.Alloc)
	return ok && isVar && !slices.ContainsFunc(l.of.p.Stores(variable).Whole, func(s *ssa.Store) bool {
		return s.Parent() != l.of.f && s.Parent() != variable.Parent()
	})
}

// pieces learns which arguments parameter i, a function, is called with that are memory of other parameters,
// wherever it is called.
func (l cutter) pieces(i int, prm *ssa.Parameter, sig *types.Signature, s *summary.Summary) {
	calls := prm.Referrers()
	of := make([]summary.Mask, sig.Params().Len())
	for n, ref := range *calls {
		call, ok := ref.(*ssa.Call)
		if !ok || call.Call.Value != ssa.Value(prm) || len(call.Call.Args) != len(of) {
			return
		}
		for j, arg := range call.Call.Args {
			if n == 0 && ssax.IsMemory(arg.Type()) {
				of[j] = l.piece(arg)
			} else if of[j] != 0 {
				of[j] &= l.piece(arg)
			}
		}
	}
	for j, m := range of {
		if m != 0 {
			s.AddCallback(summary.Callback{Param: i, Arg: j, Of: m})
		}
	}
}

// each returns the parameters that each part of a result is memory of.
func (l cutter) each(v ssa.Value, seen map[ssa.Value]bool) (m summary.Mask) {
	m = ^summary.Mask(0)
	v = ssax.Strip(l.of.p.Stored(v))
	if seen[v] {
		return m
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Const:
	case *ssa.Phi:
		for _, e := range v.Edges {
			m &= l.each(e, seen)
		}
	case *ssa.Slice:
		return l.each(v.X, seen)
	case *ssa.MakeSlice:
		return l.filled(v)
	case *ssa.MakeClosure:
		return l.yielded(v)
	case *ssa.Call:
		c := l.of.p.Resolve(v)
		if c.Builtin == "append" {
			return l.each(c.Args[0], seen) & l.each(c.Args[1], seen)
		}
		flow, _ := c.Summary.Return(0)
		m = 0
		for i := range flow.Each.Members() {
			if i < c.Captures {
				m |= l.piece(c.Args[i])
			}
		}
	case *ssa.Alloc: // the array of a list of values
		return l.filled(v)
	default:
		return 0
	}
	return m
}

// filled returns the parameters that everything is memory of which is stored in a list that is made here.
func (l cutter) filled(list ssa.Value) (m summary.Mask) {
	m = ^summary.Mask(0)
	for _, ref := range *list.Referrers() {
		switch ref := ref.(type) {
		case *ssa.IndexAddr:
			for _, use := range *ref.Referrers() {
				if s, ok := use.(*ssa.Store); ok {
					m &= l.piece(s.Val)
				}
			}
		case *ssa.Slice:
			m &= l.filled(ref)
		case ssa.CallInstruction:
			switch l.of.p.Resolve(ref).Builtin {
			case "len", "cap", "append":
			default:
				return 0
			}
		}
	}
	return m
}

// yielded returns the parameters that a literal has captured and calls its own first parameter with memory of.
func (l cutter) yielded(made *ssa.MakeClosure) (m summary.Mask) {
	lit := made.Fn.(*ssa.Function)
	own := l.of.p.Own(lit)
	if own == nil {
		return 0
	}
	for _, called := range own.Callbacks {
		for i, b := range made.Bindings {
			if called.Param != 0 || !called.Of.Has(len(lit.Params)+i) {
				continue
			}
			variable, ok := b.(*ssa.Alloc)
			if !ok {
				return 0
			}
			for _, s := range l.of.p.Stores(variable).Whole {
				if s.Parent() == l.of.f { // what the literal assigns is for itself to know
					m |= l.piece(s.Val)
				}
			}
		}
	}
	return m
}

// parts reports whether a value of the type has parts that are memory: it is a list, or a function that
// calls another one with them.
func parts(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Slice:
		return ssax.IsMemory(t.Elem())
	case *types.Signature:
		if t.Params().Len() != 1 {
			return false
		}
		_, ok := t.Params().At(0).Type().Underlying().(*types.Signature)
		return ok
	}
	return false
}
