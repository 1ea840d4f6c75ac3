package observe_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// kind is the kind of a statement of a generated program.
type kind uint8

const (
	get       kind = iota // v = pool.Get().(*obj)
	put                   // pool.Put(v)
	release               // release(v), which puts it
	touch                 // v.n++
	use                   // use(v), which reads it
	assign                // v = w
	branch                // if COND { body } else { other }
	loop                  // for range n { body }
	deferPut              // defer pool.Put(v)
	deferLit              // defer func() { pool.Put(v) }()
	deferUse              // defer use(v)
	leave                 // return
	leaveLoop             // break
	nextRound             // continue
	kinds
)

// statement is one statement of a generated program. Its variables are numbers; so is its
// condition: a parameter, or, from flags on, one that is asked for each time.
type statement struct {
	kind        kind
	v, w, cond  int
	body, other []statement
	line        int // in the printed source
}

const (
	variables = 3
	flags     = 2
)

// generate returns a program of about size statements, before which some variables are put by a
// deferred call, and after which some others are put.
func generate(r *rand.Rand, size int) (program []statement) {
	last := []statement{}
	for v := range variables {
		switch how := [...]kind{deferPut, deferLit, put, release, use, touch}[r.IntN(6)]; how {
		case deferPut, deferLit:
			program = append(program, statement{kind: how, v: v})
		default:
			last = append(last, statement{kind: how, v: v})
		}
	}
	program = append(program, block(r, &size, 0, false)...)
	if n := len(program); n == 0 || program[n-1].kind != leave {
		program = append(program, last...)
	}
	return program
}

func block(r *rand.Rand, left *int, depth int, inLoop bool) (list []statement) {
	for n := 1 + r.IntN(5); n > 0 && *left > 0; n-- {
		*left--
		s := statement{kind: kind(r.IntN(int(kinds))), v: r.IntN(variables), w: r.IntN(variables), cond: r.IntN(flags + 1)}
		ends := false
		switch s.kind {
		case branch, loop:
			if depth > 2 {
				continue
			}
			s.body = block(r, left, depth+1, inLoop || s.kind == loop)
			if s.kind == branch && r.IntN(2) == 0 {
				s.other = block(r, left, depth+1, inLoop)
			}
		case leave:
			ends = true
		case leaveLoop, nextRound:
			if !inLoop {
				continue
			}
			ends = true
		}
		list = append(list, s)
		if ends {
			break
		}
	}
	return list
}

// source receives the text of generated programs.
type source struct {
	strings.Builder
	line int
}

func (s *source) print(depth int, format string, args ...any) {
	fmt.Fprintf(s, strings.Repeat("\t", depth)+format+"\n", args...)
	s.line++
}

// preamble begins each file of programs.
const preamble = `package p

import "sync"

type obj struct{ n int }

var pool = sync.Pool{New: func() any { return new(obj) }}

func release(o *obj) { pool.Put(o) }

func use(o *obj) int { return o.n }

var asked func() bool

func ask() bool { return asked() }
`

// function prints a program as a function. Each of its variables has an object at first, the
// lines of which it returns.
func (s *source) function(name string, program []statement) (gets [variables]int) {
	s.print(0, "func %s(x0, x1 bool) {", name)
	for v := range variables {
		s.print(1, "v%d := pool.Get().(*obj)", v)
		gets[v] = s.line
	}
	s.print(1, "_, _, _ = v0, v1, v2")
	s.block(1, program)
	s.print(0, "}")
	return gets
}

func (s *source) block(depth int, list []statement) {
	for i := range list {
		st := &list[i]
		st.line = s.line + 1
		switch st.kind {
		case get:
			s.print(depth, "v%d = pool.Get().(*obj)", st.v)
		case put:
			s.print(depth, "pool.Put(v%d)", st.v)
		case release:
			s.print(depth, "release(v%d)", st.v)
		case touch:
			s.print(depth, "v%d.n++", st.v)
		case use:
			s.print(depth, "use(v%d)", st.v)
		case assign:
			s.print(depth, "v%d = v%d", st.v, st.w)
		case branch:
			s.print(depth, "if %s {", []string{"x0", "x1", "ask()"}[st.cond])
			s.block(depth+1, st.body)
			if len(st.other) > 0 {
				s.print(depth, "} else {")
				s.block(depth+1, st.other)
			}
			s.print(depth, "}")
		case loop:
			s.print(depth, "for ask() {")
			s.block(depth+1, st.body)
			s.print(depth, "}")
		case deferPut:
			s.print(depth, "defer pool.Put(v%d)", st.v)
		case deferLit:
			s.print(depth, "defer func() { pool.Put(v%d) }()", st.v)
		case deferUse:
			s.print(depth, "defer use(v%d)", st.v)
		case leave:
			s.print(depth, "return")
		case leaveLoop:
			s.print(depth, "break")
		case nextRound:
			s.print(depth, "continue")
		}
	}
}

