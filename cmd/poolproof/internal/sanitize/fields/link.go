package fields

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// link joins the facts of packages.
func link(all []*Facts) Result {
	l := &linker{
		funcs: map[string]Func{}, fields: map[string]*state{}, byName: map[string][]string{}, keeping: map[Arg]bool{},
		asked: map[question]bool{},
	}
	for _, f := range all {
		maps.Copy(l.funcs, f.Funcs)
	}
	for _, f := range all {
		l.gather(f)
	}
	for _, f := range all {
		l.lends(f)
		l.dropped(f)
	}
	l.depend()
	l.exchange()
	r := Result{Fields: map[string]Field{}, Registered: l.registered(all)}
	for name, s := range l.fields {
		r.Fields[name] = s.judge()
	}
	return r
}

// state describes a field.
type state struct {
	declared       bool
	lent           string
	lentAt         string
	shared, unsure bool   // see Field
	done           ops    // to its own arrays
	kept           bool   // made if its own array does not do
	room           bool   // made if its own array has no more room
	made, renewed  bool   // made together with the object; made for an object that was there
	dropped        string // where each user loses what it refers to
	at             string
	moves          []move // of arrays of other fields of the same object to this one
}

// move says that an array of another field of the same object is stored to a field.
type move struct {
	from string
	done ops
	at   string
}

func (l *linker) field(name string) *state {
	s := l.fields[name]
	if s == nil {
		s = &state{}
		l.fields[name] = s
		plain := strings.TrimSuffix(name, "[]")
		last := plain[strings.LastIndexByte(plain, '.')+1:]
		l.byName[last] = append(l.byName[last], name)
	}
	return s
}

func (s *state) lend(why, at string) {
	if s.lent == "" {
		s.lent, s.lentAt = why, at
	}
}

// judge says whether a field owns its arrays, and why.
func (s *state) judge() Field {
	restarts := s.done&(empty|cut) > 0
	extended := s.done&grown > 0 || s.room
	switch {
	case s.declared:
		return Field{Own: true, Why: "declared by //poolproof:own"}
	case s.lent != "":
		return Field{Shared: s.shared, Unsure: s.unsure, Why: lent + s.lent, At: s.lentAt}
	case s.dropped != "":
		return Field{Why: "each user begins or ends without what it refers to", At: s.dropped}
	case extended && !restarts: // what was appended stays as it is, and may be handed out for good
		return Field{Shared: true, Why: "it is only appended to: no store uses the same bytes again", At: s.at}
	case s.kept:
		return Field{Own: true, Why: "made when its own array does not do, and only its own arrays are stored", At: s.at}
	case restarts && extended:
		return Field{Own: true, Why: "emptied and appended to, and only its own arrays are stored", At: s.at}
	case s.made && !s.renewed: // all users of the object use the same
		return Field{Own: true, Why: "made together with the object, and not replaced", At: s.at}
	}
	return Field{Why: "no store shows that an array is used again", At: s.at}
}

func (l *linker) gather(f *Facts) {
	for _, name := range f.Owned {
		l.field(name).declared = true
	}
	for _, st := range f.Stores {
		l.steps = 0
		leaves := l.leaves(st.From, nil, 0)
		for _, name := range st.To {
			s := l.field(name)
			l.judgeStore(s, name, st, leaves)
		}
	}
}

