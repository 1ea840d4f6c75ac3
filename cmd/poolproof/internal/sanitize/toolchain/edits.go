package toolchain

import (
	"cmp"
	"errors"
	"path/filepath"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
)

// edited returns all files of the overlay: copies of the toolchain's with our
// edits, and those that we add.
//
// Anchors:
//
//	runtime/msan0.go             the constant that says that the memory sanitizer is on
//	internal/msan/nomsan.go      the same for other packages, and what they call
//	runtime/runtime2.go          more fields in g
//	runtime/proc.go              newproc1 hands the test on; main arms; runExitHooks sums up
//	sync/pool.go                 one statement at the start of Put, and one of Get
//	internal/race/norace.go      Errors, which package testing asks
//	testing/testing.go           tRunner says which test runs; the text of the failure
//	testing/benchmark.go         runN says which benchmark runs
//
// Where they are found, strings are watched better:
//
//	runtime/string.go                       concatenation, conversion
//	internal/runtime/maps/runtime*.go, map.go, table.go  keys, and maps that were in a pool
//
// and it is known better whose goroutine something happens in:
//
//	runtime/time.go          what a timer starts works for the test that has set it
//	testing/run_example.go   runExample says which example runs
//	testing/example.go       processRunResult fails an example that misuses a pool
//
// Edits add no line, so that positions in the toolchain stay as they are.
func edited(c Config, form string) (map[string][]byte, error) {
	e := &editor{src: filepath.Join(c.GOROOT, "src"), files: map[string][]byte{}}
	type anchor struct {
		file string
		edit func(*overlay.Source) error
	}
	for _, a := range []anchor{
		{"runtime/msan0.go", msanEnabled},
		{"internal/msan/nomsan.go", msanPackage},
		{"runtime/runtime2.go", goroutineFields},
		{"runtime/proc.go", runtimeProc},
		{"sync/pool.go", syncPool},
		{"internal/race/norace.go", raceErrors},
		{"testing/testing.go", testingRunner},
		{"testing/benchmark.go", benchmarkRunner},
	} {
		if err := e.edit(a.file, a.edit); err != nil {
			return nil, err
		}
	}
	optional := []anchor{
		{"runtime/time.go", runtimeTimers},
		{"testing/run_example.go", exampleRunner},
		{"testing/example.go", exampleResult},
		{"runtime/string.go", runtimeStrings},
	}
	for _, file := range mapFiles {
		optional = append(optional, anchor{"internal/runtime/maps/" + file, mapEdits})
	}
	for _, a := range optional {
		if err := e.edit(a.file, a.edit); err != nil && !errors.Is(err, overlay.ErrAnchor) {
			return nil, err
		}
	}
	added := []string{"sync", "internal/race", "testing"}
	if slices.ContainsFunc(mapFiles, func(file string) bool { return e.files[e.path("internal/runtime/maps/"+file)] != nil }) {
		added = append(added, "internal/runtime/maps")
	}
	for _, pkg := range added {
		if err := e.add(folders[pkg], pkg); err != nil {
			return nil, err
		}
	}
	return e.files, cmp.Or(e.runtimeFiles(c, form), e.assembly("sync", "internal/race", "internal/msan", "testing"))
}
