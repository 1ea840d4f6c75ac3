package infer

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// results learns what the results are made of.
func (l *learner) results() {
	results := l.f.Signature.Results()
	for r := range results.Len() {
		t := results.At(r).Type()
		if r >= 64 {
			return
		}
		if results.Len() == 1 {
			l.counts(t)
		}
		if !ssax.HasPointers(t) || ssax.IsError(t) {
			continue
		}
		l.result(r, t)
	}
}

// result learns what result r is made of, over all returns.
func (l *learner) result(r int, t types.Type) {
	var always, ever, some, holds summary.Mask
	first := true
	getter := false
	var pooled typeutil.Map // types of what is returned
	var others []types.Type
	for _, ret := range l.returns {
		if r >= len(ret.Results) || ssax.Is[*ssa.Const](ret.Results[r]) {
			continue // nil, or an empty string
		}
		var must summary.Mask
		if made, ok := ssax.Strip(l.p.Stored(ret.Results[r])).(*ssa.MakeClosure); ok {
			must = reading(l.function, made)
			ever, holds = ever|must, holds|must
		}
		fails, _ := l.p.Fails(ret)
		for _, o := range l.p.OriginsIn(l.f, ret.Results[r]) {
			if l.gets[o.Root] && l.handsOut(o, t, ret) {
				getter = true
				pooled.Set(ssax.ObjectType(o.Root), true)
				if !o.May && !setAtEnd(l.p, ret.Results[r]) && failsWith(l.p, o.Root, r, ret) {
					l.s.GotFailing |= summary.Bit(r)
				}
			}
			if !l.gets[o.Root] {
				others = append(others, o.Root.Type())
			}
			if i, part := l.byValue(o.Root); part {
				ever |= summary.Bit(i)
				holds |= summary.Bit(i)
			}
			i, ok := l.index(o.Root)
			if !ok || taken(l.function, o, t, ret) {
				continue
			}
			ever |= summary.Bit(i)
			if !o.May {
				must |= summary.Bit(i)
			}
			if o.Holds {
				holds |= summary.Bit(i)
			} else if !fails && ssax.IsMemory(t) && (o.Field == flow.None || o.Field == summary.All) {
				some |= summary.Bit(i)
			}
		}
		switch {
		case fails: // what is returned beside an error is nothing
		case first:
			always, first = must, false
		default:
			always &= must
		}
	}
	for _, other := range others { // where callers get other objects too, they do not take one for a pooled object
		getter = getter && (!types.IsInterface(t) || pooled.At(other) != nil)
	}
	if getter {
		l.s.Getter |= summary.Bit(r)
		l.gotAt(r)
		l.gotIfNil(r)
	}
	l.lease(r, t)
	ever &^= l.s.Borrows | l.s.Owns // what is taken over is the function's to return
	if ever != 0 {
		l.s.AddReturn(summary.Flow{To: r, From: always & ever, May: ever &^ always, Some: some & ever &^ (always | holds), Holds: holds & ever})
	}
}

// reading returns the parameters that a literal, which is a result, has captured and does not put: it
// reads their memory when the caller calls it.
func reading(l *function, made *ssa.MakeClosure) (m summary.Mask) {
	lit := made.Fn.(*ssa.Function)
	own := l.p.Own(lit)
	for i, b := range made.Bindings {
		if prm := len(lit.Params) + i; own == nil || own.Gives(prm) || (own.MayPut | own.RefPut).Has(prm) {
			continue
		}
		for _, p := range l.contents(b) {
			m |= summary.Bit(p.index)
		}
	}
	return m
}

// setAtEnd reports whether a deferred literal may set a result.
func setAtEnd(p *flow.Program, result ssa.Value) bool {
	load := ssax.Load(result)
	if load == nil {
		return false
	}
	variable, ok := load.X.(*ssa.Alloc)
	return ok && (p.Stores(variable).Inner || p.Stores(variable).Unknown)
}

// failsWith reports whether a return may be one of an error where result r is an object. Where
// both are results of one call, the callee knows.
func failsWith(p *flow.Program, object ssa.Value, r int, ret *ssa.Return) bool {
	last := ret.Results[len(ret.Results)-1]
	if fails, known := p.Fails(ret); known || !ssax.IsError(last.Type()) {
		return fails
	}
	got, ok := object.(*ssa.Extract)
	if passed, isExtract := ssax.Strip(p.Stored(ret.Results[r])).(*ssa.Extract); isExtract {
		got, ok = passed, true // what got the object as an argument returns it, or nil and the error
	}
	if !ok {
		return true
	}
	err, ok := p.Stored(last).(*ssa.Extract)
	if !ok || err.Tuple != got.Tuple {
		return true
	}
	call, ok := got.Tuple.(*ssa.Call)
	if !ok {
		return false
	}
	c := p.Resolve(call)
	return c.Summary.GotFailing.Has(got.Index)
}

// handsOut reports whether what a return gives that comes from a pooled object is
// that object, and the caller's to put.
func (l *pooled) handsOut(o flow.Origin, t types.Type, ret *ssa.Return) bool {
	if o.Holds {
		return false
	}
	if _, isStruct := t.Underlying().(*types.Struct); isStruct {
		return false
	}
	if o.Field == flow.None {
		return !l.kept[o.Root] && !l.endedAt(o.Root, ret)
	}
	// A slice out of a pooled box: the caller's if the box lets go of it, or if
	// the box is a pointer to the slice and goes nowhere itself.
	return l.letsGo(o) || o.Field == summary.All && !l.kept[o.Root] && !l.endedAt(o.Root, ret)
}

