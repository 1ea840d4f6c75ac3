package agree

import "slices"

// Op is the kind of a statement.
type Op string

// The statements. Objects are named a to d, views of their memory v and w, function
// values f and g, tasks j and k, structs h and i.
const (
	opGet     Op = "get"       // Y is taken from a pool: Form says how, and from which
	opPut     Op = "put"       // X is put: Form says where
	opDefer   Op = "defer put" // a deferred call puts X, as it is now
	opUse     Op = "use"       // X is written, read or reset
	opView    Op = "view"      // Y is memory of X
	opTouch   Op = "touch"     // memory X is read or written
	opCut     Op = "reslice"   // X loses its first byte
	opCopy    Op = "copy"      // Y is a copy of X
	opAlias   Op = "alias"     // Y is X
	opNil     Op = "nil"       // X is nil from now on
	opStore   Op = "store"     // X goes to a package variable, or a field of a parameter
	opUnstore Op = "unstore"   // that is nil from now on
	opSend    Op = "send"      // X goes into a channel, whose receiver runs now or at the end
	opCall    Op = "call"      // a helper of the program gets X, and Y is its result
	opNow     Op = "literal"   // a function literal is called
	opBind    Op = "closure"   // Y is a function literal
	opInvoke  Op = "invoke"    // X is called
	opLater   Op = "deferred"  // a function literal is deferred
	opHook    Op = "hook"      // a function literal is kept, and called when the program has returned
	opGo      Op = "go"        // Y is a goroutine, which runs now, or when it is waited for
	opWait    Op = "wait"      // goroutine X has ended
	opIf      Op = "if"
	opLoop    Op = "loop"
	opLeave   Op = "leave" // break, continue
	opReturn  Op = "return"
	opPanic   Op = "panic"
	opRecover Op = "recover" // a deferred call recovers
	opFlag    Op = "flag"    // the function's flag is set

	// Of the wide grammar.
	opSwitch  Op = "switch"  // a case, and a default; Form 1 falls through
	opSelect  Op = "select"  // X is sent, unless, with Form 1, a bit makes the channel nil
	opHold    Op = "hold"    // X goes into the struct Y
	opTake    Op = "take"    // Y is what is in the struct X
	opRelease Op = "release" // a method of the struct X puts what is in it; with Form 0 it is nil then
)

// Stmt is a statement.
type Stmt struct {
	Op         Op
	X, Y       string // read, assigned
	Form       int
	Via        int // a get, a put, an alias, a loop: the way that it is written
	Cond       Cond
	Body, Else []*Stmt
	Helper     int // called: the index in Program.Funcs

	declares, unused bool // Y is declared here; and read nowhere
}

// Cond is the condition of an opIf or an opSwitch.
type Cond struct {
	Nil  string // this variable is nil
	Flag bool   // the flag is set
	Bit  int    // otherwise: this bit of the input is set
	Not  bool
}

// Func is a function: the program itself, or a helper.
type Func struct {
	Param  string // "", "a" or "v"
	Result Result
	Body   []*Stmt

	flag bool // it has a flag, which a condition asks for
}

// Result is what a function returns.
type Result int

const (
	noResult Result = iota
	anError
	anObject
	aView
	results
)

// Kind is the type of the objects.
type Kind int

const (
	aBuffer Kind = iota // *bytes.Buffer
	aSlice              // *[]byte
	aStruct             // a pointer to a struct with an array
	kinds
)

// Program is a function over two pools of one type, with its helpers. The pool 0 has
// New, the pool 1 has none.
type Program struct {
	Number int
	Kind   Kind
	Funcs  []*Func // the first is the program, the others are its helpers
	Pool   int     // the one that the caller, and the receiver of the channel, put into
	Serve  int     // what the receiver does
	Wide   bool    // of the wide grammar
}

// Ways of a get, a put, an alias and a loop.
const (
	viaPool  = iota // or a range over an integer
	viaType         // a type parameter, or a range over a function
	viaValue        // a method, an interface, or a label and a goto
	ways
)

// Forms of an opLeave: a break, a continue, and those of the loop around the innermost one.
const (
	leaveBreak = iota
	leaveContinue
	leaveOuter
	leaves = 4
)

// Forms of an opGet.
const (
	getNew    = iota // from the pool with New
	getOK            // from the other, or a new one
	getSwitch        // the same
	getNil           // from the other, whatever comes
)

// What the receiver of the channel does.
const (
	serveReads = iota
	servePuts
	serveBoth
	serves
)

// viewLen is the length of a view; opCut shortens it by one.
const viewLen = 8

