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
	"runtime"
	"slices"
	"strings"
	"sync"
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

	// Registered are types of pooled objects, as import/path.Type, with the place where
	// a new one is given to code that keeps it.
	Registered map[string]string
}

// Field describes one field.
type Field struct {
	Own    bool
	Shared bool   // an array that was made for the field may be kept elsewhere too, even one that New made
	Unsure bool   // what is stored may be there for all objects, made when the first of them was
	Why    string // in words
	At     string // the store that decides, as file:line; "" if there is none
}

// Lines returns the fields that the runtime must know, one a line, sorted: +name owns
// its arrays, !name never does, -name only those that New made, ?name only those that a New made which was not
// the pool's first. =name is a type that is
// Registered.
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
	for name := range r.Registered {
		lines = append(lines, "="+name)
	}
	slices.Sort(lines)
	return lines
}

// Build joins the facts of all packages of a build.
type Build struct {
	pkgs  map[string]*Package
	facts map[string]*Facts
}

// Scan reads all packages of a build.
//
// Files that cannot be read or parsed are passed over: the compiler will tell.
// actual says where the text of a file is (an overlay may have replaced it).
func Scan(pkgs []Package, actual func(file string) string, c *Cache) *Build {
	l := newLoader(pkgs, actual)
	facts := make([]*Facts, len(pkgs))
	work := make(chan int)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range work {
				facts[i] = c.facts(l, &pkgs[i])
			}
		})
	}
	for i := range pkgs {
		if !pkgs[i].Standard {
			work <- i
		}
	}
	close(work)
	wg.Wait()
	b := &Build{pkgs: l.pkgs, facts: map[string]*Facts{}}
	for i := range pkgs {
		if facts[i] != nil {
			b.facts[pkgs[i].Path] = facts[i]
		}
	}
	return b
}

// Link joins what the packages of one test binary say: the package, its tests, and all
// that they import.
func (b *Build) Link(path string) Result {
	var all []*Facts
	seen := map[string]bool{}
	var add func(path string)
	add = func(path string) {
		p := b.pkgs[path]
		if p == nil || seen[path] || p.Standard {
			return
		}
		seen[path] = true
		if f := b.facts[path]; f != nil {
			all = append(all, f)
		}
		for _, i := range p.Imports {
			add(i)
		}
	}
	add(path)
	add(path + "_test")
	return link(all)
}
