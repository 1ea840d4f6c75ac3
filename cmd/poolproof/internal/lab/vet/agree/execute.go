package agree

import (
	"cmp"
	"maps"
	"slices"
)

type closure struct {
	at   *Stmt // the literal
	vars map[string]*value
	flag *bool
}

type task struct {
	closure
	ran bool
}

// value is a variable. The zero value is nil.
type value struct {
	obj  *object
	view view
	code closure
	task *task
	held *held
}

// object is the one that a variable has to do with, nil if there is none.
func (v value) object() *object {
	if v.held != nil {
		return v.held.obj
	}
	return cmp.Or(v.obj, v.view.of)
}

type signal int

const (
	onward signal = iota
	breaks
	continues
	returns
	breaksOuter    // the loop around the innermost one
	continuesOuter // that one
	breaksLoop     // this one, and no switch in it
)

// thrown is a panic of the program.
type thrown struct{}

// machine executes a program on one input, on its own: it shares nothing with the
// text that is compiled but the statements.
type machine struct {
	p       *Program
	in      uint
	events  []Event
	stack   []*Stmt // those that are executed, the outermost first
	objects []*object
	stored  [4]value // a package variable and a field for each of an object and a view
	channel []*object
	hooks   []closure
	tasks   []*task
	threw   bool
	reached map[*Stmt]bool
}

// frame is a call.
type frame struct {
	vars   map[string]*value
	flag   *bool
	defers []func(panicking *bool)
	result value
}

// Execute runs the program on an input, and then its caller, who uses all that the
// program returned, stored and sent. It marks the statements that it reaches.
func Execute(p *Program, in uint, reached map[*Stmt]bool) []Event {
	m := &machine{p: p, in: in, reached: reached}
	m.try(func() {
		r := m.call(p.Funcs[0], value{})
		switch {
		case r.obj != nil:
			m.access(r.obj)
			r.obj.passed = true
		case r.view.n > 0:
			m.touch(r.view)
		}
		if r.obj != nil {
			m.put(r.obj, m.p.Pool)
		}
	})
	m.collect()
	for i := 0; i < len(m.hooks); i++ { // they may add others
		m.try(func() { m.literal(m.hooks[i]) })
	}
	for i := 0; i < len(m.tasks); i++ {
		m.await(m.tasks[i])
	}
	m.collect()
	for _, o := range m.objects {
		if !o.isPut && !o.passed && !m.threw {
			m.report(lost, o.got, o)
		}
	}
	return m.events
}

// collect is how the caller uses what was stored and sent.
func (m *machine) collect() {
	for _, v := range m.stored {
		if v.obj != nil {
			m.access(v.obj)
		}
		if v.view.n > 0 {
			m.touch(v.view)
		}
	}
	m.try(m.serve)
}

// try runs code, and reports whether it panicked.
func (m *machine) try(code func()) (panicked bool) {
	depth := len(m.stack)
	defer func() {
		r := recover()
		if _, ours := r.(thrown); r != nil && !ours {
			panic(r)
		}
		m.stack = m.stack[:depth]
		panicked = r != nil
		m.threw = m.threw || panicked
	}()
	code()
	return false
}

// call calls a function of the program.
func (m *machine) call(f *Func, arg value) value {
	fr := &frame{vars: map[string]*value{}, flag: new(bool)}
	if f.Param != "" {
		fr.vars[f.Param] = &arg
	}
	m.run(fr, f.Body)
	if o := cmp.Or(fr.result.obj, fr.result.view.of); o != nil && o.isPut { // by a deferred call
		m.report(handedOn, m.now(), o)
	}
	return fr.result
}

func (m *machine) literal(c closure) {
	m.stack = append(m.stack, c.at)
	m.run(&frame{vars: c.vars, flag: c.flag}, c.at.Body)
	m.stack = m.stack[:len(m.stack)-1]
}

// run executes a body and what it defers.
func (m *machine) run(fr *frame, body []*Stmt) {
	panicking := m.try(func() { m.list(fr, body) })
	for _, d := range slices.Backward(fr.defers) {
		if m.try(func() { d(&panicking) }) {
			panicking = true
		}
	}
	if panicking {
		panic(thrown{})
	}
}

func (m *machine) list(fr *frame, all []*Stmt) signal {
	outer := fr.vars
	fr.vars = maps.Clone(outer) // what is declared here ends here; variables themselves are shared
	defer func() { fr.vars = outer }()
	for _, s := range all {
		m.stack = append(m.stack, s)
		m.reached[s] = true
		next := m.stmt(fr, s)
		m.stack = m.stack[:len(m.stack)-1]
		if next != onward {
			return next
		}
	}
	return onward
}

// at returns a deferred call that is executed as a part of the statement that defers it.
func (m *machine) at(s *Stmt, call func(*bool)) func(*bool) {
	return func(panicking *bool) {
		m.stack = append(m.stack, s)
		call(panicking)
		m.stack = m.stack[:len(m.stack)-1]
	}
}

// serve is the receiver of the channel. A statement of the caller's is nil.
func (m *machine) serve() {
	m.stack = append(m.stack, nil)
	for len(m.channel) > 0 {
		o := m.channel[0]
		m.channel = m.channel[1:]
		if m.p.Serve != servePuts {
			m.access(o)
		}
		if m.p.Serve != serveReads {
			m.put(o, m.p.Pool)
		}
	}
	m.stack = m.stack[:len(m.stack)-1]
}

// await runs a goroutine to its end, if it did not run before. Its panics end with it.
func (m *machine) await(t *task) {
	if !t.ran {
		t.ran = true
		m.try(func() { m.literal(t.closure) })
	}
}
