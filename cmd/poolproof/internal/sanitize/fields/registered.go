package fields

import (
	"cmp"
	"maps"
	"slices"
)

// Keeping says what code outside keeps of the objects of a type from when they are made.
type Keeping uint8

// What is kept. The runtime has the numbers.
const (
	Nothing Keeping = iota
	Memory          // what a field refers to
	Objects
)

// Registered is a type of pooled objects that code outside keeps.
type Registered struct {
	At   string             // a place where one is stored
	Kept Keeping            // of objects of which it is not known which function has made them
	By   map[string]Keeping // of those that a function has made or had made by its New, as import/path file.go:line, if it is less
}

// registered returns, by type, where objects that were made for a pool are given to code that
// keeps them.
func (l *linker) registered(all []*Facts) map[string]Registered {
	r := registry{linker: l, all: all, values: map[string][]Arg{}, found: map[string]Registered{}, open: map[string]bool{}}
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
				r.thing(m, m.In, nil, map[string]bool{})
			}
		}
	}
	for name, is := range r.found {
		if is.At == "" {
			delete(r.found, name)
			continue
		}
		anywhere := is.By[""]
		for in, kept := range is.By {
			is.Kept = max(is.Kept, kept)
			is.By[in] = max(kept, anywhere)
		}
		maps.DeleteFunc(is.By, func(in string, kept Keeping) bool { return in == "" || kept == is.Kept || r.open[in] })
		r.found[name] = is
	}
	return r.found
}

// registry follows what constructors make through the functions of a build.
type registry struct {
	*linker
	all    []*Facts
	values map[string][]Arg
	found  map[string]Registered // by type
	open   map[string]bool       // functions that may have what they make from anywhere
}

// thing notes the types of a thing that a function makes, and what code keeps of it. call is the call
// of that function; nil: of a New, or of what does for one, which in names.
func (r *registry) thing(m *Maker, in string, call *Handed, seen map[string]bool) {
	is := r.settle(&m.Spread, map[Arg]bool{})
	kept := Nothing
	switch {
	case is.Kept || r.held(is.Into, call):
		kept = Objects
	case is.Part:
		kept = Memory
	}
	r.typesOf(m, func(name string) {
		of := r.found[name]
		if kept > Nothing {
			of.At = cmp.Or(of.At, is.At)
		}
		put(&of.By, in, max(of.By[in], kept))
		r.found[name] = of
	}, map[string]bool{})
	r.open[in] = r.open[in] || m.Open
	if m.From == nil || seen[m.From.Func] {
		return
	}
	seen[m.From.Func] = true
	made, known := r.funcs[m.From.Func]
	r.open[in] = r.open[in] || !known
	for i := range made.Makes {
		r.thing(&made.Makes[i], in, m.From, seen)
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
			if then, ok := call.Then[h.Param-1]; ok {
				if is := r.settle(&then, map[Arg]bool{}); is.Kept || is.Part {
					return true
				}
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
	is = Spread{Part: s.Part, Into: slices.Clone(s.Into), At: s.At}
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
			if inner.Part {
				is.Part, is.At = true, cmp.Or(is.At, inner.At)
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
		is.Kept = is.Kept || inner.Kept || inner.Part
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
