package agree

func (m *machine) report(kind Misuse, at *Stmt, o *object) {
	m.events = append(m.events, Event{kind, at, o})
}

// now is the statement that is executed; nil in the caller.
func (m *machine) now() *Stmt {
	if len(m.stack) == 0 {
		return nil
	}
	return m.stack[len(m.stack)-1]
}

// nothing is what a nil stands for in an event.
func (m *machine) nothing() *object {
	o := &object{trail: map[*Stmt]bool{}}
	m.pass(o)
	return o
}

func (m *machine) pass(o *object) {
	for _, s := range m.stack {
		o.trail[s] = true
	}
	if len(m.stack) == 0 {
		o.trail[nil] = true
	}
}

// access is a read or write of an object.
func (m *machine) access(o *object) {
	if o == nil {
		m.report(nilUsed, m.now(), m.nothing())
		panic(thrown{})
	}
	m.pass(o)
	if o.isPut {
		m.report(usedAfterPut, m.now(), o)
	}
}

func (m *machine) touch(v view) {
	if v.of != nil {
		m.access(v.of)
	}
}

func (m *machine) put(o *object, pool int) {
	switch {
	case o == nil:
		m.report(putNil, m.now(), m.nothing())
		return
	case o.isPut:
		m.pass(o)
		m.report(putTwice, m.now(), o)
	default:
		m.pass(o)
		o.isPut = true
	}
	if o.home != pool {
		m.report(wrongPool, m.now(), o)
	}
}

// get takes an object out of a pool. No pool has one: what was put does not come back.
func (m *machine) get(s *Stmt) *object {
	pool := 0
	if s.Form != getNew {
		pool = 1
	}
	if s.Form == getNil {
		m.report(nilGot, s, m.nothing())
		panic(thrown{})
	}
	o := &object{home: pool, got: s, trail: map[*Stmt]bool{}}
	m.objects = append(m.objects, o)
	m.pass(o)
	return o
}

func (m *machine) handOver(x value) {
	if x.obj != nil {
		x.obj.passed = true
	}
}
