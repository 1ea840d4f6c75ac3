// Package stdlib knows the import paths of Go's standard library. That the first element of a
// path has no dot says nothing: a module may be called app.
package stdlib

import (
	"slices"
	"strings"
)

// first are the first elements of the import paths, sorted.
var first = strings.Fields(`archive bufio bytes cmp compress container context crypto database debug embed encoding errors
	expvar flag fmt go hash html image index internal io iter log maps math mime net os path plugin reflect regexp runtime
	slices sort strconv strings structs sync syscall testing text time unicode unique unsafe vendor weak`)

// Has reports whether a package is of the standard library of a Go of today; of a newer one that
// is wrong only for packages whose first element is new.
func Has(path string) bool {
	element, _, _ := strings.Cut(path, "/")
	_, found := slices.BinarySearch(first, element)
	return found
}
