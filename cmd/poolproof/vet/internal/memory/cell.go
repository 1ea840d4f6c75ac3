package memory

import (
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Var is a place in memory that code names: a local variable that has an
// address, a field of one, a field of what a value points to, a package variable.
// Two Vars that are equal are the same place, as long as nothing on the way there
// is written in between.
type Var struct {
	Base ssa.Value // *ssa.Alloc, *ssa.Global, or what points to a struct
	Path string    // ".2" field 2; "[0]" element 0; "*" what a pointer there points to
}

// Local reports whether v is a local variable or a part of one.
func (v Var) Local() bool {
	_, ok := v.Base.(*ssa.Alloc)
	return ok && !strings.Contains(v.Path, "*")
}

// Within reports whether v is o or a part of it.
func (v Var) Within(o Var) bool {
	_, within := Below(v.Path, o.Path)
	return within && v.Base == o.Base
}

// Below returns the rest of a path that begins with the steps of another one: ".12" does not begin
// with ".1".
func Below(path, start string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(path, start)
	return rest, ok && (rest == "" || strings.IndexByte(".[*", rest[0]) >= 0)
}

// Holds reports whether o is v or a part of it.
func (v Var) Holds(o Var) bool { return o.Within(v) }

// Copied returns the part of from that v is a copy of, where v is a part of to, and from was copied there.
func (v Var) Copied(to, from Var) Var {
	return Var{Base: from.Base, Path: from.Path + strings.TrimPrefix(v.Path, to.Path)}
}

// Variable reports whether v is a whole local variable.
func (v Var) Variable() bool { return v.Local() && v.Path == "" }

// Stores are all stores to a local variable, in its function and in the literals
// that capture it.
type Stores struct {
	Whole   []*ssa.Store // of the variable
	Part    []*ssa.Store // of a field or an element
	Loads   []*ssa.UnOp  // of the variable
	Parts   []ssa.Value  // addresses of fields and elements
	Closure []*ssa.MakeClosure
	// Unknown is set if the address goes where stores are not seen.
	Unknown bool
	// Inner is set if a literal stores to it.
	Inner bool
}

// Seen says what an instruction may find in a local variable: a variable that a literal captures is
// a cell of memory, in which is what the last store on the path has left there.
type Seen struct {
	Stores []*ssa.Store // one of these
	Entry  bool         // or what is there where the function of the instruction begins: nothing is, in the variable's own
	Else   bool         // or what a literal, or code that has the address, has stored at a time that is not known
}

// Certain returns the one store whose value the instruction finds, nil if there are others.
func (s Seen) Certain() *ssa.Store {
	if len(s.Stores) != 1 || s.Entry || s.Else {
		return nil
	}
	return s.Stores[0]
}

// read is a question for what an instruction finds in a variable.
type read struct {
	at       ssa.Instruction
	variable *ssa.Alloc
}
