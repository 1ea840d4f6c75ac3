package agree

import (
	"maps"
)

func (m *machine) stmt(fr *frame, s *Stmt) signal {
	x := value{}
	if s.X != "" {
		x = *fr.vars[s.X]
	}
	if o := x.object(); o != nil && s.Op != opNil {
		m.pass(o)
		if o.isPut && m.passes(s) {
			m.report(handedOn, s, o)
		}
	}
	assign := func(v value) {
		if s.declares {
			fr.vars[s.Y] = &v
		} else if s.Y != "" {
			*fr.vars[s.Y] = v
		}
	}
	literal := func() closure { return closure{s, maps.Clone(fr.vars), fr.flag} }
	switch s.Op {
	case opGet:
		assign(value{obj: m.get(s)})
	case opPut:
		m.put(x.obj, s.Form)
	case opDefer:
		fr.defers = append(fr.defers, m.at(s, func(*bool) { m.put(x.obj, s.Form) }))
	case opUse:
		m.access(x.obj)
	case opView:
		m.access(x.obj)
		assign(value{view: view{x.obj, viewLen}})
	case opTouch, opCut:
		if x.view.n == 0 {
			panic(thrown{})
		}
		if s.Op == opTouch {
			m.touch(x.view)
		} else {
			fr.vars[s.X].view.n--
		}
	case opCopy:
		if x.view.n > 0 {
			m.touch(x.view)
		}
		assign(value{view: view{nil, x.view.n}})
	case opAlias:
		assign(x)
	case opNil:
		*fr.vars[s.X] = value{}
	case opStore:
		m.stored[s.slot()] = x
		m.handOver(x)
	case opUnstore:
		m.stored[s.slot()] = value{}
	case opSend:
		m.send(x)
	case opSelect:
		if s.Form == 0 || !m.bit(s.Cond.Bit) {
			m.send(x)
			return onward
		}
		return left(m.list(fr, s.Body))
	case opHold:
		if s.declares {
			assign(value{held: &held{x.obj}})
		} else {
			fr.vars[s.Y].held.obj = x.obj
		}
	case opTake:
		assign(value{obj: x.held.obj})
	case opRelease:
		if x.held.obj != nil {
			m.put(x.held.obj, m.p.Pool)
		}
		if s.Form == 0 {
			x.held.obj = nil
		}
	case opCall:
		assign(m.call(m.p.Funcs[s.Helper], x))
	case opNow:
		m.literal(literal())
	case opBind:
		assign(value{code: literal()})
	case opInvoke:
		m.literal(x.code)
	case opLater:
		c := literal()
		fr.defers = append(fr.defers, m.at(s, func(*bool) { m.literal(c) }))
	case opHook:
		m.hooks = append(m.hooks, literal())
	case opGo:
		t := &task{closure: literal()}
		m.tasks = append(m.tasks, t)
		if m.bit(turnBit) {
			m.await(t)
		}
		assign(value{task: t})
	case opWait:
		m.await(x.task)
	case opIf:
		if m.holds(fr, s.Cond) {
			return m.list(fr, s.Body)
		}
		return m.list(fr, s.Else)
	case opSwitch:
		if m.holds(fr, s.Cond) {
			if next := m.list(fr, s.Body); next != onward || s.Form == 0 {
				return left(next)
			}
		}
		return left(m.list(fr, s.Else))
	case opLoop:
		for range m.rounds(s) {
			switch m.list(fr, s.Body) {
			case breaks, breaksLoop:
				return onward
			case breaksOuter:
				return breaksLoop
			case continuesOuter:
				return continues
			case returns:
				return returns
			}
		}
	case opLeave:
		return [leaves]signal{breaks, continues, breaksOuter, continuesOuter}[s.Form]
	case opReturn:
		fr.result = x
		return returns
	case opPanic:
		panic(thrown{})
	case opRecover:
		fr.defers = append(fr.defers, func(panicking *bool) { *panicking = false })
	case opFlag:
		*fr.flag = s.Form == 1
	}
	return onward
}

// passes reports whether a statement passes what it has to do with to other code.
func (m *machine) passes(s *Stmt) bool {
	switch s.Op {
	case opCall, opStore, opSend:
		return true
	case opSelect:
		return s.Form == 0 || !m.bit(s.Cond.Bit)
	case opAlias:
		return s.Via == viaType
	}
	return false
}

// left is how a statement goes on that a break leaves.
func left(next signal) signal {
	if next == breaks {
		return onward
	}
	return next
}

func (m *machine) send(x value) {
	m.channel = append(m.channel, x.obj)
	m.handOver(x)
	if m.bit(turnBit) {
		m.serve()
	}
}

func (m *machine) bit(n int) bool { return m.in>>n&1 != 0 }

func (m *machine) holds(fr *frame, c Cond) bool {
	is := m.bit(c.Bit)
	switch {
	case c.Flag:
		is = *fr.flag
	case c.Nil != "":
		v := fr.vars[c.Nil]
		is = v.obj == nil && v.view == view{}
	}
	return is != c.Not
}

// rounds is how often a loop runs.
func (m *machine) rounds(s *Stmt) int {
	if s.Form == 0 {
		return int(m.in >> loopBits & 3)
	}
	return s.Form
}
