package fields

// Facts holds one package's facts on fields and functions. Names are those of
// [types.Func.FullName] and of places: import/path.Type.field.
type Facts struct {
	Stores []Store          `json:"stores,omitempty"`
	Lends  []Lend           `json:"lends,omitempty"`
	Funcs  map[string]Func  `json:"funcs,omitempty"`
	Owned  []string         `json:"owned,omitempty"` // by a comment //poolproof:own
	Makers []Maker          `json:"makers,omitempty"`
	Drops  []Drop           `json:"drops,omitempty"`
	Values map[string][]Arg `json:"values,omitempty"` // functions that a call may reach without naming them, by dynamicKey; N is the shift of their parameters
	Undone []string         `json:"undone,omitempty"` // fields that are set to false, 0 or nil, by name

	Instances map[string][]string `json:"instances,omitempty"` // of generic functions and types: named types
}

// Store is one store to a slice field.
type Store struct {
	To   []string `json:"to"`             // the field's names
	Base string   `json:"base,omitempty"` // the value whose field it is, within its function
	From Source   `json:"from"`
	Kept bool     `json:"kept,omitempty"` // it depends on a check of the field's own array
	Room bool     `json:"room,omitempty"` // it depends on a check of the room that is left in the field's own array
	Made bool     `json:"made,omitempty"` // Base is made in the same function
	Ref  bool     `json:"ref,omitempty"`  // it is a pointer or a map
	At   string   `json:"at"`
}

// Lend says that a field may hold anything.
type Lend struct {
	To     []string `json:"to,omitempty"`
	Name   string   `json:"name,omitempty"` // instead of To: of a field of a type that is not known
	In     string   `json:"in,omitempty"`   // the package, for a Name that is not exported
	Shared bool     `json:"shared,omitempty"`
	Unsure bool     `json:"unsure,omitempty"`
	Given  []Arg    `json:"given,omitempty"` // only if one of these keeps it
	Soft   bool     `json:"soft,omitempty"`  // only if the field is also made for each user
	Why    string   `json:"why"`
	At     string   `json:"at"`
}

// Func describes the effects of a function on arrays. Parameters are numbered from 0, the
// receiver first.
type Func struct {
	Results []Source         `json:"results,omitempty"` // of each result
	Through map[int][]Source `json:"through,omitempty"` // what is stored through a pointer to a slice
	Keeps   map[int]bool     `json:"keeps,omitempty"`   // slices that may be kept beyond the call, or returned
	Passes  map[int][]Arg    `json:"passes,omitempty"`  // slices that are handed on to other functions
	Gives   map[int]Spread   `json:"gives,omitempty"`   // where objects go to
	Drops   map[int]Drop     `json:"drops,omitempty"`   // what it sets to nothing, of the objects
	Makes   []Maker          `json:"makes,omitempty"`   // what it makes and returns
}

// Arg is an argument of a function.
type Arg struct {
	Func string `json:"func"`
	N    int    `json:"n"`
}

// Kind says where an array comes from.
type Kind string

// The kinds of sources.
const (
	Fresh       Kind = "fresh"    // allocated here; nil
	Foreign     Kind = "foreign"  // anything
	Kept        Kind = "kept"     // Args[0], which may be kept elsewhere too: for certain, or if one of To keeps it
	OfField     Kind = "field"    // of the field Keys of Base
	Param       Kind = "param"    // of parameter N
	Deref       Kind = "deref"    // of the slice that parameter N points to
	Call        Kind = "call"     // result N of Func, called with Args
	ThroughCall Kind = "through"  // of the slice whose address is argument N of Func
	Returned    Kind = "returned" // Args[0], which the function that stores it also returns
	Any         Kind = "any"      // of one of Args
	Cut         Kind = "cut"      // Args[0] resliced
	Empty       Kind = "empty"    // Args[0][:0]
	Grown       Kind = "grown"    // Args[0] appended to
)

