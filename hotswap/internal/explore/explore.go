// Package explore runs a small concurrent scenario through every schedule with
// at most so many preemptions.
//
// The goroutines of a scenario are coroutines: one runs at a time, and it hands
// over only at the points where the code under test says so (Point, Block,
// Choose). Between two points nothing else happens, so that a point before each
// atomic operation makes every interleaving of these operations a sequence of
// decisions. The explorer takes the first alternative of each decision, then
// runs the scenario again and again from its beginning, each time with the last
// decision changed that has an untried alternative: a depth-first search without
// stored states.
//
// What is bounded is the number of preemptions: switches away from a goroutine
// that could have continued. A switch from one that is blocked or has ended is
// free. Bugs that need many preemptions are rare (Musuvathi and Qadeer,
// Iterative Context Bounding, PLDI 2007), and the number of schedules is
// polynomial in the length of the scenario for a fixed bound.
//
// No schedule is left out because it is like another one, but for the names of
// threads that do the same (Scenario.Alike).
//
// Code under test must do the same whenever it is given the same decisions: no
// clock, no random numbers, no order of a map, no goroutine of its own.
package explore

import (
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
)

// Scenario is one run of the code under test.
type Scenario struct {
	// Threads run concurrently. A panic is a failure.
	Threads []func()
	// Alike is how many of the first threads do the same, without knowing who they
	// are. As long as two of them have not begun, it makes no difference which one
	// begins: an execution in which the second does is one in which the first does,
	// with their names exchanged. So only the first is tried.
	Alike int
	// End is called after all threads have ended. What it returns is a failure
	// unless it is nil, and so is a panic.
	End func() error
}

// Result holds the findings of Run.
type Result struct {
	Executions int
	Steps      int // points of the longest execution
	// Failure is the first failure, nil if there was none; Schedule leads to it,
	// see Replay.
	Failure  error
	Schedule []int
	// Complete is false if the limit of executions ended the search.
	Complete bool
}

// Run explores the scenarios that create returns, a new one for each execution,
// until a failure or until each schedule with at most bound preemptions was
// executed, or limit executions were (0: no limit). It must not be called
// concurrently.
func Run(bound, limit int, create func() Scenario) Result {
	var r Result
	var decisions []decision
	var crew crew
	defer crew.stop()
	for {
		e := &execution{bound: bound, decisions: decisions, crew: &crew}
		err := e.run(create)
		r.Executions++
		r.Steps = max(r.Steps, e.steps)
		if err != nil {
			r.Failure, r.Schedule = err, e.schedule()
			return r
		}
		decisions = e.decisions
		for len(decisions) > 0 && decisions[len(decisions)-1].exhausted() {
			decisions = decisions[:len(decisions)-1]
		}
		if len(decisions) == 0 {
			r.Complete = true
			return r
		}
		if r.Executions == limit {
			return r
		}
		decisions[len(decisions)-1].taken++
	}
}

// Step is a point of a replayed execution.
type Step struct {
	Thread int
	Op     string // the operation that follows, as "Int64.Add"
	At     string // who does it, as "slots.(*Cell).Enter (cell.go:66)"
}

func (s Step) String() string { return fmt.Sprintf("thread %d: %-24s %s", s.Thread, s.Op, s.At) }

// Replay runs one scenario by a Schedule that Run has returned, and returns what
// was done, in its order, and how it failed.
func Replay(bound int, schedule []int, create func() Scenario) ([]Step, error) {
	decisions := make([]decision, len(schedule))
	for i, taken := range schedule {
		decisions[i] = decision{taken: taken, of: taken + 1}
	}
	var crew crew
	defer crew.stop()
	e := &execution{bound: bound, decisions: decisions, crew: &crew, replays: true}
	err := e.run(create)
	return e.log, err
}

// decision is one that had more than one alternative.
type decision struct{ taken, of int }

func (d decision) exhausted() bool { return d.taken == d.of-1 }

// execution is one run of a scenario.
type execution struct {
	bound       int
	decisions   []decision
	made        int // decisions of this execution so far
	preemptions int
	steps       int
	replays     bool
	log         []Step // of a replay
	failure     error

	crew    *crew
	threads []*thread
	alike   int
	current *thread
	next    *thread // chosen by the current one, which hands over
	ending  bool    // every thread is to unwind
}

// thread is one that a worker runs.
type thread struct {
	*worker
	name    int
	blocked func() bool // nil: it can run; else it can once this returns true
	begun   bool
	ended   bool
}

// running is the execution that the code under test is in; nil outside, when
// points do nothing.
var running *execution

// unwound is the panic value of a thread whose execution has failed elsewhere.
type unwound struct{}

// maxSteps ends an execution that does not end: a thread that spins.
const maxSteps = 100_000

