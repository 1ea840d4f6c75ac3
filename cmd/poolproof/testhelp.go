package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/toolchain"
)

// helpOfTest is what -h prints: the text, and where it works.
func helpOfTest() string {
	var b strings.Builder
	b.WriteString(testHelp)
	fmt.Fprintf(&b, "\nplatforms, with Go %s:\n", toolchain.Versions)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, p := range toolchain.Platforms {
		modes := "exact, fast"
		if p.Form == toolchain.FormFast {
			modes = "fast"
		}
		fmt.Fprintf(w, "\t%s/%s\t%s\t%s\n", p.GOOS, p.GOARCH, modes, p.State)
	}
	_ = w.Flush() // a strings.Builder takes all
	return b.String()
}

const testHelp = `poolproof test: a sanitizer for sync.Pool. Runs go test so that no use of an object after its Put goes unseen.

usage:
	poolproof test [flags] [flags of go test] [packages]

No line of code changes, and neither cgo nor a C compiler is needed: your own toolchain builds your tests with its
memory instrumentation, and hooks of ours. A test that misuses a pool fails, with the stacks of the access, the Put and
the Get. All flags of go test work, but for -race, -msan and -asan, which need the same hooks: run go test -race
as a second pass.

how much is watched:
	-mode exact           each load and store (default)
	-mode fast            Put and Get, what the runtime itself touches, and checksums: finds less, costs less;
	                      of Gets that repeat very often, one in 32
	-delay N              hand a pooled object out again once N others of its pool were put after it. By default it
	                      never comes back, so that every later use of it is seen; for programs that need reuse
	-poison auto|on|off   overwrite pooled arrays, so that code that is not watched (assembly, strings, C) notices;
	                      auto: where nothing comes back
	-reuse on|off         a second pass over packages that use pools, in which each Get returns the object that was put
	                      last: a test that passes with fresh objects and fails then is left-over. Default: on
	-follow               list the fields of pooled types: whether what they refer to is followed, and why; a comment
	                      //poolproof:own on a field says that it belongs to the object
	-leaks                a table of the pools: objects got and never put, hits that the real pool would have had

what is reported:
	-strict               warnings fail too
	-baseline FILE        do not report what FILE lists
	-update-baseline      write FILE: all that is found now is known
	-json                 go test -json, and a line for each finding, pool and failure
	-sarif                findings as SARIF 2.1.0 on standard output; what go test prints goes to standard error
	-github               annotations for GitHub behind the summary
	-v                    as go test -v, and whole stacks in the summary

A misuse that is intended, as in a test of a check, is ignored by a comment that says why, on the line of the access or
of the Put, on a call that leads there, or above the test:
	x.Use() //poolproof:ignore the panic after Release is what is tested

kinds: read-after-put, write-after-put, double-put, alias-put (its memory is in another pooled object), nil-put,
left-over (a test fails on what the last user has left in an object);
as warnings, which fail nothing: accesses by a goroutine that the object itself has started, and retained-memory (large
memory of the caller in a field of a pooled object, which keeps it alive).
Tests that fail here and have no finding are run again plainly. If they pass, they are listed and fail nothing.

exit codes: 0 nothing found; 1 findings; 2 usage, or something that cannot be watched; 3 a package does not
build, or tests fail without poolproof too; 130 interrupted.

examples:
	poolproof test ./...
	poolproof test -mode fast -short ./...
	poolproof test -run TestEncode -count 5 ./codec
	poolproof test -fuzz FuzzDecode -fuzztime 1m ./codec
	poolproof test -leaks -bench . ./codec
	poolproof test -baseline pools.txt -update-baseline ./...
	poolproof test ./... -args -update
`