// Source is where the array of a slice comes from: a leaf, or an operation on
// other sources.
type Source struct {
	Kind  Kind     `json:"k"`
	Keys  []string `json:"keys,omitempty"`
	Base  string   `json:"base,omitempty"`
	N     int      `json:"n,omitempty"`
	Func  string   `json:"func,omitempty"`
	Args  []Source `json:"args,omitempty"`
	Bases []string `json:"bases,omitempty"` // of the arguments of a Call, as values whose fields it may return
	To    []Arg    `json:"to,omitempty"`    // of Kept: functions that it is given to; none: it is kept
	Why   string   `json:"why,omitempty"`   // of what is not the field's own
	Other bool     `json:"other,omitempty"` // of Foreign: other code has it for certain, or made it without being asked
}

// Drop says that each user of an object begins, or ends, without what fields of it refer to: code that
// has got the object, and a function that it gives the object to, sets the fields in any case.
//
//	x := pool.Get().(*T)
//	*x = T{}
//
// What such a field refers to at a Put is used by no later user.
type Drop struct {
	Fields []string `json:"fields,omitempty"`
	By     []Arg    `json:"by,omitempty"`     // functions that do it
	Except []string `json:"except,omitempty"` // fields that get back what they had
	Of     []string `json:"of,omitempty"`     // functions that the object is the result of: it is new if all of them make it
	At     string   `json:"at"`
}

// Maker is one thing that a function makes and returns: the New of a pool, or a function that
// makes an object where Get gives none. If other code keeps the thing too, a registry for example
// that counts what all objects hold, that code may use it after its Put.
type Maker struct {
	In      string   `json:"in,omitempty"`      // the function, as import/path file.go:line; "": any code may do it
	Open    bool     `json:"open,omitempty"`    // code that is not known makes it, or something of any type
	Types   []string `json:"types,omitempty"`   // of the thing: import/path.Type
	Generic string   `json:"generic,omitempty"` // the function or type that has the type parameter of which it is
	Spread
	From   *Handed `json:"from,omitempty"`   // the function that makes it
	Unless string  `json:"unless,omitempty"` // a field: this says nothing if the program sets it to false, 0 or nil
}

// Spread says where a value goes to beside the value that it becomes a part of.
type Spread struct {
	Kept bool     `json:"kept,omitempty"` // code stores it in memory that outlives the call
	Part bool     `json:"part,omitempty"` // code stores there what a field of it refers to
	Into []Holder `json:"into,omitempty"` // what else it is stored in
	To   []Handed `json:"to,omitempty"`   // functions that it is given to
	At   string   `json:"at,omitempty"`   // the place, if it is kept or stored
}

func (s *Spread) empty() bool { return !s.Kept && !s.Part && len(s.Into)+len(s.To) == 0 }

// Handed is a call that a value is given to.
type Handed struct {
	Arg
	Held map[int]Holder `json:"held,omitempty"` // what the other arguments are
	Then map[int]Spread `json:"then,omitempty"` // what becomes of those that are local, if the function stores the value there
}

// Holder is the memory that a value is stored in, as the function that stores it sees it. The
// zero Holder is memory that this function has made.
type Holder struct {
	Lives bool   `json:"lives,omitempty"` // it is there after the call, as a package variable is
	Param int    `json:"param,omitempty"` // 1 + the number of the parameter that refers to it
	Of    string `json:"of,omitempty"`    // the function whose result refers to it
}

// put sets an entry of a map that is made with its first one.
func put[K comparable, V any](m *map[K]V, key K, value V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = value
}

func foreign(why string) Source { return Source{Kind: Foreign, Why: why} }

// ofOthers is the source of memory that others have too, even if New was the first to ask for it.
func ofOthers(why string) Source { return Source{Kind: Foreign, Why: why, Other: true} }

// null is the source of nil.
var null = Source{Kind: Fresh, Why: "nil"}

// reset returns the source that holds if the base of a field may be another value by the
// time of the store: in a local variable, or in what a function returns.
func (s Source) reset(stable func(base string) bool) Source {
	if s.Kind == OfField && !stable(s.Base) {
		return foreign("a field of a variable that changes")
	}
	if len(s.Args) > 0 {
		args := make([]Source, len(s.Args))
		for i, a := range s.Args {
			args[i] = a.reset(stable)
		}
		s.Args = args
	}
	if len(s.Bases) > 0 {
		bases := make([]string, len(s.Bases))
		for i, b := range s.Bases {
			if stable(b) {
				bases[i] = b
			}
		}
		s.Bases = bases
	}
	return s
}
