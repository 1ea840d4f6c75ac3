package agree

import (
	"maps"
	"slices"
)

// tidy makes the program one that compiles: what has lost its meaning goes, until all
// that is left has one.
func (p *Program) tidy() {
	for n := -1; n != len(p.stmts()); {
		n = len(p.stmts())
		for i, f := range p.Funcs {
			all := stmtsIn(&f.Body)
			f.flag = slices.ContainsFunc(all, func(s *Stmt) bool { return s.Op == opFlag && s.Form == 1 })
			for _, s := range all {
				s.Cond.Flag = s.Cond.Flag && f.flag
			}
			f.flag = slices.ContainsFunc(all, func(s *Stmt) bool { return s.Cond.Flag })
			t := tidier{p: p, f: f, helpers: i + 1}
			known := scope{}
			if f.Param != "" {
				known[f.Param] = &Stmt{}
			}
			f.Body = t.list(f.Body, known, place{})
			if i > 0 && !p.calls(i) {
				f.Body = nil
			}
		}
	}
}

type tidier struct {
	p       *Program
	f       *Func
	helpers int // this one and later ones may be called
}

// scope has the statements that declare the variables.
type scope map[string]*Stmt

type place struct {
	literal bool
	loops   int
	breaks  bool
}

func (t *tidier) list(all []*Stmt, outer scope, at place) (kept []*Stmt) {
	known := maps.Clone(outer)
	for _, s := range all {
		if !t.stmt(s, known, at) {
			continue
		}
		kept = append(kept, s)
		if s.Op == opReturn || s.Op == opPanic || s.Op == opLeave {
			break
		}
	}
	return slices.DeleteFunc(kept, func(s *Stmt) bool { return s.Op == opBind && s.unused })
}

// stmt reports whether a statement can stay.
func (t *tidier) stmt(s *Stmt, known scope, at place) bool {
	if s.Op == opReturn && !t.f.Result.returns(s.X, known) {
		s.X = ""
	}
	for _, x := range []string{s.X, s.Cond.Nil} {
		if x != "" && known[x] == nil {
			return false
		}
	}
	switch s.Op {
	case opReturn, opWait: // a goroutine that waits for itself does not end
		if at.literal {
			return false
		}
	case opLeave:
		if at.loops < 2 {
			s.Form &^= leaveOuter
		}
		if at.loops == 0 && !(at.breaks && s.Form == leaveBreak) {
			return false
		}
	case opStore, opUnstore:
		if t.helpers > 1 { // only the program has the parameter
			s.Form &^= 1
		}
		if s.X != "" {
			s.Form = s.Form&1 | map[byte]int{'v': 2}[sort(s.X)]
		}
	case opCall:
		if s.Helper < t.helpers || s.Helper >= len(t.p.Funcs) || !t.fits(s) {
			return false
		}
	case opBind: // once: a function that calls itself may not end
		if known[s.Y] != nil {
			return false
		}
	case opFlag:
		if !t.f.flag {
			return false
		}
	case opIf:
		s.Body, s.Else = t.list(s.Body, known, at), t.list(s.Else, known, at)
		if len(s.Body) == 0 {
			s.Body, s.Else, s.Cond.Not = s.Else, nil, !s.Cond.Not
		}
	case opLoop:
		s.Body = t.list(s.Body, known, place{at.literal, at.loops + 1, true})
	case opSwitch:
		at.breaks = true
		s.Body, s.Else = t.list(s.Body, known, at), t.list(s.Else, known, at)
	case opSelect:
		at.breaks = true
		s.Body = t.list(s.Body, known, at)
	}
	if s.literal() {
		s.Body = t.list(s.Body, known, place{literal: true})
	}
	if s.holds() && len(s.Body)+len(s.Else) == 0 {
		return false
	}
	for _, x := range []string{s.X, s.Cond.Nil} {
		if x != "" && s.Op != opNil {
			known[x].unused = false
		}
	}
	if s.declares = s.Y != "" && known[s.Y] == nil; s.declares {
		known[s.Y], s.unused = s, s.Op != opGo
	}
	return true
}

// fits reports whether the variables of a call are those of its helper.
func (t *tidier) fits(s *Stmt) bool {
	h := t.p.Funcs[s.Helper]
	if h.Result == noResult || h.Result == anError {
		s.Y = ""
	}
	return sort(s.X) == sort(h.Param) && (s.Y == "" || sort(s.Y) == h.Result.sort())
}
