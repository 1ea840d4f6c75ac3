// Package events says what happens to pooled objects in one package: the
// language between the analysis of the code, which makes events, and the checks,
// which judge them. A check sees no SSA, and the analysis no check.
package events

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Events holds the events of one package.
type Events struct {
	Options    Options
	Directives Directives

	Pools []*Pool // every sync.Pool that is used in the package, in source order
	Funcs []*Func // every function with an object, in source order

	// Generated reports whether pos is in a generated file, Cgo whether that is what
	// cgo made of a file that a person wrote, Test whether it is in a _test.go file.
	Generated, Cgo, Test func(pos token.Pos) bool

	// GaveUp are the functions of which a part was not analysed, because it
	// would have taken more steps than the budget allows.
	GaveUp []GivenUp

	// Failures are the imported packages whose analysis failed.
	Failures []Failure
}

// Failure is a package that was not analysed, and why.
type Failure struct{ Package, Reason string }

// GivenUp is a function that was too large.
type GivenUp struct {
	Pos  token.Pos
	Func string
}

// Options are the user's choices for the checks. They are flags of the analyzer
// named poolproof.
type Options struct {
	Tier         Tier                   // findings below it are not reported
	Checks       func(code string) bool // findings of other checks are not reported; nil: all are
	Generated    bool                   // report findings in generated files too
	Explained    bool                   // report findings that another one explains
	DropOnError  bool                   // a path that returns an error may lose the object
	RequireDefer []string               // getters ("pkg/path.Func", "pkg/path.Type.Method" or a name) whose result must be put by a defer
	Without      []string               // import paths of packages that are not analysed
	Budget       int                    // steps for each function
}

// Directives are the //poolproof: comments of the package.
type Directives interface {
	// Drop reports whether an object that is lost at pos is lost on purpose.
	Drop(pos token.Pos) bool
	// Ignored returns the directive that ignores a finding of code at pos.
	Ignored(pos token.Pos, code string) (token.Pos, bool)
}

// Pool is one sync.Pool, or one element of a set that is declared as one.
type Pool struct {
	// Var is the package variable, struct field or local variable that is the
	// pool (or a pointer to it, or an array or slice or map of them). Nil if it is none of these.
	Var  *types.Var
	Kind PoolKind
	Gets []PoolGet // direct calls of (*sync.Pool).Get
	Puts []PoolPut // direct calls of (*sync.Pool).Put
}

// PoolKind says where a pool lives.
type PoolKind uint8

// The kinds of pools.
const (
	OtherPool  PoolKind = iota
	GlobalPool          // Var is a package variable
	FieldPool           // Var is a struct field
	LocalPool           // Var is a local variable
)

// PoolGet is a call of (*sync.Pool).Get.
type PoolGet struct {
	Call     *ast.CallExpr
	Func     string     // the function around it
	Asserted types.Type // of the type assertion of its result; nil: none, or several
	CommaOK  bool       // whether that assertion is of the comma-ok form or a type switch
	NilCheck bool       // whether the result is compared with nil before the assertion
	InLoop   bool
}

// PoolPut is a call of (*sync.Pool).Put.
type PoolPut struct {
	Call     *ast.CallExpr
	Func     string
	Type     types.Type // of the argument before it became an interface; nil: it was one
	Deferred bool
	InLoop   bool
	// Copy is the local variable whose address is put although its memory is
	// that of an object which was got: the variable is allocated anew each time.
	Copy *types.Var
}

// Func is one function in which pooled objects occur.
type Func struct {
	Name    string    // "(*T).Close", "F", "F$1" for a literal in F
	Pos     token.Pos // of its name, or of the keyword func of a literal
	Syntax  ast.Node  // *ast.FuncDecl or *ast.FuncLit; nil for a synthetic function
	Obj     *types.Func
	Test    bool // in a _test.go file
	Objects []*Object
}

// Object is one pooled object in one function: what a get returns, or what a put
// gives back.
type Object struct {
	Func   *Func
	Type   types.Type
	Name   string // as the source calls it, or ""
	Shape  Shape
	Get    *Event // nil if the function got it otherwise: as a parameter, from a field
	Puts   []Event
	Custom bool // the pool is an interface or type with Get and Put, not a sync.Pool or what is built on one

	// Histories are the remarkable paths of the object.
	Histories []History
}

// Shape says what the memory of an object is, for how sure a finding can be.
type Shape uint8

