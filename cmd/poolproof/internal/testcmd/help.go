package testcmd

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/toolchain"
)

// Help returns the text of -h, and where it works.
func Help() string {
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

const testHelp = `poolproof test runs go test with a sanitizer for sync.Pool, which reports uses of an object after its Put.

usage:
	poolproof test [flags] [flags of go test] [packages]

Your code stays as it is, and neither cgo nor a C compiler is needed: your own toolchain builds your tests with its
memory instrumentation and the hooks of poolproof. A test that misuses a pool fails, with the stacks of the access,
the Put and the Get. All flags of go test work except -race, -msan and -asan, which need the same hooks: run
go test -race as a second pass.

how much is watched:
	-mode exact           watch each load and store (default)
	-mode fast            watch Put, Get and accesses by the runtime, and compare checksums: it finds less and
	                      costs less; of Gets that repeat very often it watches one in 32
	-delay N              reuse an object after N others were put into its pool, for programs that need reuse. By
	                      default an object is never reused, so that every later use of it is seen
	-poison auto|on|off   overwrite pooled arrays, so that code that is not watched (assembly, strings, C) reads
	                      wrong data; auto: if no object is reused
	-reuse on|off         run packages that use pools a second time, in which each Get returns the object that was
	                      put last: a test that fails only then is reported as left-over. Default: on
	-follow               list the fields of pooled types, and say whether the memory they refer to is watched, and why;
	                      a comment //poolproof:own on a field says that its memory belongs to the object
	-leaks                print a table of the pools: objects that were got and never put, and how many Gets a real pool
	                      would have served

what is reported:
	-strict               fail on warnings too, and on pooled types that cannot be watched; watch packages without pools too
	-baseline FILE        do not report what FILE lists
	-update-baseline      write all present findings to FILE
	-json                 print the output of go test -json, and a line for each finding, pool and failure
	-sarif                print findings as SARIF 2.1.0 on standard output; go test prints to standard error
	-github               print annotations for GitHub after the summary
	-html FILE            write a page of the findings, with the source around each Put, Get and access
	-v                    as with go test -v; also print whole stacks in the summary

A comment with a reason suppresses an intended misuse. It stands on the line of the access or the Put, on a call that
leads there, or above the test:
	x.Use() //poolproof:ignore the panic after Release is what is tested

kinds: read-after-put, write-after-put, double-put, alias-put (its memory is in another pooled object), nil-put,
left-over (a test fails because of data that the last user left in an object);
warnings, which do not fail a test: accesses by a goroutine that the object itself started, and retained-memory (large
memory of the caller in a field of a pooled object, which keeps it alive).
A test that fails without a finding is run again without the sanitizer. If it passes then, it is listed, and poolproof
does not fail because of it, unless it fails only with poison: such a test uses an array after its Put.

cost: exact mode takes 3.2 times the CPU time of go test, fast mode 1.7 times, and go test -race 7.2 times (medians of
twelve test suites and benchmarks of published modules, builds not counted). The first run builds the standard library
and all dependencies with instrumentation, as the first go test -race does. Later runs use Go's build cache. Start with
-mode fast, or with one package. Packages that use no pool, and import none that does, are tested as go test does and
cost the same; -strict watches them too.

exit codes: 0 nothing found; 1 findings, a test that fails only with poison; 2 usage, or something that cannot be watched; 3 a package does not
build, or a test fails without poolproof too; 130 interrupted.

examples:
	poolproof test ./...
	poolproof test -mode fast -short ./...
	poolproof test -run TestEncode -count 5 ./codec
	poolproof test -fuzz FuzzDecode -fuzztime 1m ./codec
	poolproof test -leaks -bench . ./codec
	poolproof test -baseline pools.txt -update-baseline ./...
	poolproof test ./... -args -update
`
