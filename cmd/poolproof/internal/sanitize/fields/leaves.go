package fields

import (
	"slices"
	"strconv"
	"strings"
)

// linker joins the facts of packages.
type linker struct {
	funcs   map[string]Func
	fields  map[string]*state
	byName  map[string][]string
	keeping map[Arg]bool
	asked   map[question]bool // and not yet answered
	steps   int
}

// ops are the operations on an array on its way.
type ops uint8

const (
	empty ops = 1 << iota // x[:0]
	cut                   // resliced
	grown                 // appended to
)

var opOf = map[Kind]ops{Empty: empty, Cut: cut, Grown: grown}

// leaf is one place where an array may come from.
type leaf struct {
	kind           Kind // Fresh, Foreign, OfField, Param, Deref
	keys           []string
	base           string
	self           bool // the very field whose address was given
	kept, returned bool
	done           ops
	why            string
	other          bool // of Foreign: others have it, too
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
		return ofField(s, env)
	case Any:
		var all []leaf
		for _, a := range s.Args {
			all = append(all, l.leaves(a, env, depth)...)
		}
		return all
	case Cut, Empty, Grown:
		all := l.leaves(s.Args[0], env, depth)
		for i := range all {
			all[i].done |= opOf[s.Kind]
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
		kept := len(s.To) == 0 || slices.ContainsFunc(s.To, l.keeps)
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

func ofField(s Source, env *call) []leaf {
	if env == nil {
		return []leaf{{kind: OfField, keys: s.Keys, base: s.Base}}
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
	return ofField(Source{Keys: s.Keys, Base: env.from.Bases[n] + rest}, env.env)
}

func (l *linker) parameter(s Source, env *call, depth int) []leaf {
	if env == nil {
		return []leaf{{kind: s.Kind, why: s.Why}}
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
	return l.leaves(Source{Kind: Any, Args: sources}, inner, depth+1)
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

// maybeOld reports whether a function does not only return what it makes.
func (l *linker) maybeOld(name string) bool {
	return len(l.funcs[name].Results) == 0 || l.gives(name, func(x leaf) bool { return x.kind != Fresh })
}

// again returns the sources that a recursive call adds, direct or by way of others. The call outside
// is of the same result, so what the function makes is known from there. New is only what the call
// gives to parameters that the result may be, or may be a field of.
func (l *linker) again(s *Source, env, outside *call, depth int) (all []leaf) {
	for k, a := range s.Args {
		switch {
		case s.Kind == ThroughCall:
			all = append(all, l.leaves(a, env, depth+1)...)
			continue
		case env == outside && k < len(s.Bases) && s.Bases[k] == parameter(k):
			continue // the very same
		}
		if l.returns(question{s.Func, s.N, k, false}) {
			all = append(all, l.leaves(a, env, depth+1)...)
		}
		if l.returns(question{s.Func, s.N, k, true}) {
			all = append(all, leaf{kind: Foreign, why: "the field of another value"})
		}
	}
	return all
}

// question asks whether result n of a function may be its parameter, or a field of it.
type question struct {
	fn           string
	n, parameter int
	field        bool
}

// returns answers a question. It says yes if it cannot find out.
func (l *linker) returns(q question) bool {
	if l.asked[q] {
		return false // a proof that needs itself proves nothing
	}
	fn, ok := l.funcs[q.fn]
	if l.steps++; !ok || q.n >= len(fn.Results) || l.steps > mostSteps {
		return true
	}
	l.asked[q] = true
	defer delete(l.asked, q)
	return l.mayBe(fn.Results[q.n], q)
}

// mayBe reports whether a source in the function of a question may be what it asks for.
func (l *linker) mayBe(s Source, q question) bool {
	switch s.Kind {
	case Param:
		return !q.field && s.N == q.parameter
	case OfField:
		return q.field && rooted(s.Base, parameter(q.parameter))
	case Call:
		for j, a := range s.Args {
			if l.mayBe(a, q) && l.returns(question{s.Func, s.N, j, false}) {
				return true
			}
		}
		for j, b := range s.Bases {
			if q.field && rooted(b, parameter(q.parameter)) && l.returns(question{s.Func, s.N, j, true}) {
				return true
			}
		}
		return false
	}
	return slices.ContainsFunc(s.Args, func(a Source) bool { return l.mayBe(a, q) })
}