// bits of the input: the last but two are for conditions.
const (
	loopBits = 3 // and 4: how often the loop runs that the input bounds
	turnBit  = 5 // goroutines and receivers run at once
	allBits  = 6
)

// clone returns a program that can be changed, and its statements by those of p.
func (p *Program) clone() (*Program, map[*Stmt]*Stmt) {
	twins := map[*Stmt]*Stmt{}
	var list func([]*Stmt) []*Stmt
	list = func(from []*Stmt) (to []*Stmt) {
		for _, s := range from {
			c := *s
			c.Body, c.Else = list(s.Body), list(s.Else)
			twins[s] = &c
			to = append(to, &c)
		}
		return to
	}
	q := *p
	q.Funcs = nil
	for _, f := range p.Funcs {
		g := *f
		g.Body = list(f.Body)
		q.Funcs = append(q.Funcs, &g)
	}
	return &q, twins
}

// lists are a list of statements and those in it, outer ones first.
func lists(list *[]*Stmt) []*[]*Stmt {
	all := []*[]*Stmt{list}
	for _, s := range *list {
		if s.holds() || s.Op == opSelect {
			all = append(all, lists(&s.Body)...)
		}
		if s.branches() {
			all = append(all, lists(&s.Else)...)
		}
	}
	return all
}

func stmtsIn(list *[]*Stmt) (all []*Stmt) {
	for _, l := range lists(list) {
		all = append(all, *l...)
	}
	return all
}

// lists are all those of the program.
func (p *Program) lists() (all []*[]*Stmt) {
	for _, f := range p.Funcs {
		all = append(all, lists(&f.Body)...)
	}
	return all
}

// stmts are all statements.
func (p *Program) stmts() (all []*Stmt) {
	for _, f := range p.Funcs {
		all = append(all, stmtsIn(&f.Body)...)
	}
	return all
}

// without returns the program without a statement. If the statement has others in it,
// and inner is true, these take its place.
func (p *Program) without(s *Stmt, inner bool) *Program {
	q, twins := p.clone()
	for _, list := range q.lists() {
		if i := slices.Index(*list, twins[s]); i >= 0 {
			var in []*Stmt
			if inner {
				in = append(twins[s].Body, twins[s].Else...)
			}
			*list = slices.Replace(*list, i, i+1, in...)
			break
		}
	}
	q.tidy()
	return q
}

// inputs are those that the program tells apart.
func (p *Program) inputs() (all []uint) {
	var used uint
	for _, s := range p.stmts() {
		switch {
		case s.branches() && s.Cond.Nil == "" && !s.Cond.Flag:
			used |= 1 << s.Cond.Bit
		case s.Op == opLoop && s.Form == 0:
			used |= 3 << loopBits
		case s.Op == opGo, s.Op == opSend:
			used |= 1 << turnBit
		case s.Op == opSelect:
			used |= 1<<turnBit | uint(s.Form)<<s.Cond.Bit
		}
	}
	for in := range uint(1) << allBits {
		if in&^used == 0 {
			all = append(all, in)
		}
	}
	return all
}

// calls reports whether the program is the function, or calls it.
func (p *Program) calls(f int) bool {
	return f == 0 || slices.ContainsFunc(p.stmts(), func(s *Stmt) bool { return s.Op == opCall && s.Helper == f })
}

// slot is where an opStore goes to: 1 is a field, 2 stands for a view.
func (s *Stmt) slot() int { return s.Form & 3 }

// holds reports whether a statement is there for those in it.
func (s *Stmt) holds() bool { return s.branches() || s.Op == opLoop || s.literal() }

// branches reports whether a statement has a condition.
func (s *Stmt) branches() bool { return s.Op == opIf || s.Op == opSwitch }

// literal reports whether those in it are a function literal.
func (s *Stmt) literal() bool {
	return slices.Contains([]Op{opNow, opBind, opLater, opHook, opGo}, s.Op)
}

// sort is that of the variables that can be returned.
func (r Result) sort() byte { return [...]byte{noResult: 0, anError: 0, anObject: 'a', aView: 'v'}[r] }

func (r Result) returns(x string, known scope) bool {
	return known[x] != nil && sort(x) == r.sort()
}

// sort is that of a variable: an object, a view, a function, a task, a struct.
func sort(x string) byte {
	if x == "" {
		return 0
	}
	return map[byte]byte{'a': 'a', 'b': 'a', 'c': 'a', 'd': 'a', 'v': 'v', 'w': 'v', 'f': 'f', 'g': 'f', 'j': 'j', 'k': 'j', 'h': 'h', 'i': 'h'}[x[0]]
}
