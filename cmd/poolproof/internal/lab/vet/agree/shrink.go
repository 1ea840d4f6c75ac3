package agree

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// finding is a disagreement of the judges about a program.
type finding struct {
	title string
	holds func(*Verdict) bool
	v     *Verdict
}

// size orders programs by how much there is to read.
func (p *Program) size() int {
	n := 0
	for _, s := range p.stmts() {
		n += 100 + s.Form + s.Cond.Bit
		n += s.Via
		if s.branches() && (s.Cond.Not || s.Cond.Flag || s.Cond.Nil != "") {
			n += 20
		}
	}
	for _, f := range p.Funcs {
		n += int(f.Result)
	}
	return n + (int(p.Kind)+2)%3 + p.Pool*10 + p.Serve
}

// shape is the program without names and forms, by which those that are of one kind are
// found.
func (p *Program) shape() string {
	var list func([]*Stmt) string
	list = func(all []*Stmt) string {
		var words []string
		for _, s := range all {
			word := string(s.Op)
			if s.Via > 0 {
				word += fmt.Sprint(" ", s.Via)
			}
			if s.holds() {
				word += " {" + list(s.Body)
				if len(s.Else) > 0 {
					word += " } else { " + list(s.Else)
				}
				word += "}"
			}
			words = append(words, word)
		}
		return strings.Join(words, "; ")
	}
	var funcs []string
	for i, f := range p.Funcs {
		if p.calls(i) {
			funcs = append(funcs, list(f.Body))
		}
	}
	return strings.Join(funcs, " / ")
}

// smaller are programs with one thing less.
func (p *Program) smaller() (all []*Program) {
	for _, s := range p.stmts() {
		all = append(all, p.without(s, false))
		if s.holds() || s.Op == opSelect {
			all = append(all, p.without(s, true))
		}
	}
	change := func(edit func(*Program)) {
		q, _ := p.clone()
		edit(q)
		q.tidy()
		all = append(all, q)
	}
	for i, s := range p.stmts() {
		if s.Op != opLoop { // two loops that the input bounds would run as often as each other
			change(func(q *Program) { q.stmts()[i].Form = 0 })
		}
		if s.Via > 0 {
			change(func(q *Program) { q.stmts()[i].Via = 0 })
		}
		if s.branches() {
			change(func(q *Program) { q.stmts()[i].Cond = Cond{} })
		}
	}
	for i := range p.Funcs {
		change(func(q *Program) { q.Funcs[i].Result = noResult })
	}
	change(func(q *Program) { q.Kind = aSlice })
	change(func(q *Program) { q.Serve = 0 })
	change(func(q *Program) {
		q.Pool = 0
		for _, s := range q.stmts() {
			if s.Op == opGet || s.Op == opPut || s.Op == opDefer {
				s.Form = 0
			}
		}
	})
	return slices.DeleteFunc(all, func(q *Program) bool {
		_, found := misuse(q, []Misuse{nilUsed, putNil})
		return found || q.size() >= p.size()
	})
}

// shrink makes the programs of findings as small as they get while the judges disagree
// in the same way. All are asked about together, as the tools take their time to start.
func (j judges) shrink(ctx context.Context, all []*finding) error {
	open := slices.Clone(all)
	for len(open) > 0 {
		var candidates []*Program
		var of []*finding
		for _, f := range open {
			for _, q := range f.v.smaller() {
				candidates, of = append(candidates, q), append(of, f)
			}
		}
		verdicts, err := j.of(ctx, filepath.Join(j.scratch, "shrinking"), candidates)
		if err != nil {
			return err
		}
		shrunk := map[*finding]bool{}
		for i, v := range verdicts {
			if f := of[i]; v.size() < f.v.size() && f.holds(v) {
				f.v, shrunk[f] = v, true
			}
		}
		open = slices.DeleteFunc(open, func(f *finding) bool { return !shrunk[f] })
	}
	return nil
}
