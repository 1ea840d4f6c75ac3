package agree

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

// held is a struct that an object is in.
type held struct{ obj *object }

type view struct {
	of *object // nil: a copy
	n  int
}