// The shapes of objects.
const (
	Struct    Shape = iota // a struct with fields of the user's own
	Buffer                 // a bytes.Buffer, []byte, *[]byte or the like: all of its memory is its own
	Interface              // not known
)

// History lists the events of an object on one path, in the order of time. The
// last event is the one to report.
type History struct {
	Events []Event
	Reach  Reach // how the last event reaches the object
	// Copyable is the expression that would have to be copied for the last event
	// to be right, where a copy of it makes it right. Nil if there is none.
	Copyable ast.Expr
}

// Last returns the event to report.
func (h *History) Last() Event { return h.Events[len(h.Events)-1] }

// First returns the first event of a kind.
func (h *History) First(kind Kind) (Event, bool) {
	for _, e := range h.Events {
		if e.Kind == kind {
			return e, true
		}
	}
	return Event{}, false
}

// Reach says how an event reaches the memory of an object.
type Reach uint8

// The ways, the most certain first.
const (
	Whole     Reach = iota // it is the object
	Memory                 // it is the memory of a buffer
	Field                  // it is memory that a field of a user's struct refers to
	Container              // it is inside of something else
)

// Kind is the kind of an event.
type Kind uint8

// The kinds of events.
const (
	Get Kind = iota + 1
	Put
	Use
	Escape
	Exit
)

// Event is one thing that happens to an object.
type Event struct {
	Kind Kind
	How  How
	Pos  token.Pos
	End  token.Pos
	What string // the source or the callee, in a few words: "buf.Bytes()", "putBuffer"
	Pool string // of a put: the name of the pool, "" if it is not known
	// Deferred is set if it happens when the function returns.
	Deferred bool
	// Node is the call, statement or expression; nil if it is not known.
	Node ast.Node
}

// How refines Kind; each kind has its own values.
type How uint8

// The ways of events.
const (
	Plain How = iota

	// Of a get: not from a pool, but from code that keeps the object.
	Lent     // to a callback, until it returns
	ReadOnly // to be read only

	// Of a put.
	Released // by a callee that gives up what it is given, not always to a pool
	Maybe    // by a callee, on some of its paths
	Handed   // by the code that it was handed over to: a receiver, a goroutine
	Taken    // by a callee that takes it over, as a directive says, and puts it later or never

	// Of a use.
	Read
	Written
	Passed   // to a call, as an argument or a receiver
	Returned // as a result, or inside of one
	Captured // by a function literal that uses it
	Cut      // a part of it is cut off
	Unset    // it is nil where a deferred put of it stands, and gets its value here

	// Of a use of what the last user has left in the object.
	Stale     // a field is read that nothing has set since
	Content   // what all users before wrote comes before what the function writes
	Drained   // what could not be written out of it comes before that
	Decoded   // a decoder sets only the fields that it finds
	Unreset   // nothing resets it
	Forgotten // a function that resets other fields leaves these out

	// Of an escape.
	StoredField   // in a field of what the caller knows
	StoredAgain   // in a field that the next call of the function puts again
	StoredCopy    // in a field of a receiver that is a copy of the caller's
	StoredElement // in an element of an array or slice in such a field
	ElementAgain  // in such an element, which a second call puts again
	StoredGlobal  // in a package variable
	StoredMap
	Sent
	Collected // appended to what outlives the put
	Started   // given to a goroutine
	Kept      // passed to a callee that keeps it
	Requested // the body of a request over HTTP

	// Of an exit.
	Return
	ErrorReturn  // a return whose error is not nil
	NextRound    // back at the get
	FailedReturn // a return of an error, where the object is handed over if there is none
	Refers       // a put of what still refers to other objects
	Foreign      // a put into a pool where it does not belong
	Itself       // a put of the receiver by a method that others may call twice
	CutField     // an assignment to a field that cuts off the beginning of what is put out of it
	OnlyFailed   // a put only where a call has failed
	LentOut      // a put of a parameter that callers have only borrowed
	OnlyLength   // a put only of slices of some lengths, which a getter returns with any
	CallsAgain   // a call, by a method that others may call twice, of a function that puts each time
	NextReceived // back where the next object is received from a channel
	LeftReceived // a return of a callee that loses what its caller received, and does nothing more with
	Unreturned   // a return that loses what was received from a channel
	KeptInField  // a store in a field out of which no code takes anything
	Forgets      // an assignment to a field of which the object is lost
	Hidden       // the end of another variable of the same name, which is never set
	Untold       // a return that loses what others put, and says the same as they
)
