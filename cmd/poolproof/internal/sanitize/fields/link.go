package fields

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// lent begins the reason of a field that may hold memory of others.
const lent = "lent: "

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

type linker struct {
	funcs   map[string]Func
	fields  map[string]*state
	byName  map[string][]string
	keeping map[Arg]bool
	asked   map[question]bool // and not yet answered
	steps   int
}

// state describes a field.
type state struct {
	declared          bool
	lent              string
	lentAt            string
	shared, unsure    bool   // see Field
	empty, cut, grown bool   // it is emptied; resliced; appended to
	kept              bool   // made if its own array does not do
	room              bool   // made if its own array has no more room
	made, renewed     bool   // made together with the object; made for an object that was there
	dropped           string // where each user loses what it refers to
	at                string
	moves             []move // of arrays of other fields of the same object to this one
}

// move says that an array of another field of the same object is stored to a field.
type move struct {
	from              string
	empty, cut, grown bool
	at                string
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
	restarts := s.empty || s.cut
	grown := s.grown || s.room
	reuse := s.kept || restarts && grown
	switch {
	case s.declared:
		return Field{Own: true, Why: "declared by //poolproof:own"}
	case s.lent != "":
		return Field{Shared: s.shared, Unsure: s.unsure, Why: lent + s.lent, At: s.lentAt}
	case s.dropped != "":
		return Field{Why: "each user begins or ends without what it refers to", At: s.dropped}
	case grown && !restarts: // what was appended stays as it is, and may be handed out for good
		return Field{Shared: true, Why: "it is only appended to: no store uses the same bytes again", At: s.at}
	case s.kept:
		return Field{Own: true, Why: "made when its own array does not do, and only its own arrays are stored", At: s.at}
	case reuse:
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
					s.moves = append(s.moves, move{k, x.empty, x.cut, x.grown, st.At})
				}
				continue
			}
			own = true
			s.empty, s.cut, s.grown = s.empty || x.empty, s.cut || x.cut, s.grown || x.grown
			if s.at == "" && (x.empty || x.cut || x.grown) {
				s.at = st.At
			}
		case x.kind == OfField:
			s.lend("the field of another value", st.At)
			s.shared = true
		case x.kind == Param:
			s.lend("a parameter", st.At)
			s.unsure = true
		default:
			why := x.why
			if why == "" {
				why = "something that is not followed"
			}
			s.lend(why, st.At)
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
		if s.at == "" {
			s.at = st.At
		}
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
				was := *s
				s.empty, s.cut, s.grown = s.empty || other.empty || m.empty, s.cut || other.cut || m.cut, s.grown || other.grown || m.grown
				s.kept = s.kept || other.kept
				if s.at == "" {
					s.at = m.at
				}
				changed = changed || was.empty != s.empty || was.cut != s.cut || was.grown != s.grown || was.kept != s.kept
			}
		}
	}
}

// leaf is one place where an array may come from.
type leaf struct {
	kind              Kind // Fresh, Foreign, OfField, Param, Deref
	keys              []string
	base              string
	n                 int
	self              bool // the very field whose address was given
	kept, returned    bool
	empty, cut, grown bool
	why               string
	other             bool // of Foreign: others have it, too
}

// call is a call whose function's sources are looked at.
type call struct {
	from *Source
	env  *call
}

const (
	deepest   = 12     // calls of calls
	mostSteps = 10_000 // of calls that one store leads to
)

// leaves resolves a source. env is the call that the source is of the function of; nil:
// its parameters are not known.
func (l *linker) leaves(s Source, env *call, depth int) []leaf {
	switch s.Kind {
	case Fresh, Foreign:
		return []leaf{{kind: s.Kind, why: s.Why, other: s.Other}}
	case OfField:
		return l.ofField(s, env)
	case Any:
		var all []leaf
		for _, a := range s.Args {
			all = append(all, l.leaves(a, env, depth)...)
		}
		return all
	case Cut, Empty, Grown:
		all := l.leaves(s.Args[0], env, depth)
		for i := range all {
			switch s.Kind {
			case Cut:
				all[i].cut = true
			case Empty:
				all[i].empty = true
			case Grown:
				all[i].grown = true
			}
		}
		return all
	case Returned:
		all := l.leaves(s.Args[0], env, depth)
		for i := range all {
			all[i].returned = all[i].returned || all[i].kind == Fresh && env == nil
		}
		return all
	case Kept:
		all := l.leaves(s.Args[0], env, depth)
		kept := len(s.To) == 0
		for _, a := range s.To {
			kept = kept || l.keeps(a)
		}
		for i := range all {
			all[i].kept = all[i].kept || kept && all[i].kind == Fresh
		}
		return all
	case Param, Deref:
		return l.parameter(s, env, depth)
	case Call, ThroughCall:
		return l.called(s, env, depth)
	}
	return []leaf{{kind: Foreign}}
}

