package agree

import (
	"math/rand/v2"
	"slices"
)

// Draw returns programs, the same for the same seed. Half of them are mended until no
// execution misuses anything but by losing an object. Of the other half, one in two
// is such a program with one statement changed. No program uses or puts a nil.
//
// The wide grammar has other ways to write a get, a put, an alias and a loop, structs with an
// object in them, switches, selects and labels.
func Draw(n int, seed uint64, wide bool) (all []*Program) {
	for i := range n {
		d := &drawer{Rand: rand.New(rand.NewPCG(seed, uint64(i))), weights: weights}
		if wide {
			d.weights, d.wide = slices.Concat(weights, wider), true
		}
		p := d.program(i)
		way := d.IntN(4)
		if way > 0 {
			d.mend(p, usedAfterPut, putTwice, wrongPool, nilGot, nilUsed, putNil)
		}
		if way == 1 {
			p = d.change(p)
		}
		d.mend(p, nilUsed, putNil)
		all = append(all, p)
	}
	return all
}

type drawer struct {
	*rand.Rand
	bounded bool // the input bounds a loop
	weights []weight
	wide    bool
}

// one is true once in n times.
func (d *drawer) one(n int) bool { return d.IntN(n) == 0 }

func (d *drawer) among(names ...string) string { return names[d.IntN(len(names))] }

func (d *drawer) program(n int) *Program {
	p := &Program{Number: n, Kind: Kind(d.IntN(int(kinds))), Serve: d.IntN(serves), Wide: d.wide}
	if d.one(5) {
		p.Pool = 1
	}
	for i := range 1 + max(0, d.IntN(5)-2) {
		f := &Func{Result: Result(d.IntN(int(results)))}
		size := 3 + d.IntN(7)
		if i > 0 {
			f.Param, size = d.among("a", "a", "a", "v", ""), 1+d.IntN(3)
		}
		p.Funcs = append(p.Funcs, f)
		var known names
		if f.Param != "" {
			known = names{f.Param}
		} else {
			f.Body = d.with(p, d.get(p, "a"), &known)
		}
		f.Body = append(f.Body, d.list(p, size, 0, &known)...)
		if x := known.of(d, f.Result.sort()); x != "" && d.one(2) {
			f.Body = append(f.Body, &Stmt{Op: opReturn, X: x})
		}
	}
	p.tidy()
	return p
}

// names are the variables that can be seen.
type names []string

// of draws one of a sort; "" if there is none.
func (n names) of(d *drawer, sorted byte) string {
	var fit []string
	for _, x := range n {
		if sort(x) == sorted {
			fit = append(fit, x)
		}
	}
	if len(fit) == 0 {
		return ""
	}
	return d.among(fit...)
}

// list draws statements that see what known has. What they declare is added to it.
func (d *drawer) list(p *Program, n, depth int, known *names) (all []*Stmt) {
	var last []*Stmt
	for range n {
		s := d.stmt(p, depth, known)
		if s == nil {
			continue
		}
		all = append(all, d.with(p, s, known)...)
		if s.Op == opGet && d.one(2) {
			last = append(last, &Stmt{Op: opPut, X: s.Y, Form: d.pool(p), Via: d.way()})
		}
		if s.Op == opGo && d.one(3) {
			last = append(last, &Stmt{Op: opWait, X: s.Y})
		}
	}
	d.Shuffle(len(last), func(i, j int) { last[i], last[j] = last[j], last[i] })
	return append(all, last...)
}

// with adds to a statement, by chance, what goes with it.
func (d *drawer) with(p *Program, s *Stmt, known *names) []*Stmt {
	if s.Y != "" && !slices.Contains(*known, s.Y) {
		*known = append(*known, s.Y)
	}
	switch {
	case s.Op == opGet && d.one(3):
		return []*Stmt{s, {Op: opDefer, X: s.Y, Form: d.pool(p), Via: d.way()}}
	case s.Op == opPut && d.one(5):
		return []*Stmt{s, {Op: opNil, X: s.X}}
	case s.Op == opGo && d.one(3):
		return []*Stmt{s, {Op: opWait, X: s.Y}}
	case s.Op == opBind && d.one(2):
		return []*Stmt{s, {Op: opInvoke, X: s.Y}}
	case s.Op == opReturn, s.Op == opPanic, s.Op == opLeave:
		return []*Stmt{{Op: opIf, Cond: d.cond(*known), Body: []*Stmt{s}}}
	}
	return []*Stmt{s}
}

