// Package fields finds the slice fields of structs whose arrays belong to the
// struct: when such an object is put into a pool, its array is put there too. Of any other
// array in a field only the program knows whose it is, as it may be the caller's.
//
// A field owns its arrays if two things hold:
//
//   - Provenance: every store to the field, in any package of the build, stores an
//     array that was allocated for it (make, a literal, append to nothing, a copy, a
//     function that only returns such), or an array that the field had already
//     (resliced, extended, by way of a variable, a pointer or a function). One
//     store of anything else lends the field: a parameter, a call's result, a
//     receive, another value's field, a package variable, a copy of the whole
//     struct, an address given to a function that may store anything. So does an
//     array that was allocated for the field and is kept elsewhere too.
//   - Reuse: one store shows that the array outlives its user: x.f[:0] that is
//     appended to, a make below a check of the field's capacity, slices.Grow. A field
//     that each user makes anew may legally be returned. A field that is only appended to, and made
//     anew where it is full, uses no byte twice: what was appended may be handed out for good.
//
// The rule is about types and fields of types, and reads the whole build: what the
// runtime could see of a store, the time and place of the allocation, tells whether an
// array is young, but not whether it is kept by others too. The runtime checks the age
// in addition (package core).
//
// Each package is read by itself, into [Facts] that a cache keeps; [Build.Link] joins those
// of a test binary. Calls are resolved by name: what a function returns and stores through
// its parameters is a fact of its package. The standard library's functions are known
// by a short table.
package fields

import (
	"fmt"
	"slices"
	"strings"
)

// Package is a package of the build.
type Package struct {
	Path     string   // import path, as types of the package carry it
	Files    []string // Go files of the build, absolute
	Tests    []string // of the package's own tests; not seen by importers
	XTest    bool     // an external test package, which imports the tests of its package too
	Standard bool     // of the standard library: read for its types only

	Imports     []string // import paths of what the package's files and tests import
	TestImports []string // of what only its tests import: they may import the package again
}

// Result says of each slice field of a build whether its arrays belong to their object.
type Result struct {
	Fields map[string]Field // by import/path.Type.field

	Registered map[string]Registered // by type of pooled objects, as import/path.Type
}

// Field describes one field.
type Field struct {
	Own    bool
	Shared bool   // an array that was made for the field may be kept elsewhere too, even one that New made
	Unsure bool   // what is stored may be there for all objects, made when the first of them was
	Why    string // in words
	At     string // the store that decides, as file:line; "" if there is none
}

// lent begins the reason of a field that may hold memory of others.
const lent = "lent: "

// Lines returns the fields that the runtime must know, one a line, sorted: +name owns
// its arrays, !name never does, -name only those that New made, ?name only those that a New made which was not
// the pool's first. =N and a name is a type that is Registered, with what is kept, and with the function that
// it is true of.
func (r Result) Lines() []string {
	var lines []string
	for name, f := range r.Fields {
		switch {
		case f.Own:
			lines = append(lines, "+"+name)
		case f.Shared:
			lines = append(lines, "!"+name)
		case f.Unsure:
			lines = append(lines, "?"+name)
		case f.At != "" && strings.HasPrefix(f.Why, lent):
			lines = append(lines, "-"+name)
		}
	}
	for name, is := range r.Registered {
		lines = append(lines, fmt.Sprint("=", is.Kept, name))
		for in, kept := range is.By {
			lines = append(lines, fmt.Sprint("=", kept, name, " ", in))
		}
	}
	slices.Sort(lines)
	return lines
}
