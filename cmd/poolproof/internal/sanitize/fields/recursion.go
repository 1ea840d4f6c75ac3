package fields

import (
	"slices"
	"strings"
)

// again returns the sources that a recursive call adds, direct or by way of others. The call outside
// is of the same result, so what the function makes is known from there. New is only what the call
// gives to parameters that the result may be, or may be a field of.
func (l *linker) again(s *Source, env, outside *call, depth int) (all []leaf) {
	for k, a := range s.Args {
		switch {
		case s.Kind == ThroughCall:
			all = append(all, l.leaves(a, env, depth+1)...)
			continue
		case env == outside && k < len(s.Bases) && s.Bases[k] == "p"+itoa(k):
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
		return q.field && rooted(s.Base, q.parameter)
	case Call:
		for j, a := range s.Args {
			if l.mayBe(a, q) && l.returns(question{s.Func, s.N, j, false}) {
				return true
			}
		}
		for j, b := range s.Bases {
			if q.field && rooted(b, q.parameter) && l.returns(question{s.Func, s.N, j, true}) {
				return true
			}
		}
		return false
	}
	return slices.ContainsFunc(s.Args, func(a Source) bool { return l.mayBe(a, q) })
}

// rooted reports whether a path begins at a parameter.
func rooted(path string, parameter int) bool {
	rest, ok := strings.CutPrefix(path, "p"+itoa(parameter))
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}