// judgeStore adds what one store says of a field.
func (l *linker) judgeStore(s *state, name string, st Store, leaves []leaf) {
	own, fresh, returned := false, false, false
	for _, x := range leaves {
		switch {
		case x.kind == Fresh && x.kept:
			s.lend("its memory is kept elsewhere, too", st.At)
			s.shared = s.shared || !st.Ref // a struct that New gives to others may still be the object's alone by its Put
		case x.kind == Fresh && x.why == null.Why && !st.Kept:
		case x.kind == Fresh:
			fresh = true
			returned = returned || x.returned
		case x.kind == OfField && len(x.keys) == 0 && x.base == st.Base && st.Base != "": // an array in the object
		case x.kind == OfField && x.base == st.Base && (st.Base != "" || x.self):
			if !slices.Contains(x.keys, name) && !x.self {
				for _, k := range x.keys {
					s.moves = append(s.moves, move{k, x.done, st.At})
				}
				continue
			}
			own = true
			s.done |= x.done
			if s.at == "" && x.done > 0 {
				s.at = st.At
			}
		case x.kind == OfField:
			s.lend("the field of another value", st.At)
			s.shared = true
		case x.kind == Param:
			s.lend("a parameter", st.At)
			s.unsure = true
		default:
			s.lend(cmp.Or(x.why, "something that is not followed"), st.At)
			s.shared, s.unsure = s.shared || x.other, true
		}
	}
	if returned && !own { // what was made for the caller
		s.lend("its memory is kept elsewhere, too", st.At)
		s.shared = s.shared || !st.Ref
	}
	switch {
	case !fresh:
	case st.Room:
		s.room, s.at = true, st.At
	case own, st.Kept:
		s.kept, s.at = true, st.At
	case st.Made:
		s.made = true
		s.at = cmp.Or(s.at, st.At)
	default:
		s.renewed = true
	}
}

func (l *linker) lends(f *Facts) {
	for _, d := range f.Lends {
		if len(d.Given) > 0 && !slices.ContainsFunc(d.Given, l.keeps) {
			continue
		}
		to := d.To
		if d.Name != "" {
			for _, name := range l.byName[d.Name] {
				if d.In == "" || strings.HasPrefix(name, d.In+".") {
					to = append(to, name)
				}
			}
		}
		for _, name := range to {
			s := l.field(name)
			if d.Soft && !s.renewed {
				continue
			}
			s.lend(d.Why, d.At)
			s.shared, s.unsure = s.shared || d.Shared, s.unsure || d.Unsure
		}
	}
}

// depend lends the fields that arrays of lent fields are moved to.
func (l *linker) depend() {
	for changed := true; changed; {
		changed = false
		for _, s := range l.fields {
			if s.lent != "" {
				continue
			}
			for _, m := range s.moves {
				if other := l.fields[m.from]; other != nil && other.lent != "" {
					s.lend("the arrays of "+m.from+" are moved here", other.lentAt)
					changed = true
				}
			}
		}
	}
}

// exchange is for fields that pass their arrays to each other and back, as double buffers do:
//
//	x.full, x.free = x.free[:0], x.full
//
// What shows reuse in one of them shows it in both.
func (l *linker) exchange() {
	for changed := true; changed; {
		changed = false
		for name, s := range l.fields {
			for _, m := range s.moves {
				other := l.fields[m.from]
				if other == nil || !slices.ContainsFunc(other.moves, func(back move) bool { return back.from == name }) {
					continue
				}
				done, kept := s.done|other.done|m.done, s.kept || other.kept
				changed = changed || done != s.done || kept != s.kept
				s.done, s.kept = done, kept
				s.at = cmp.Or(s.at, m.at)
			}
		}
	}
}

// dropped marks the fields that drops name, with those of the functions that they name.
func (l *linker) dropped(f *Facts) {
	for _, d := range f.Drops {
		if !slices.ContainsFunc(d.Of, l.maybeOld) {
			continue
		}
		for name := range l.lost(d, map[Arg]bool{}) {
			if s := l.field(name); s.dropped == "" {
				s.dropped = d.At
			}
		}
	}
}

func (l *linker) lost(d Drop, seen map[Arg]bool) map[string]bool {
	all := map[string]bool{}
	for _, name := range d.Fields {
		all[name] = true
	}
	for _, a := range d.By {
		if inner, ok := l.funcs[a.Func].Drops[a.N]; ok && !seen[a] {
			seen[a] = true
			for name := range l.lost(inner, seen) {
				all[name] = true
			}
		}
	}
	for _, name := range d.Except {
		delete(all, name)
	}
	return all
}
