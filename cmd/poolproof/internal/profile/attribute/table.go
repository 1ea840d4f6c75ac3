package attribute

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
)

// weighed is a sample with what it counts for.
type weighed struct {
	profile.Sample
	weight float64
	of     *profile.Benchmark // nil: of another profile
}

// table collects sites.
type table struct {
	scope *Scope
	sites map[key]*entry
	order []*entry
	// resets has the constructors that were found, by the function that calls them.
	resets map[caller][]made
	asked  map[call]bool // which calls were looked at for that
}

// key identifies a site.
type key struct {
	file   string
	line   int
	kind   profile.Kind
	callee string
	pooled bool
}

// call is a frame with the function that it calls.
type call struct {
	profile.Frame
	callee string
}

// caller is a function of the user's.
type caller struct{ pkg, function string }

// entry is a site under construction.
type entry struct {
	site   profile.Site
	bytes  float64 // weighed
	object float64
	by     map[*profile.Benchmark]*profile.Reach

	charged map[profile.Call]bool
	callers map[profile.Place]bool
}

func newTable(s *Scope) *table {
	return &table{scope: s, sites: map[key]*entry{}, resets: map[caller][]made{}, asked: map[call]bool{}}
}

// learn finds the constructors of a stack, so that what their products allocate
// later can be counted as theirs.
func (t *table) learn(stack []profile.Frame) {
	for i, f := range stack {
		at, whose := t.scope.of(f)
		if whose != users || i == 0 {
			continue
		}
		callee := withoutTypes(stack[i-1].Function)
		src := t.scope.source(at.file)
		if src == nil || t.asked[call{f, callee}] {
			continue
		}
		t.asked[call{f, callee}] = true
		who := caller{at.pkg, f.Function}
		if product, column, expr, ok := src.constructor(at.line, callee); ok {
			t.add(who, made{product, f, callee, column, expr})
			continue
		}
		// A profile of samples may have what a method allocates, and not the little
		// that the constructor does.
		for _, m := range src.constructors(at.line, callee) {
			m.frame = profile.Frame{Function: f.Function, File: f.File, Line: m.frame.Line}
			t.add(who, m)
		}
	}
}

// withoutTypes is the name of a function without type arguments: the source has
// others.
func withoutTypes(function string) string {
	name, arguments, generic := strings.Cut(function, "[")
	if !generic || strings.HasPrefix(profile.NameOf(function), "(*") {
		return function
	}
	_, rest, _ := strings.Cut(arguments, "]")
	return name + rest
}

// add notes a constructor of a function, once.
func (t *table) add(who caller, m made) {
	same := func(known made) bool { return known.frame == m.frame && known.callee == m.callee }
	if !slices.ContainsFunc(t.resets[who], same) {
		t.resets[who] = append(t.resets[who], m)
	}
}

// constructor finds the constructor in the user's source that a stack belongs
// to: one that is called on it, or the only one of the caller's that makes what
// the callee is a method of.
func (t *table) constructor(stack []profile.Frame) (index int, m made, ok bool) {
	for i, f := range stack {
		at, whose := t.scope.of(f)
		if whose != users || i == 0 {
			continue
		}
		callee := withoutTypes(stack[i-1].Function)
		var of []made
		for _, m := range t.resets[caller{at.pkg, f.Function}] {
			if m.frame == f && m.callee == callee {
				return i, m, true
			}
			if m.methodOf(callee) {
				of = append(of, m)
			}
		}
		if len(of) == 1 {
			return i, of[0], true
		}
	}
	return 0, made{}, false
}

// siteOf finds the site of a stack, and whether that is the user's.
func (t *table) siteOf(stack []profile.Frame) (*entry, whose) {
	first := 0 // outside of the runtime
	for first < len(stack) && profile.OfRuntime(stack[first].Function) {
		first++
	}
	inner, of := -1, others
	var at place
	for i := first; i < len(stack); i++ {
		if at, of = t.scope.of(stack[i]); of != others {
			inner = i
			break
		}
	}
	if of != users {
		return nil, of
	}
	if grows(stack[first].Function) {
		if e := t.growth(stack, inner); e != nil {
			return e, users
		}
	}
	if i, m, ok := t.constructor(stack); ok {
		at, _ := t.scope.of(m.frame)
		return t.entry(at, stack, i, func(s *profile.Site) {
			s.Kind, s.Callee, s.Type, s.Column, s.Expr = profile.KindConstructor, m.callee, m.text, m.column, m.expr
			s.Function = profile.NameOf(m.frame.Function)
		}), users
	}
	return t.entry(at, stack, inner, func(s *profile.Site) {
		src := t.scope.source(at.file)
		switch {
		case inner > first:
			s.Kind, s.Callee = profile.KindCallee, stack[inner-1].Function
			if grows(stack[first].Function) {
				s.Kind = profile.KindGrowth
			}
			if src != nil {
				s.Column, s.Expr = src.callTo(at.line, s.Callee)
			}
		case src == nil:
			s.Kind = profile.KindUnknown
		case first == 0:
			s.Kind, s.Column, s.Expr = src.describe(at.line, s.Function, "")
		default:
			s.Kind, s.Column, s.Expr = src.describe(at.line, s.Function, stack[first-1].Function)
		}
	}), users
}

