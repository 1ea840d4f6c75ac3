package agree

import (
	"cmp"
	"maps"
	"slices"
)

// Misuse is a kind of what a program does wrong.
type Misuse string

// The misuses.
const (
	usedAfterPut Misuse = "used after put"
	putTwice     Misuse = "put twice"
	wrongPool    Misuse = "put into the wrong pool"
	putNil       Misuse = "nil put"
	nilGot       Misuse = "Get returns nil"
	nilUsed      Misuse = "nil is used"
	handedOn     Misuse = "handed on after put" // and not used, else it is that
	lost         Misuse = "lost"
)

// misuses are those of tables. No program uses or puts a nil.
var misuses = []Misuse{usedAfterPut, putTwice, handedOn, wrongPool, nilGot, lost}

// Event is a misuse that an execution shows.
type Event struct {
	Misuse Misuse
	At     *Stmt // the access, the second put, the get of what is lost; nil: the caller's code
	Of     *object
}

// object is one that a pool handed out, or that was made where a pool had none.
type object struct {
	home   int // its pool
	got    *Stmt
	isPut  bool
	passed bool           // to code that owns it now
	trail  map[*Stmt]bool // what had to do with it
}

type view struct {
	of *object // nil: a copy
	n  int
}

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
}

type signal int

const (
	onward signal = iota
	breaks
	continues
	returns
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

func (m *machine) report(kind Misuse, at *Stmt, o *object) {
	m.events = append(m.events, Event{kind, at, o})
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

func (m *machine) bit(n int) bool { return m.in>>n&1 != 0 }

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

func (m *machine) stmt(fr *frame, s *Stmt) signal {
	x := value{}
	if s.X != "" {
		x = *fr.vars[s.X]
	}
	if o := cmp.Or(x.obj, x.view.of); o != nil && s.Op != opNil {
		m.pass(o)
		if o.isPut && slices.Contains([]Op{opCall, opStore, opSend}, s.Op) {
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
		m.channel = append(m.channel, x.obj)
		m.handOver(x)
		if m.bit(turnBit) {
			m.serve()
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
	case opLoop:
		for range m.rounds(s) {
			switch m.list(fr, s.Body) {
			case breaks:
				return onward
			case returns:
				return returns
			}
		}
	case opLeave:
		return breaks + signal(s.Form)
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

// at returns a deferred call that is executed as a part of the statement that defers it.
func (m *machine) at(s *Stmt, call func(*bool)) func(*bool) {
	return func(panicking *bool) {
		m.stack = append(m.stack, s)
		call(panicking)
		m.stack = m.stack[:len(m.stack)-1]
	}
}

func (m *machine) handOver(x value) {
	if x.obj != nil {
		x.obj.passed = true
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