func (e *execution) run(create func() Scenario) error {
	s := create()
	running = e
	defer func() { running = nil }()
	e.alike = s.Alike
	for i, f := range s.Threads {
		e.threads = append(e.threads, e.start(i, f))
	}
	for e.failure == nil {
		t := e.next
		e.next = nil
		if t == nil {
			if t = e.choose(nil); t == nil {
				break
			}
		}
		e.current = t
		t.begun = true
		t.ended, _ = t.resume()
	}
	for _, t := range e.threads {
		if !t.ended && e.failure == nil {
			e.failure = fmt.Errorf("blocked for ever: %s", e.blocked())
		}
	}
	if e.failure != nil { // there is no other execution
		e.ending = true
		for _, t := range e.threads {
			e.current = t
			t.stop()
		}
	}
	running = nil
	if e.failure == nil && s.End != nil {
		e.failure = guarded(s.End)
	}
	return e.failure
}

// guarded returns what end does, or an error if it panics.
func guarded(end func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the end panicked: %v\n%s", p, debug.Stack())
		}
	}()
	return end()
}

func (e *execution) start(name int, f func()) *thread {
	return &thread{name: name, worker: e.crew.worker(name, func() {
		defer func() {
			switch p := recover().(type) {
			case nil, unwound:
			default:
				if e.failure == nil {
					e.failure = fmt.Errorf("thread %d panicked: %v\n%s", name, p, debug.Stack())
				}
			}
		}()
		f()
	})}
}

// blocked names the threads that have not ended.
func (e *execution) blocked() string {
	var names []string
	for _, t := range e.threads {
		if !t.ended {
			names = append(names, fmt.Sprint("thread ", t.name))
		}
	}
	return strings.Join(names, ", ")
}

func (t *thread) runnable() bool {
	return !t.ended && (t.blocked == nil || t.blocked())
}

// choose returns the thread that runs next: current, if that can and it is the
// first alternative, or another. It returns nil if none can run.
func (e *execution) choose(current *thread) *thread {
	can := current != nil && current.runnable()
	if can && e.preemptions == e.bound {
		return current
	}
	var buffer [8]*thread
	alternatives := buffer[:0]
	if can {
		alternatives = append(alternatives, current)
	}
	twin := false // one who is like the next has not begun
	for i, t := range e.threads {
		if i < e.alike && !t.begun {
			if twin {
				continue
			}
			twin = true
		}
		if t != current && t.runnable() {
			alternatives = append(alternatives, t)
		}
	}
	if len(alternatives) == 0 {
		return nil
	}
	t := alternatives[e.decide(len(alternatives))]
	if can && t != current {
		e.preemptions++
	}
	return t
}

// decide returns one of n alternatives: the next of the schedule, or after its
// end the first.
func (e *execution) decide(n int) int {
	if n == 1 {
		return 0
	}
	if e.made == len(e.decisions) {
		e.decisions = append(e.decisions, decision{taken: 0, of: n})
	}
	d := &e.decisions[e.made]
	if e.replays {
		d.of = n
	}
	if d.of != n || d.taken >= n {
		panic(fmt.Sprintf("explore: decision %d had %d alternatives and now has %d: the scenario does not depend on the schedule alone", e.made, d.of, n))
	}
	e.made++
	return d.taken
}

func (e *execution) schedule() []int {
	s := make([]int, e.made)
	for i := range s {
		s[i] = e.decisions[i].taken
	}
	return s
}

// step lets another thread run, or not.
func (e *execution) step(until func() bool) {
	if e.ending {
		panic(unwound{})
	}
	e.steps++
	if e.steps > maxSteps {
		e.failure = fmt.Errorf("an execution of more than %d points: a thread spins", maxSteps)
		e.handOver(nil)
	}
	t := e.current
	if e.replays {
		e.log = append(e.log, t.step())
	}
	t.blocked = until
	if next := e.choose(t); next != t {
		e.handOver(next)
	}
	t.blocked = nil
}

// step returns what t is about to do: the functions that called the explorer,
// from the one of package atom, if there is one, to its caller.
func (t *thread) step() Step {
	s := Step{Thread: t.name}
	pcs := make([]uintptr, 16)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	for {
		f, more := frames.Next()
		name := f.Function[strings.LastIndexByte(f.Function, '/')+1:]
		pkg, function, _ := strings.Cut(name, ".")
		switch {
		case pkg == "explore":
			s.Op = function
		case pkg == "atom":
			s.Op = strings.NewReplacer("(*", "", ")", "", "[...]", "").Replace(function)
		default:
			s.At = fmt.Sprintf("%s (%s:%d)", name, filepath.Base(f.File), f.Line)
			return s
		}
		if !more {
			return s
		}
	}
}

func (e *execution) handOver(next *thread) {
	e.next = next
	if !e.current.yield(false) {
		panic(unwound{})
	}
}

// Point is called before each operation whose order matters.
func Point() {
	if e := running; e != nil {
		e.step(nil)
	}
}

// Block lets the others run until the condition holds, which must depend only on
// what threads do.
func Block(until func() bool) {
	switch e := running; {
	case e != nil:
		e.step(until)
	case !until():
		panic("explore: Block outside a scenario, for ever")
	}
}

// Choose returns any number from 0 to n-1: each is tried.
func Choose(n int) int {
	if e := running; e != nil {
		if e.ending {
			panic(unwound{})
		}
		return e.decide(n)
	}
	return 0
}
