package agree

import (
	"fmt"
	"slices"
)

// inside prints the body of a statement that a break may leave.
func (w *writer) inside(f *Func, s *Stmt, body []*Stmt) {
	w.nest = append(w.nest, s)
	w.list(f, body)
	w.nest = w.nest[:len(w.nest)-1]
}

// loop prints a loop: a range over an integer or a function, or a label and a goto.
func (w *writer) loop(f *Func, s *Stmt) {
	rounds := fmt.Sprint(s.Form)
	if s.Form == 0 {
		rounds = fmt.Sprintf("in >> %d & 3", loopBits)
	}
	if s.Via == viaValue {
		w.say(s, "{\n\tround := uint(0)\n%s:\n\tif round < %s {\n\t\tround++", w.label(s), rounds)
		w.depth++
		w.inside(f, s, s.Body)
		w.depth--
		w.say(s, "\t\tgoto %s\n\t}", w.label(s))
		if slices.ContainsFunc(leavesOf(s.Body, 0, false), func(l *Stmt) bool { return l.Form&leaveContinue == 0 }) {
			w.say(s, "end%s:", w.label(s))
		}
		w.say(s, "}")
		return
	}
	if slices.ContainsFunc(leavesOf(s.Body, 0, false), func(l *Stmt) bool { return l.Form >= leaveOuter }) {
		w.say(s, "%s:", w.label(s))
	}
	if s.Via == viaType {
		rounds = "seq(" + rounds + ")"
	}
	w.say(s, "for range %s {", rounds)
	w.inside(f, s, s.Body)
	w.say(s, "}")
}

// label is a name for a statement: its number among those of the program.
func (w *writer) label(s *Stmt) string { return fmt.Sprintf("l%d", slices.Index(w.p.stmts(), s)) }

// leavesOf returns the breaks and continues in a body that are about the loop around it. Depth counts the
// loops between; a break in a switch leaves the switch.
func leavesOf(body []*Stmt, depth int, inSwitch bool) (all []*Stmt) {
	for _, s := range body {
		switch s.Op {
		case opLeave:
			if depth == 1 && s.Form >= leaveOuter || depth == 0 && (s.Form == leaveContinue || s.Form == leaveBreak && !inSwitch) {
				all = append(all, s)
			}
		case opLoop:
			if depth == 0 {
				all = append(all, leavesOf(s.Body, 1, false)...)
			}
		case opIf, opSwitch, opSelect:
			in := inSwitch || s.Op != opIf
			all = append(all, leavesOf(s.Body, depth, in)...)
			all = append(all, leavesOf(s.Else, depth, in)...)
		}
	}
	return all
}

// leave prints a break or a continue.
func (w *writer) leave(s *Stmt) {
	word := [...]string{"break", "continue"}[s.Form&leaveContinue]
	if s.Form == leaveBreak && w.nest[len(w.nest)-1].Op != opLoop {
		w.say(s, "%s", word)
		return
	}
	loops := slices.DeleteFunc(slices.Clone(w.nest), func(n *Stmt) bool { return n.Op != opLoop })
	loop := loops[len(loops)-1-s.Form/leaveOuter]
	switch {
	case loop.Via == viaValue && s.Form&leaveContinue != 0:
		w.say(s, "goto %s", w.label(loop))
	case loop.Via == viaValue:
		w.say(s, "goto end%s", w.label(loop))
	case s.Form >= leaveOuter:
		w.say(s, "%s %s", word, w.label(loop))
	default:
		w.say(s, "%s", word)
	}
}
