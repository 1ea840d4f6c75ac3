package fields

import (
	"cmp"
	"slices"
)

// registered returns, by type, where objects that were made for a pool are given to code that
// keeps them.
func (l *linker) registered(all []*Facts) map[string]string {
	r := registry{linker: l, all: all, values: map[string][]Arg{}, found: map[string]string{}}
	undone := map[string]bool{}
	for _, f := range all {
		for key, fns := range f.Values {
			r.values[key] = append(r.values[key], fns...)
		}
		for _, name := range f.Undone {
			undone[name] = true
		}
	}
	for _, f := range all {
		for i := range f.Makers {
			if m := &f.Makers[i]; m.Unless == "" || !undone[m.Unless] {
				r.thing(m, nil, map[string]bool{})
			}
		}
	}
	return r.found
}

// registry follows what constructors make through the functions of a build.
type registry struct {
	*linker
	all    []*Facts
	values map[string][]Arg
	found  map[string]string // places, by type
}

// thing notes the types of a thing that a function makes if code keeps it. call is the call
// of that function; nil: of a New.
func (r *registry) thing(m *Maker, call *Handed, seen map[string]bool) {
	is := r.settle(&m.Spread, map[Arg]bool{})
	if is.Kept || r.held(is.Into, call) {
		r.typesOf(m, func(name string) {
			r.found[name] = cmp.Or(r.found[name], is.At)
		}, map[string]bool{})
	}
	if m.From == nil || seen[m.From.Func] {
		return
	}
	seen[m.From.Func] = true
	for i := range r.funcs[m.From.Func].Makes {
		r.thing(&r.funcs[m.From.Func].Makes[i], m.From, seen)
	}
}

// held reports whether any of what holds a value in a function outlives the call of that function.
func (r *registry) held(into []Holder, call *Handed) bool {
	for _, h := range into {
		switch {
		case h.Lives, call == nil && h.Param > 0, h.Of != "" && r.old(h.Of):
			return true
		case h.Param > 0:
			if is, ok := call.Held[h.Param-1]; ok && (is.Lives || is.Param > 0 || is.Of != "" && r.old(is.Of)) {
				return true
			}
			if then, ok := call.Then[h.Param-1]; ok && r.settle(&then, map[Arg]bool{}).Kept {
				return true
			}
		}
	}
	return false
}

// settle says where a value has gone to, by way of all functions that it was given to.
func (r *registry) settle(s *Spread, seen map[Arg]bool) (is Spread) {
	if s.Kept {
		return Spread{Kept: true, At: s.At}
	}
	is = Spread{Into: slices.Clone(s.Into), At: s.At}
	for i := range s.To {
		h := &s.To[i]
		for _, fn := range r.called(h.Func) {
			to := Arg{fn.Func, h.N + fn.N}
			if seen[to] {
				continue
			}
			seen[to] = true
			gives := r.funcs[to.Func].Gives[to.N]
			inner := r.settle(&gives, seen)
			if inner.Kept {
				return inner
			}
			for _, in := range inner.Into {
				r.seenFrom(h, fn.N, in, inner.At, &is, seen)
			}
			if is.Kept {
				return is
			}
		}
	}
	return is
}

// store adds memory that a value is stored in.
func (s *Spread) store(h Holder, at string) {
	s.Kept = s.Kept || h.Lives
	s.Into = append(s.Into, h)
	s.At = cmp.Or(s.At, at)
}

// seenFrom adds what a function has stored a value in, as its caller sees it. shift is by how much
// the function's parameters are shifted: those before have a value that was bound earlier.
func (r *registry) seenFrom(h *Handed, shift int, in Holder, at string, is *Spread, seen map[Arg]bool) {
	if in.Param == 0 {
		is.store(in, at)
		return
	}
	arg := in.Param - 1 - shift
	if held, ok := h.Held[arg]; ok || arg < 0 {
		held.Lives = held.Lives || arg < 0
		is.store(held, at)
		return
	}
	if then, ok := h.Then[arg]; ok {
		inner := r.settle(&then, seen)
		is.Kept = is.Kept || inner.Kept
		for _, more := range inner.Into {
			is.store(more, inner.At)
		}
		is.At = cmp.Or(is.At, inner.At)
	}
}

// called returns the functions that a name stands for, with what their parameters are shifted by.
func (r *registry) called(name string) []Arg {
	if _, ok := r.funcs[name]; ok {
		return []Arg{{Func: name}}
	}
	return r.values[name]
}

// typesOf names the types of what a maker returns, also by way of functions that return any.
func (r *registry) typesOf(m *Maker, add func(name string), seen map[string]bool) {
	for _, t := range m.Types {
		add(t)
	}
	if m.Generic != "" {
		for _, f := range r.all {
			for _, t := range f.Instances[m.Generic] {
				add(t)
			}
		}
	}
	if m.From == nil || len(m.Types) > 0 || seen[m.From.Func] {
		return
	}
	seen[m.From.Func] = true
	for i := range r.funcs[m.From.Func].Makes {
		r.typesOf(&r.funcs[m.From.Func].Makes[i], add, seen)
	}
}