// weight says how often a statement is drawn.
type weight struct {
	op Op
	n  int
}

var weights = []weight{
	{opGet, 8}, {opPut, 14}, {opDefer, 5}, {opUse, 12}, {opView, 9}, {opTouch, 10}, {opCut, 2}, {opCopy, 4}, {opAlias, 4},
	{opNil, 4}, {opStore, 4}, {opUnstore, 2}, {opSend, 3}, {opCall, 9}, {opNow, 2}, {opBind, 3}, {opInvoke, 4}, {opLater, 4},
	{opHook, 2}, {opGo, 4}, {opWait, 4}, {opIf, 16}, {opLoop, 5}, {opLeave, 3}, {opReturn, 7}, {opPanic, 2}, {opRecover, 2}, {opFlag, 3},
}

var wider = []weight{{opSwitch, 8}, {opSelect, 4}, {opHold, 7}, {opTake, 7}, {opRelease, 7}, {opLeave, 3}, {opLoop, 5}}

// way draws one in which a statement is written.
func (d *drawer) way() int {
	if !d.wide {
		return 0
	}
	return d.IntN(ways)
}

func (d *drawer) op() Op {
	sum := 0
	for _, w := range d.weights {
		sum += w.n
	}
	at := d.IntN(sum)
	for _, w := range d.weights {
		if at -= w.n; at < 0 {
			return w.op
		}
	}
	panic("unreachable")
}

func (d *drawer) pool(p *Program) int {
	if d.one(40) {
		return 1 - p.Pool
	}
	return p.Pool
}

func (d *drawer) get(p *Program, y string) *Stmt {
	s := &Stmt{Op: opGet, Y: y, Via: d.way()}
	if d.pool(p) == 1 {
		s.Form = getOK + d.IntN(2)
		if d.one(15) {
			s.Form = getNil
		}
	}
	return s
}

// reads has the sort of variable that statements read.
var reads = map[Op]string{
	opPut: "a", opDefer: "a", opUse: "a", opView: "a", opTouch: "v", opCut: "v", opCopy: "v", opAlias: "aaav", opNil: "a",
	opStore: "av", opSend: "a", opInvoke: "f", opWait: "j",
	opSelect: "a", opHold: "a", opTake: "h", opRelease: "h",
}

