package toolchain

import (
	"errors"
	"os"
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
// Where they are found, more is watched:
//
//	runtime/string.go                       concatenation, conversion
//	internal/runtime/maps/runtime*.go, map.go, table.go  keys, and maps that were in a pool
//	runtime/chan.go, select.go              sends, receives and closes of channels of pooled objects
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
	for _, anchor := range []struct {
		file string
		edit func(*overlay.Source) error
	}{
		{"runtime/msan0.go", msanEnabled},
		{"internal/msan/nomsan.go", msanPackage},
		{"runtime/runtime2.go", goroutineFields},
		{"runtime/proc.go", runtimeProc},
		{"sync/pool.go", syncPool},
		{"internal/race/norace.go", raceErrors},
		{"testing/testing.go", testingRunner},
		{"testing/benchmark.go", benchmarkRunner},
	} {
		if err := e.edit(anchor.file, anchor.edit); err != nil {
			return nil, err
		}
	}
	if err := e.optional("runtime/string.go", runtimeStrings); err != nil {
		return nil, err
	}
	for _, o := range []struct {
		file string
		edit func(*overlay.Source) error
	}{
		{"runtime/time.go", runtimeTimers},
		{"runtime/chan.go", runtimeChannels},
		{"runtime/select.go", runtimeSelect},
		{"testing/run_example.go", exampleRunner},
		{"testing/example.go", exampleResult},
	} {
		if err := e.optional(o.file, o.edit); err != nil {
			return nil, err
		}
	}
	for _, file := range mapFiles {
		if err := e.optional("internal/runtime/maps/"+file, mapEdits); err != nil {
			return nil, err
		}
	}
	if err := e.runtimeFiles(c, form); err != nil {
		return nil, err
	}
	for _, pkg := range []string{"sync", "internal/race", "testing"} {
		if err := e.add(pkg); err != nil {
			return nil, err
		}
	}
	if slices.ContainsFunc(mapFiles, func(file string) bool { return e.has("internal/runtime/maps/" + file) }) {
		if err := e.add("internal/runtime/maps"); err != nil {
			return nil, err
		}
	}
	if err := e.assembly("sync", "internal/race", "internal/msan", "testing"); err != nil {
		return nil, err
	}
	return e.files, nil
}

// editor collects the files.
type editor struct {
	src   string // of the toolchain
	files map[string][]byte
}

func (e *editor) path(file string) string { return filepath.Join(e.src, filepath.FromSlash(file)) }

func (e *editor) put(file string, text []byte) { e.files[e.path(file)] = text }

func (e *editor) has(file string) bool { return e.files[e.path(file)] != nil }

func (e *editor) edit(file string, change func(*overlay.Source) error) error {
	name := e.path(file)
	text, err := os.ReadFile(name)
	if err != nil {
		return &AnchorError{File: name, Err: err}
	}
	s, err := overlay.Parse(name, text)
	if err != nil {
		return err
	}
	if err := change(s); err != nil {
		return err
	}
	e.put(file, s.Bytes())
	return nil
}

// optional edits a file as long as it has the anchors.
func (e *editor) optional(file string, change func(*overlay.Source) error) error {
	if err := e.edit(file, change); err != nil && !errors.Is(err, overlay.ErrAnchor) {
		return err
	}
	return nil
}