func (l *linker) ofField(s Source, env *call) []leaf {
	x := leaf{kind: OfField, keys: s.Keys, base: s.Base}
	if env == nil {
		return []leaf{x}
	}
	// The field of a parameter is that of the argument.
	if !strings.HasPrefix(s.Base, "p") || env.from.Kind != Call {
		return []leaf{{kind: Foreign, why: env.from.Why}}
	}
	root, rest := s.Base, ""
	if i := strings.IndexAny(s.Base, ".["); i >= 0 {
		root, rest = s.Base[:i], s.Base[i:]
	}
	n, _ := strconv.Atoi(root[1:])
	if n >= len(env.from.Bases) || env.from.Bases[n] == "" {
		return []leaf{{kind: Foreign, why: env.from.Why}}
	}
	x.base = env.from.Bases[n] + rest
	up := Source{Kind: OfField, Keys: x.keys, Base: x.base}
	return l.ofField(up, env.env)
}

func (l *linker) parameter(s Source, env *call, depth int) []leaf {
	if env == nil {
		return []leaf{{kind: s.Kind, n: s.N, why: s.Why}}
	}
	if s.Kind == Deref {
		if env.from.Kind == ThroughCall && s.N == env.from.N {
			if env.from.Keys == nil {
				return nil // of a variable: nothing new
			}
			return []leaf{{kind: OfField, keys: env.from.Keys, base: env.from.Base, self: true}}
		}
		return []leaf{{kind: Foreign, why: "what a pointer points to"}}
	}
	if s.N >= len(env.from.Args) {
		return []leaf{{kind: Foreign}}
	}
	return l.leaves(env.from.Args[s.N], env.env, depth)
}

// called resolves what a function returns, or stores through a pointer.
func (l *linker) called(s Source, env *call, depth int) []leaf {
	fn, ok := l.funcs[s.Func]
	if l.steps++; !ok || depth >= deepest || l.steps > mostSteps {
		return []leaf{{kind: Foreign, why: s.Why}}
	}
	for c := env; c != nil; c = c.env {
		if c.from.Func == s.Func && c.from.N == s.N && c.from.Kind == s.Kind {
			return l.again(&s, env, c, depth)
		}
	}
	inner := &call{from: &s, env: env}
	if s.Kind == Call {
		if s.N >= len(fn.Results) {
			return []leaf{{kind: Foreign, why: s.Why}}
		}
		return l.leaves(fn.Results[s.N], inner, depth+1)
	}
	sources, ok := fn.Through[s.N]
	if !ok {
		return []leaf{{kind: Foreign, why: "its address is given to a function"}}
	}
	var all []leaf
	for _, x := range sources {
		all = append(all, l.leaves(x, inner, depth+1)...)
	}
	return all
}

// keeps reports whether a function may keep a slice that it is given.
func (l *linker) keeps(a Arg) bool {
	fn, ok := l.funcs[a.Func]
	if !ok || fn.Keeps[a.N] {
		return true
	}
	if l.keeping[a] {
		return false
	}
	l.keeping[a] = true
	defer delete(l.keeping, a)
	return slices.ContainsFunc(fn.Passes[a.N], l.keeps)
}

// old reports whether a function may return memory that was there before its call, and that it was
// not given.
func (l *linker) old(name string) bool {
	return l.gives(name, func(x leaf) bool { return x.kind != Fresh && x.kind != Param })
}

// gives reports whether anything that a function returns first is of a kind.
func (l *linker) gives(name string, kind func(leaf) bool) bool {
	fn, ok := l.funcs[name]
	if !ok || len(fn.Results) == 0 {
		return false
	}
	l.steps = 0
	return slices.ContainsFunc(l.leaves(fn.Results[0], nil, 0), kind)
}