// growth finds the local variable that is the buffer which grows, in the
// innermost function of the user's that declares one and in those that call it.
func (t *table) growth(stack []profile.Frame, inner int) *entry {
	for i := inner; i < len(stack); i++ {
		at, whose := t.scope.of(stack[i])
		if whose == tests {
			return nil
		}
		src := t.scope.source(at.file)
		if whose != users || src == nil {
			continue
		}
		b, ok := src.buffer(at.line)
		if !ok {
			continue
		}
		at.line = b.at.Line
		return t.entry(at, stack, i, func(s *profile.Site) {
			s.Kind, s.Column, s.Expr, s.InPool = profile.KindGrowth, b.at.Column, b.expr, b.pooled
		})
	}
	return nil
}

// entry returns the site at a place, which fill describes; index is that of its
// frame on the stack.
func (t *table) entry(at place, stack []profile.Frame, index int, fill func(*profile.Site)) *entry {
	s := profile.Site{Package: at.pkg, Function: profile.NameOf(stack[index].Function), File: at.file, Line: at.line}
	if src := t.scope.source(at.file); src != nil {
		s.Stale = !src.declares(at.line, s.Function)
	}
	for _, f := range stack[index+1:] {
		if f.Function == "sync.(*Pool).Get" {
			s.InPool = true
		}
	}
	fill(&s)
	k := key{s.File, s.Line, s.Kind, s.Callee, s.InPool}
	e := t.sites[k]
	if e == nil {
		e = &entry{
			site: s, by: map[*profile.Benchmark]*profile.Reach{},
			charged: map[profile.Call]bool{}, callers: map[profile.Place]bool{},
		}
		t.sites[k] = e
		t.order = append(t.order, e)
	}
	t.lead(e, stack, index)
	return e
}

// lead notes the line on a stack that is charged, and those that led there.
func (t *table) lead(e *entry, stack []profile.Frame, index int) {
	for i := index; i < len(stack); i++ {
		at, whose := t.scope.of(stack[i])
		if whose != users {
			continue
		}
		line := profile.Place{File: at.file, Line: at.line}
		if i > index {
			e.callers[line] = true
			continue
		}
		c := profile.Call{Place: line, Grows: e.site.Kind == profile.KindGrowth}
		if i > 0 && !profile.OfRuntime(stack[i-1].Function) {
			c.Callee = stack[i-1].Function
		}
		e.charged[c] = true
	}
}

// count adds a sample to its site.
func (t *table) count(e *entry, w weighed) {
	e.bytes += w.Bytes * w.weight
	e.object += w.Objects * w.weight
	if w.of == nil {
		return
	}
	r := e.by[w.of]
	if r == nil {
		r = &profile.Reach{Package: w.of.Package, Benchmark: w.of.Name, Rate: w.weight}
		e.by[w.of] = r
	}
	r.Bytes += w.Bytes
	r.Objects += w.Objects
}

// finish works out the shares and the rank.
func (t *table) finish(p *profile.Profile) []*profile.Site {
	var sites []*profile.Site
	for _, e := range t.order {
		s := &e.site
		s.ByteShare, s.ObjectShare = part(e.bytes, p.Bytes), part(e.object, p.Objects)
		s.Bytes, s.Objects = e.bytes, e.object
		s.Charged = slices.SortedFunc(maps.Keys(e.charged), func(a, b profile.Call) int {
			return cmp.Or(comparePlaces(a.Place, b.Place), cmp.Compare(a.Callee, b.Callee))
		})
		s.Callers = slices.SortedFunc(maps.Keys(e.callers), comparePlaces)
		for b, r := range e.by {
			bytes, objects := b.Total()
			r.ByteShare, r.ObjectShare = part(r.Bytes, bytes), part(r.Objects, objects)
			s.Benchmarks = append(s.Benchmarks, *r)
			bound := profile.Bound{Benchmark: b.Name, CPU: b.CPU.Bound(r.ByteShare, r.ObjectShare), Bytes: r.ByteShare}
			if b.CPU.Samples > 0 && (s.Bound.Benchmark == "" || bound.CPU > s.Bound.CPU || bound.CPU == s.Bound.CPU && bound.Benchmark < s.Bound.Benchmark) {
				s.Bound = bound
			}
		}
		slices.SortFunc(s.Benchmarks, func(a, b profile.Reach) int {
			return cmp.Or(cmp.Compare(b.ByteShare, a.ByteShare), cmp.Compare(b.ObjectShare, a.ObjectShare), cmp.Compare(a.Package, b.Package), cmp.Compare(a.Benchmark, b.Benchmark))
		})
		if len(s.Benchmarks) > 0 {
			s.Bytes, s.Objects = s.Benchmarks[0].Bytes, s.Benchmarks[0].Objects
		}
		sites = append(sites, s)
	}
	profile.Rank(sites)
	return sites
}

func comparePlaces(a, b profile.Place) int {
	return cmp.Or(cmp.Compare(a.File, b.File), a.Line-b.Line)
}

func part(of, all float64) float64 {
	if all == 0 {
		return 0
	}
	return of / all
}