// maxRounds bounds the rounds of a loop in an execution.
const maxRounds = 3

// truth is the outcome of a program's executions, by lines.
type truth struct {
	misused map[int]bool // where an object is used or put that was put before, and where that was
	lost    map[int]bool // where an object was got that is not put at the end
	ran     map[int]bool
	partial bool // there are more executions than were looked at
}

// execute runs a program with all values of its parameters, and all answers that it can get.
func execute(program []statement, gets [variables]int) truth {
	t := truth{misused: make(map[int]bool), lost: make(map[int]bool), ran: make(map[int]bool)}
	runs := 0
	for given := range 1 << flags {
		for answers, more := []bool(nil), true; more; {
			e := &execution{truth: &t, given: given, answers: answers}
			e.run(program, gets)
			answers, more = nextAnswers(e.answers)
			if runs++; runs > 20000 {
				t.partial = true
				return t
			}
		}
	}
	return t
}

// nextAnswers returns the answers after these: a count whose last digit is the last answer.
func nextAnswers(answers []bool) ([]bool, bool) {
	for len(answers) > 0 && answers[len(answers)-1] {
		answers = answers[:len(answers)-1]
	}
	if len(answers) == 0 {
		return nil, false
	}
	answers[len(answers)-1] = true
	return answers, true
}

// execution is one run of a program.
type execution struct {
	*truth
	given   int
	answers []bool // of this run; what is asked for beyond them is answered with no
	asked   int

	objects  []object
	held     [variables]int // the object of each variable
	deferred []func()
}

// object is where an object was got, and put, if it was.
type object struct{ got, put int }

// flow is how a block ends.
type flow uint8

const (
	on flow = iota
	brk
	cont
	ret
)

func (e *execution) run(program []statement, gets [variables]int) {
	for v := range variables {
		e.get(v, gets[v])
	}
	e.block(program)
	for i := len(e.deferred) - 1; i >= 0; i-- {
		e.deferred[i]()
	}
	for _, o := range e.objects {
		if o.put == 0 {
			e.lost[o.got] = true
		}
	}
}

func (e *execution) get(v, line int) {
	e.objects = append(e.objects, object{got: line})
	e.held[v] = len(e.objects) - 1
	e.ran[line] = true
}

func (e *execution) put(o, line int) {
	e.use(o, line)
	e.objects[o].put = line
}

func (e *execution) use(o, line int) {
	if before := e.objects[o].put; before > 0 {
		e.misused[line], e.misused[before] = true, true
	}
}

func (e *execution) holds(cond int) bool {
	if cond < flags {
		return e.given>>cond&1 == 1
	}
	if e.asked++; e.asked > len(e.answers) {
		e.answers = append(e.answers, false)
	}
	return e.answers[e.asked-1]
}

func (e *execution) block(list []statement) flow {
	for i := range list {
		s := &list[i]
		e.ran[s.line] = true
		switch s.kind {
		case get:
			e.get(s.v, s.line)
		case put, release:
			e.put(e.held[s.v], s.line)
		case touch, use:
			e.use(e.held[s.v], s.line)
		case assign:
			e.held[s.v] = e.held[s.w]
		case branch:
			body := s.other
			if e.holds(s.cond) {
				body = s.body
			}
			if how := e.block(body); how != on {
				return how
			}
		case loop:
			for range maxRounds {
				if !e.holds(flags) {
					break
				}
				how := e.block(s.body)
				if how == ret {
					return ret
				}
				if how == brk {
					break
				}
			}
		case deferPut:
			o := e.held[s.v]
			e.deferred = append(e.deferred, func() { e.put(o, s.line) })
		case deferLit:
			e.deferred = append(e.deferred, func() { e.put(e.held[s.v], s.line) })
		case deferUse:
			o := e.held[s.v]
			e.deferred = append(e.deferred, func() { e.use(o, s.line) })
		case leave:
			return ret
		case leaveLoop:
			return brk
		case nextRound:
			return cont
		}
	}
	return on
}
