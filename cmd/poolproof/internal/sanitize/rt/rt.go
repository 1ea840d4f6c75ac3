// Package rt holds the parts of the sanitizer that compile nowhere but in the
// packages of a Go toolchain: the hooks of the runtime, and what packages sync,
// testing, internal/race and internal/runtime/maps call. A folder is named
// after its package. Package toolchain adds them to a build by an overlay.
//
// Their package-level names begin with a capital letter, and package toolchain puts a prefix
// before each that tells it from the package's own. The files of runtime use the names of
// package core in the same way: Granule is core's granule. Assembly, and the fields and
// methods that are added to types of the toolchain, have the prefix in the source.
//
// # The rules that all code below the hooks keeps
//
// A hook may run on any goroutine, with little stack left, in the middle of
// the runtime's own work. So what a hook does until it is on the system stack
// is nosplit and small; nothing below it allocates, has a write barrier, or
// takes a lock that the sweep could hold; and it only looks at the world when
// its goroutine runs user code, holding no lock of the runtime's.
package rt

import "embed"

// Source holds the files.
//
//go:embed empty.s.txt */*.txt
var Source embed.FS
