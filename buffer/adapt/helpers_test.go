package adapt_test

import (
	"bytes"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/poolproof/poolproof/buffer"
	"github.com/poolproof/poolproof/internal/ledger"
)

// exactly makes what a pool keeps exact until the end of the test: no collection
// and one processor.
func exactly(t testing.TB) {
	t.Helper()
	if raceDetector {
		t.Skip("sync.Pool drops objects at random under the race detector")
	}
	if ledger.Checked {
		t.Skip("in the checked build memory comes back late")
	}
	percent := debug.SetGCPercent(-1)
	procs := runtime.GOMAXPROCS(1)
	t.Cleanup(func() {
		runtime.GOMAXPROCS(procs)
		debug.SetGCPercent(percent)
	})
}

// normalBuild skips the test in the checked build, which does what why says.
func normalBuild(t testing.TB, why string) {
	t.Helper()
	if ledger.Checked {
		t.Skip("the checked build " + why)
	}
}

// pattern returns n bytes that are not zero.
func pattern(n int, seed byte) []byte {
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(i)*7 + seed | 1
	}
	return p
}

func isZero(p []byte) bool { return len(bytes.Trim(p, "\x00")) == 0 }

// canary is a byte that nobody but the test writes.
const canary = 0xC5

func canaries(n int) []byte { return bytes.Repeat([]byte{canary}, n) }

// filled returns a buffer of length n whose bytes are its owner's.
func filled(p *buffer.Pool, n int) *buffer.Buffer {
	b := p.Get(n)
	copy(b.Bytes(), pattern(n, 1))
	return b
}