// letsGo reports whether the function sets the field of a pooled box to nil that memory comes from.
func (l *pooled) letsGo(o flow.Origin) bool {
	for instr := range ssax.Instrs(l.f) {
		if slices.ContainsFunc(flow.Overwrites(l.p, instr), func(set flow.Overwrite) bool {
			return !set.Nested && set.Val != nil && ssax.IsNil(set.Val) && set.Covers(o.Field) && l.p.Origin(set.Base) == o.Root
		}) {
			return true
		}
	}
	return false
}

// counts learns whether the result tells that a count of references has reached
// zero.
func (l *learner) counts(t types.Type) {
	if !ssax.IsBool(t) && !ssax.IsInteger(t) {
		return
	}
	for _, ret := range l.returns {
		if len(ret.Results) == 1 && (flow.IsCount(l.p, ret.Results[0], 0) || swappedIn(l.function, ret.Results[0])) {
			l.s.Counts = true
		}
	}
}

// swappedIn reports whether a sum or a difference is what the function has set a count to
// by CompareAndSwap: it is the count, as the result of an Add is.
func swappedIn(l *function, v ssa.Value) bool {
	sum, ok := v.(*ssa.BinOp)
	if !ok || sum.Op != token.ADD && sum.Op != token.SUB {
		return false
	}
	for call := range ssax.Of[*ssa.Call](l.f) {
		c := l.p.Resolve(call)
		if len(c.Args) != 3 || !flow.IsAtomic(c.Fn) || !strings.HasPrefix(c.Fn.Name(), "CompareAndSwap") {
			continue
		}
		if l.p.KeyOf(c.Args[2]).Text == l.p.KeyOf(sum).Text {
			return true
		}
	}
	return false
}

// lease learns whether result r is a function that puts other results.
func (l *learner) lease(r int, t types.Type) {
	if _, ok := t.Underlying().(*types.Signature); !ok {
		return
	}
	for _, ret := range l.returns {
		l.passedLease(ret, r)
		made, ok := ret.Results[r].(*ssa.MakeClosure)
		if !ok {
			continue
		}
		methodLease(l, ret, r, made)
		s := l.p.Own(made.Fn.(*ssa.Function))
		if s == nil {
			continue
		}
		params := len(made.Fn.(*ssa.Function).Params)
		for i, b := range made.Bindings {
			alloc, isVar := b.(*ssa.Alloc)
			if !isVar || !s.Gives(params+i) && !s.MayPut.Has(params+i) {
				continue
			}
			for _, store := range l.p.Stores(alloc).Whole {
				if !ssax.IsNil(store.Val) {
					l.ends(ret, r, l.p.Origin(store.Val))
				}
			}
			l.ends(ret, r, alloc) // whatever was stored there
		}
	}
}

// methodLease learns whether result r is the method of another result that puts it:
// return s, s.close.
func methodLease(l *learner, ret *ssa.Return, r int, made *ssa.MakeClosure) {
	if obj, ok := made.Fn.(*ssa.Function).Object().(*types.Func); !ok || len(made.Bindings) != 1 || types.IsInterface(obj.Signature().Recv().Type()) {
		return
	}
	if c := l.p.Closure(nil, made); c.Summary.Gives(0) {
		l.ends(ret, r, l.p.Origin(made.Bindings[0]))
	}
}

// ends notes that result r, a function, puts an object: where that is another result, the caller has
// it until then.
func (l *learner) ends(ret *ssa.Return, r int, object ssa.Value) {
	for j, other := range ret.Results {
		load := ssax.Load(l.p.Stored(other))
		if j != r && (certainly(l.function, other, object) || load != nil && load.X == object) {
			l.s.AddLease(summary.Flow{To: r, From: summary.Bit(j)})
			l.s.Getter |= summary.Bit(j)
		}
	}
}

// passedLease learns whether result r is a function that a callee returned to put
// other results, which are results here too.
func (l *learner) passedLease(ret *ssa.Return, r int) {
	release, ok := l.p.Stored(ret.Results[r]).(*ssa.Extract)
	if !ok {
		return
	}
	getter, ok := release.Tuple.(*ssa.Call)
	if !ok {
		return
	}
	c := l.p.Resolve(getter)
	for _, lease := range c.Summary.Leases {
		if lease.To != release.Index {
			continue
		}
		for j, other := range ret.Results {
			object, ok := l.p.Origin(other).(*ssa.Extract)
			if ok && object.Tuple == release.Tuple && lease.From.Has(object.Index) {
				l.s.AddLease(summary.Flow{To: r, From: summary.Bit(j)})
			}
		}
	}
}

// certainly reports whether a value certainly is an object, or the slice that the
// object is a pointer to.
func certainly(l *function, v, object ssa.Value) bool {
	if l.p.Origin(v) == object {
		return true
	}
	return slices.ContainsFunc(l.p.Origins(v), func(o flow.Origin) bool { return o.Root == object && !o.May && !o.Holds && o.Field == summary.All })
}
