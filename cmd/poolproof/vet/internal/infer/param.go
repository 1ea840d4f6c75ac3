package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// function is one function, and tells which of its parameters values come from. Captured
// variables count as parameters, after the others.
type function struct {
	p *flow.Program
	f *ssa.Function
}

// param is a parameter that a value comes from.
type param struct {
	index int
	flow.Origin
}

// params returns the parameters that v comes from.
func (l *function) params(v ssa.Value) []param {
	if !ssax.HasPointers(v.Type()) {
		return nil
	}
	if i, part, ok := l.captured(v); ok {
		return []param{{i, flow.Origin{Root: v, Field: flow.None, May: part}}}
	}
	if !l.reaches() {
		return nil
	}
	var found []param
	for _, o := range l.p.OriginsIn(l.f, v) {
		i, ok := l.index(o.Root)
		if j, part := l.byValue(o.Root); part {
			found = append(found, param{j, flow.Origin{Root: o.Root, Field: flow.None, Holds: true, May: true}})
		}
		if !ok {
			continue
		}
		if isPointer(v) && o.Field != flow.None && o.Field != summary.All {
			continue
		}
		found = append(found, param{i, o})
	}
	return found
}

// wholes returns the parameters that a value certainly is.
func (l *function) wholes(v ssa.Value) (m summary.Mask) {
	for _, p := range l.params(v) {
		m |= whole(p)
	}
	return m
}

func whole(p param) summary.Mask {
	if p.May || p.Holds || p.Field != flow.None {
		return 0
	}
	return summary.Bit(p.index)
}

// mayBe calls a function with a value, and where that is merged or read from a variable with all
// that it may be: the variable of a loop, of which a literal knows. What the function returns
// is followed too.
func (l *function) mayBe(v ssa.Value, each func(v ssa.Value) (next ssa.Value)) {
	seen := make(map[ssa.Value]bool)
	for work := []ssa.Value{v}; len(work) > 0 && len(seen) <= maxMayBe; {
		v, work = ssax.Strip(work[0]), work[1:]
		if seen[v] {
			continue
		}
		seen[v] = true
		switch v := v.(type) {
		case *ssa.Phi:
			work = append(work, v.Edges...)
		case *ssa.UnOp:
			if variable, ok := v.X.(*ssa.Alloc); ok {
				for _, s := range l.p.Stores(variable).Whole {
					work = append(work, s.Val)
				}
			}
		}
		if next := each(v); next != nil {
			work = append(work, next)
		}
	}
}

// maxMayBe bounds how many values are looked at to find what one may be.
const maxMayBe = 50

// isPointer reports whether a value is a pointer, whatever interface it is in. One that
// is read from a field is an object of its own, even if nobody else has it.
func isPointer(v ssa.Value) bool {
	for {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		default:
			return ssax.Pointee(v.Type()) != nil
		}
	}
}

// index returns the number of a parameter, or of a captured variable.
func (l *function) index(v ssa.Value) (int, bool) {
	switch v := v.(type) {
	case *ssa.Parameter:
		i := slices.Index(l.f.Params, v)
		return i, i >= 0
	case *ssa.FreeVar:
		i := slices.Index(l.f.FreeVars, v)
		return len(l.f.Params) + i, i >= 0
	}
	return 0, false
}

// byValue returns the number of the parameter, a struct that is passed by value, that a
// value was read from a field of.
func (l *function) byValue(v ssa.Value) (int, bool) {
	var from ssa.Value
	switch v := v.(type) {
	case *ssa.Field:
		from = v.X
	case *ssa.UnOp:
		field, ok := v.X.(*ssa.FieldAddr)
		if !ok || ssax.Load(v) == nil {
			return 0, false
		}
		alloc, ok := field.X.(*ssa.Alloc)
		if !ok {
			return 0, false
		}
		if stores := l.p.Stores(alloc).Whole; len(stores) == 1 {
			from = stores[0].Val
		}
	}
	prm, ok := from.(*ssa.Parameter)
	if !ok {
		return 0, false
	}
	return l.index(prm)
}

// reaches reports whether the function is given anything that has memory.
func (l *function) reaches() bool {
	for _, p := range l.f.Params {
		if ssax.HasPointers(p.Type()) {
			return true
		}
	}
	return len(l.f.FreeVars) > 0
}

// captured returns the number of the captured variable of which v is the value,
// or, then part is set, a field.
func (l *function) captured(v ssa.Value) (i int, part, ok bool) {
	if len(l.f.FreeVars) == 0 {
		return 0, false, false
	}
	for range 10 {
		switch x := ssax.Strip(v).(type) {
		case *ssa.Slice:
			v = x.X
		case *ssa.FieldAddr:
			if _, variable := x.X.(*ssa.FreeVar); !variable {
				return 0, false, false
			}
			v, part = x.X, true
		case *ssa.UnOp:
			if ssax.Load(x) == nil {
				return 0, false, false
			}
			if variable, ok := x.X.(*ssa.FreeVar); ok && !l.p.AtEntry(x, variable) {
				return 0, false, false // its origins say which it is
			}
			v = x.X
		case *ssa.FreeVar:
			i = slices.Index(l.f.FreeVars, x)
			return len(l.f.Params) + i, part, i >= 0
		default:
			return 0, false, false
		}
	}
	return 0, false, false
}

// contents returns the parameters that a variable holds.
func (l *function) contents(addr ssa.Value) []param {
	switch addr := addr.(type) {
	case *ssa.FreeVar:
		if i, ok := l.index(addr); ok {
			return []param{{i, flow.Origin{Root: addr, Field: flow.None, May: l.p.OverwrittenBy(addr)}}}
		}
	case *ssa.Alloc:
		var found []param
		stores := l.p.Stores(addr).Whole
		for _, store := range stores {
			for _, p := range l.params(store.Val) {
				p.May = p.May || len(stores) > 1
				found = append(found, p)
			}
		}
		return found
	}
	return nil
}

// named returns the number of the parameter of a function that has the name, -1 if none has.
func named(f *ssa.Function, name string) int {
	return slices.IndexFunc(f.Params, func(p *ssa.Parameter) bool { return p.Name() == name })
}

// tells reports whether a value of the type has two sides.
func tells(t types.Type) bool { return ssax.IsBool(t) || ssax.IsError(t) }

// sides are the values that a result was seen to have: true or nil, and false or
// not nil.
type sides struct{ yes, no bool }

func (s sides) one() bool { return s.yes != s.no }

// see adds a bool that may be any if it is no constant.
func (s *sides) see(v ssa.Value) {
	is, known := ssax.Truth(v)
	s.yes, s.no = s.yes || is || !known, s.no || !is
}
