// Package stores holds legal programs: each stores memory that is not the pool's into
// a field that the code also truncates in place and appends to. The owner of that memory goes
// on with it after the Put.
package stores

import "bytes"

// failer takes the reports of a test.
type failer interface {
	Helper()
	Errorf(format string, args ...any)
}

// stillOurs uses memory as its owner does: it reads all, in Go, as a string and in
// assembly, and writes.
func stillOurs(t failer, mem []byte, want string) {
	t.Helper()
	if got := string(mem); got != want {
		t.Errorf("the memory holds %q, want %q", got, want)
	}
	if at := bytes.IndexByte(mem, want[0]); at != 0 {
		t.Errorf("%q at %d", want[0], at)
	}
	mem[0], mem[len(mem)-1] = mem[len(mem)-1], mem[0]
	mem[0], mem[len(mem)-1] = mem[len(mem)-1], mem[0]
}

// fresh is memory of a caller, on the heap.
func fresh(s string) []byte {
	b := make([]byte, len(s), len(s)+8)
	copy(b, s)
	return b
}

const (
	text  = "seven words are in this short line"
	text2 = "another line that somebody else has"
)
