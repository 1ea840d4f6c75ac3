package core

import "embed"

// Source holds the files of this package: package toolchain copies them into
// the runtime of the program under test.
//
//go:embed *.go
var Source embed.FS
