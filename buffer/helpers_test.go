package buffer

import (
	"bytes"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"unsafe"

	"github.com/poolproof/poolproof/internal/expect"
)

// exactly makes the pools of a test predictable until it ends: one processor,
// so that what is released is what comes back, and no garbage collection. It
// skips the test under the race detector.
func exactly(t testing.TB) {
	t.Helper()
	if raceDetector {
		t.Skip("sync.Pool drops objects at random under the race detector")
	}
	if guarded {
		t.Skip("in guard mode memory comes back late")
	}
	atOnce(t)
	procs := runtime.GOMAXPROCS(1)
	percent := debug.SetGCPercent(-1)
	t.Cleanup(func() {
		debug.SetGCPercent(percent)
		runtime.GOMAXPROCS(procs)
	})
	runtime.GC() // one that was running before SetGCPercent
}

// normalBuild skips the test in the checked build.
func normalBuild(t testing.TB, why string) {
	t.Helper()
	if checked {
		t.Skip("the checked build " + why)
	}
}

// mustPanic fails the test unless f panics with a text that has all of parts.
func mustPanic(t *testing.T, f func(), parts ...string) {
	t.Helper()
	text := expect.Panic(f)
	if text == "" {
		t.Errorf("no panic; want one with %q", parts)
	}
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("panic %q lacks %q", text, part)
		}
	}
}

// memory returns all of b's memory, which need not have been written.
func memory(b *Buffer) []byte { return b.b[:cap(b.b)] }

// start returns where b's memory begins.
func start(b *Buffer) *byte { return unsafe.SliceData(b.b) }

// pattern returns n bytes that are not zero.
func pattern(n int, seed byte) []byte {
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(i)*7 + seed | 1
	}
	return p
}

func isZero(p []byte) bool { return len(bytes.Trim(p, "\x00")) == 0 }

// filled returns a buffer of length n whose bytes are its owner's.
func filled(p *Pool, n int) *Buffer {
	b := p.Get(n)
	b.Bytes() // which hands them out
	return b
}
