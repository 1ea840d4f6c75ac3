// Package profile turns allocation profiles into ranked sites: places in the
// user's source that allocate. A profile comes from the benchmarks of packages
// (package collect), or from files and addresses in the format of pprof.
// Nothing here runs the user's code.
package profile

import (
	"cmp"
	"slices"
)

// Site is a place in the user's source that allocates. It is the innermost
// frame of the user's modules on the stack of an allocation, test files left
// out.
type Site struct {
	Package  string `json:"package"`          // import path
	Function string `json:"function"`         // as the runtime writes it, without the package: "(*T).Method", "f.func1"
	File     string `json:"file"`             // absolute; as the profile has it where the source is not on this machine
	Line     int    `json:"line"`             //
	Column   int    `json:"column,omitempty"` // of what allocates, in bytes from 1; 0 where the line leaves a choice
	Kind     Kind   `json:"kind"`
	Callee   string `json:"callee,omitempty"`  // KindCallee, KindConstructor: the function that is called here, with its import path
	Type     string `json:"type,omitempty"`    // KindConstructor: what it makes, as "*gzip.Writer"
	Expr     string `json:"expr,omitempty"`    // the source of what allocates, on one line; "" where it is not known
	InPool   bool   `json:"in_pool,omitempty"` // the New function of a sync.Pool, or called by one
	Stale    bool   `json:"-"`                 // the source on this machine has another function at the line

	// A run was watched: Observed, no object could be reached when the function that made it had returned; or
	// Kept, one could when its operation had ended, or another goroutine touched it.
	Observed bool `json:"-"`
	Kept     bool `json:"-"`

	// Charged are the lines whose allocations count for the site, and Callers the
	// lines of the user's modules that led there, test files left out; in the order
	// of files and lines.
	Charged []Call  `json:"-"`
	Callers []Place `json:"-"`

	// Bytes and Objects are per operation of the benchmark in which the site
	// allocates most, the first of Benchmarks; from another profile they are all
	// that it has.
	Bytes   float64 `json:"bytes"`
	Objects float64 `json:"objects"`

	// ByteShare and ObjectShare are parts of all that the profile has, from 0
	// to 1: of a profile of benchmarks, each of them run for the same time.
	ByteShare   float64 `json:"byte_share"`
	ObjectShare float64 `json:"object_share"`

	// Bound is the most that a change here can win; zero where no CPU profile
	// was taken.
	Bound Bound `json:"bound,omitzero"`

	// Benchmarks are those that reach the site, the one with the largest part
	// of its bytes first; empty for another profile.
	Benchmarks []Reach `json:"benchmarks,omitempty"`
}

// Place is a line of the user's source.
type Place struct {
	File string // absolute
	Line int
}

// Call is a line, and what it calls that allocates.
type Call struct {
	Place
	Callee string // with its import path; "" where the line allocates itself
	Grows  bool   // a bytes.Buffer or strings.Builder grows in what is called
}

// Reach says what one operation of a benchmark allocates at a site.
type Reach struct {
	Package   string  `json:"package"`   // import path of the benchmark
	Benchmark string  `json:"benchmark"` // full name, as BenchmarkEncode/size=1K
	Bytes     float64 `json:"bytes"`
	Objects   float64 `json:"objects"`
	Rate      float64 `json:"rate"` // operations per second

	// ByteShare and ObjectShare are parts, from 0 to 1, of all that an operation
	// of this benchmark allocates.
	ByteShare   float64 `json:"byte_share"`
	ObjectShare float64 `json:"object_share"`
}

// Bound is the most that a change at a site can win, in the benchmark in which
// it matters most.
type Bound struct {
	Benchmark string  `json:"benchmark,omitempty"` // "" where no CPU profile was taken
	CPU       float64 `json:"cpu"`                 // upper 95 % limit of the part of its CPU time, from 0 to 1
	Bytes     float64 `json:"bytes"`               // part of its bytes, from 0 to 1
}

// OfProfile stands for the benchmark of a bound that is not of a benchmark.
const OfProfile = "the profile"

// Largest is the larger one of the site's two shares, by which sites are ranked.
func (s *Site) Largest() float64 { return max(s.ByteShare, s.ObjectShare) }

// Rank sorts sites: constructors of types that can be reset before all others,
// then by the larger share.
func Rank(sites []*Site) {
	slices.SortStableFunc(sites, func(a, b *Site) int {
		first := func(s *Site) int {
			if s.Kind == KindConstructor && !s.InPool {
				return 0
			}
			return 1
		}
		return cmp.Or(first(a)-first(b), cmp.Compare(b.Largest(), a.Largest()), cmp.Compare(a.File, b.File), a.Line-b.Line, cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Callee, b.Callee))
	})
}

// Kind says what allocates at a site, in words that users read.
type Kind string

const (
	KindConstructor Kind = "constructor"        // of a type with a Reset method, in a callee
	KindMakeSlice   Kind = "make of a slice"    //
	KindMakeMap     Kind = "make of a map"      // a literal of a map, too
	KindMakeChan    Kind = "make of a channel"  //
	KindMapGrowth   Kind = "map growth"         // an assignment to an element
	KindNew         Kind = "new"                // new(T), and a variable that was moved to the heap
	KindComposite   Kind = "composite literal"  //
	KindAppend      Kind = "append growth"      //
	KindConversion  Kind = "conversion"         // between string and []byte or []rune
	KindConcat      Kind = "concatenation"      // of strings
	KindClosure     Kind = "closure"            // a function literal, a method value
	KindBoxing      Kind = "boxing"             // a value that is converted to an interface
	KindGo          Kind = "goroutine"          // a go statement
	KindCallee      Kind = "in callee"          // the allocation is in another module, or in the standard library
	KindGrowth      Kind = "growth of a buffer" // of a bytes.Buffer or strings.Builder that a function called here writes to
	KindUnknown     Kind = "allocation"         // the source is not there, or the line leaves a choice
)

// Profile has the sites of one or several profiles.
type Profile struct {
	Sites []*Site // ranked

	// Bytes and Objects are all that was allocated: of benchmarks, per second of
	// each of them.
	Bytes, Objects float64
	// Tests is the part of Bytes and Objects, from 0 to 1, that test files allocate
	// themselves; Elsewhere the part of stacks without a function of the user's modules.
	Tests, Elsewhere Part

	CPU CPU // of all benchmarks, or of the CPU profiles among the files
}

// Part is a part of bytes and of objects, from 0 to 1.
type Part struct {
	Bytes   float64 `json:"bytes"`
	Objects float64 `json:"objects"`
}

// Hot returns the sites that have at least that part of the bytes or of the
// objects, at most limit of them; 0 is no limit. The rank stays.
func (p *Profile) Hot(least float64, limit int) (hot []*Site) {
	for _, s := range p.Sites {
		if s.Largest() >= least && (limit == 0 || len(hot) < limit) {
			hot = append(hot, s)
		}
	}
	return hot
}
