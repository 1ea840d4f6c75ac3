// Package reuse writes the ways in which the memory of an allocation could be used again:
// from the place of an allocation to variants of the program, as edits of a copy of its
// source text; or the reason why there is none.
//
// A variant is written only where something says that it is safe: see [Evidence]. What the
// evidence leaves open is for tests and the sanitizer to refuse.
package reuse

// Name is the kind of a variant.
type Name string

// The names of the variants.
const (
	Presize       Name = "presize"         // memory is asked for once, in the size that it is likely to have
	PresizeGrowth Name = "presize(growth)" // a slice begins with the size that others of its place came to
	Intern        Name = "intern"          // a string that came before is used again
	Stack         Name = "stack"           // an array in the frame, where it is large enough
	StackCaller   Name = "stack(caller)"   // callers make the object that is returned, in their frames where it ends there
	Hoist         Name = "hoist"           // one value serves all iterations of a loop
	Pool          Name = "pool"            // a slice comes from a sync.Pool and goes back to it
	PoolCopyOut   Name = "pool+copy-out"   // the same of a buffer; what leaves the function is a copy
	Reset         Name = "reset"           // what a constructor makes is reset and used again, from a sync.Pool
)

// Evidence says what makes a variant safe, before any test of it.
type Evidence string

// The classes of evidence.
const (
	Compiler  Evidence = "compiler"  // the compiler proves that the object does not outlive its function
	Contract  Evidence = "contract"  // each use is one that is known not to keep the object
	Semantics Evidence = "semantics" // no memory is used twice
	Observed  Evidence = "observed"  // no object was seen in use after its function had returned
	User      Evidence = "user"      // the user wrote the change
)

// Site is an allocation: its place in the source, and what was measured of it.
type Site struct {
	File         string // absolute
	Line, Column int    // as the compiler counts; Column 0: not known, all of the line is looked at
	// An operation of a benchmark allocates so many Bytes and Objects here; 0: not known.
	Bytes, Objects float64
	// Observed says that no object of the site was touched after the function that made it
	// had returned.
	Observed bool
	// Kept says that one was seen to be kept after the operation that made it.
	Kept bool
}

// Size is the size of an average object in bytes; 0: not known.
func (s Site) Size() float64 {
	if s.Objects <= 0 {
		return 0
	}
	return s.Bytes / s.Objects
}
