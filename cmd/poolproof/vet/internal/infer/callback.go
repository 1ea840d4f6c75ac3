package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/directive"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// callbacks learns which parameters are functions to which objects are lent: they are
// called with what is put when they have returned.
func callbacks(l *function, walker *paths.Walker, s *summary.Summary) {
	for i, prm := range l.f.Params {
		if _, ok := prm.Type().Underlying().(*types.Signature); !ok || i >= 64 {
			continue
		}
		for c := range l.p.Calls(l.f) {
			if c.Fn == nil && c.Lit == nil && c.Builtin == "" && l.p.Origin(c.Instr.Common().Value) == ssa.Value(prm) {
				for j, arg := range c.Args[:c.Captures] {
					some := names.IsYield(prm.Name())
					owner, field := ownedBy(l, arg)
					if putAfter(l, walker, c.Instr, l.p.Origin(arg), flow.None, some) || owner != nil && putAfter(l, walker, c.Instr, owner, field, some) {
						s.AddCallback(summary.Callback{Param: i, Arg: j, Lent: true})
					}
				}
			}
			for _, b := range c.Summary.Callbacks {
				if b.Param < c.Captures && l.p.Origin(c.Args[b.Param]) == ssa.Value(prm) {
					b.Param, b.Of = i, 0
					s.AddCallback(b)
				}
			}
		}
	}
}

// ownedBy returns the object in a field of which the memory of a value is, and that field; nil if
// there is none, or what the field holds may be memory of others.
func ownedBy(l *function, v ssa.Value) (owner ssa.Value, field int) {
	if !ssax.IsSlice(v.Type()) {
		return nil, 0
	}
	for _, o := range l.p.Origins(v) {
		if o.Holds || o.Field == flow.None || owner != nil && (o.Root != owner || o.Field != field) {
			return nil, 0
		}
		owner, field = o.Root, o.Field
	}
	if owner == nil {
		return nil, 0
	}
	for instr := range ssax.Instrs(l.f) {
		for _, o := range flow.Overwrites(l.p, instr) {
			if !o.Nested && o.Val != nil && o.Field == field && l.p.Origin(o.Base) == owner && !ownMemory(l, o.Val, owner) {
				return nil, 0
			}
		}
	}
	return owner, field
}

// ownMemory reports whether a value is memory of an object, or is made for it.
func ownMemory(l *function, v, owner ssa.Value) bool {
	origins := l.p.Origins(v)
	for _, o := range origins {
		_, made := o.Root.(*ssa.MakeSlice)
		if !made && (o.Root != owner || o.Holds) {
			return false
		}
	}
	return len(origins) > 0
}

// putAfter reports whether an object is put on each path from a call to a return, or, if that is
// enough, on some. A field of it is not set anew by the function that puts. A return of an error
// counts for nothing: what is lost there is lent on the other paths all the same.
func putAfter(l *function, walker *paths.Walker, at ssa.CallInstruction, object ssa.Value, field int, some bool) bool {
	if _, started := at.(*ssa.Go); started || !ssax.HasPointers(object.Type()) {
		return false
	}
	v := &reaching{l: l, param: -1, puts: make(map[ssa.Instruction]bool)}
	for c := range l.p.Calls(l.f) {
		for i, given := range c.Args[:c.Captures] {
			switch {
			case !c.Summary.Gives(i) || l.p.Origin(given) != object || field != flow.None && c.Summary.Detaches(i, field):
			case c.Deferred() && ssax.Before(c.Instr, at), some && !c.Deferred() && ssax.MayPrecede(at, c.Instr):
				return true
			case !c.Deferred():
				v.puts[c.Instr] = true
			}
		}
	}
	succeeds := func(ret *ssa.Return) bool { fails, _ := l.p.Fails(ret); return !fails }
	return len(v.puts) > 0 && walker.From(at, v) && !slices.ContainsFunc(v.kept, succeeds)
}

// called notes what a directive says of what a parameter is called with.
func called(f *ssa.Function, s *summary.Summary, c directive.Called, b summary.Callback) {
	b.Param = named(f, c.Param)
	if b.Param < 0 || b.Param >= 64 {
		return
	}
	if sig, ok := f.Params[b.Param].Type().Underlying().(*types.Signature); ok {
		for b.Arg = range sig.Params().Len() {
			if c.Arg < 0 || c.Arg == b.Arg {
				s.AddCallback(b)
			}
		}
	}
}