// stmt draws a statement; nil if it needs a variable that is not there.
func (d *drawer) stmt(p *Program, depth int, known *names) *Stmt {
	s := &Stmt{Op: d.op(), Form: d.IntN(2)}
	if (s.holds() || s.Op == opSelect) && depth == 3 {
		s.Op = opUse
	}
	if sorts := reads[s.Op]; sorts != "" {
		if s.X = known.of(d, sorts[d.IntN(len(sorts))]); s.X == "" {
			return nil
		}
	}
	inner := func() []*Stmt {
		inside := slices.Clone(*known)
		return d.list(p, 1+d.IntN(3), depth+1, &inside)
	}
	switch s.Op {
	case opGet:
		s = d.get(p, d.among("a", "b", "c"))
	case opPut, opDefer:
		s.Form, s.Via = d.pool(p), d.way()
	case opUse, opTouch:
		s.Form = d.IntN(3)
	case opView, opCopy:
		s.Y = d.among("v", "w")
	case opAlias:
		others := []string{"a", "b", "c", "d"}
		if sort(s.X) == 'v' {
			others = []string{"v", "w"}
		}
		s.Y = d.among(slices.DeleteFunc(others, func(y string) bool { return y == s.X })...)
		if sort(s.X) == 'a' {
			s.Via = d.way()
		}
	case opHold:
		s.Y = d.among("h", "i")
	case opTake:
		s.Y = d.among("a", "b", "c", "d")
	case opSelect:
		s.Cond.Bit, s.Body = d.IntN(loopBits), inner()
	case opSwitch:
		s.Cond, s.Body, s.Else = d.cond(*known), inner(), inner()
	case opUnstore:
		s.Form = d.IntN(4)
	case opCall:
		s.Helper = 1 + d.IntN(2)
		s.X = known.of(d, d.among("a", "a", "v", "-")[0])
		s.Y = d.among("a", "b", "v", "w", "")
	case opNow, opLater, opHook:
		s.Body = inner()
	case opBind:
		s.Y, s.Body = d.among("f", "g"), inner()
	case opGo:
		s.Y, s.Body = d.among("j", "k"), inner()
	case opIf:
		s.Cond, s.Body = d.cond(*known), inner()
		if d.one(3) {
			s.Else = inner()
		}
	case opLoop:
		if s.Form += 2; !d.bounded { // not two, which would run as often as each other
			s.Form, d.bounded = 0, true
		}
		s.Body, s.Via = inner(), d.way()
		if d.wide && d.one(3) { // a loop in it, which leaves both
			leave := &Stmt{Op: opIf, Cond: d.cond(*known), Body: []*Stmt{{Op: opLeave, Form: leaveOuter + d.IntN(2)}}}
			s.Body = []*Stmt{{Op: opLoop, Form: 2, Via: d.way(), Body: append(s.Body, leave)}}
		}
	case opLeave:
		if d.wide && d.one(2) {
			s.Form += leaveOuter
		}
	case opReturn:
		s.X = known.of(d, d.among("a", "v", "-")[0])
	}
	return s
}

func (d *drawer) cond(known names) Cond {
	c := Cond{Bit: d.IntN(loopBits), Not: d.one(2)}
	switch d.IntN(10) {
	case 0:
		c.Nil = known.of(d, 'a')
	case 1:
		c.Flag = true
	}
	return c
}

// mend takes statements out of a program until no execution shows such a misuse.
func (d *drawer) mend(p *Program, kinds ...Misuse) {
	for {
		e, found := misuse(p, kinds)
		if !found {
			return
		}
		// What moves the object goes if the access cannot, or by chance.
		var moves []*Stmt
		for _, s := range p.stmts() {
			if e.Of.trail[s] && slices.Contains([]Op{opPut, opDefer, opReturn, opStore, opSend, opHook, opGo, opSelect, opRelease}, s.Op) {
				moves = append(moves, s)
			}
		}
		out := e.At
		if len(moves) == 0 && out == nil { // a nil that was sent
			moves = p.stmts()
		}
		if len(moves) > 0 && (out == nil || d.one(3)) {
			out = moves[d.IntN(len(moves))]
		}
		if out.holds() && len(out.Body) > 0 && d.one(2) {
			out = out.Body[len(out.Body)-1]
		}
		*p = *p.without(out, false)
	}
}

// misuse is the first one of the kinds that an execution shows.
func misuse(p *Program, kinds []Misuse) (Event, bool) {
	for _, in := range p.inputs() {
		for _, e := range Execute(p, in, map[*Stmt]bool{}) {
			if slices.Contains(kinds, e.Misuse) {
				return e, true
			}
		}
	}
	return Event{}, false
}

// change adds a statement to a program, takes one away, or moves one.
func (d *drawer) change(p *Program) *Program {
	q, _ := p.clone()
	lists := q.lists()
	list := lists[d.IntN(len(lists))]
	i := d.IntN(len(*list) + 1)
	switch {
	case i == len(*list) || d.one(2):
		known := names{"a", "b", "v"}
		if s := d.stmt(q, 2, &known); s != nil {
			*list = slices.Insert(*list, i, d.with(q, s, &known)...)
		}
	case d.one(2):
		*list = slices.Delete(*list, i, i+1)
	default:
		s := (*list)[i]
		*list = slices.Delete(*list, i, i+1)
		*list = slices.Insert(*list, d.IntN(len(*list)+1), s)
	}
	q.tidy()
	return q
}
