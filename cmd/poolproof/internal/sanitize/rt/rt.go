// Package rt holds the parts of the sanitizer that compile nowhere but in the
// packages of a Go toolchain: the hooks of the runtime, and what packages sync,
// testing, internal/race and internal/runtime/maps call. A folder is named
// after its package. Package toolchain adds them to a build by an overlay.
//
// The files of runtime use the names of package core with the prefix that
// package toolchain gives them there.
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
