// Package leaky has tests that leave pooled objects behind in every way. They
// are run by the tests of pooltest, which read what Check says of them.
package leaky

import (
	"bytes"
	"testing"

	"github.com/poolproof/poolproof/pool"
	"github.com/poolproof/poolproof/pooltest"
)

var (
	lines = pool.New(pool.Options[bytes.Buffer]{Name: "lines", Stats: pool.Leaks, Reset: (*bytes.Buffer).Reset})
	words = pool.New(pool.Options[[8]int]{Stats: pool.Leaks})
	cache = pool.New(pool.Options[bytes.Buffer]{Name: "cache", Stats: pool.Leaks})
	quiet = pool.New(pool.Options[[8]int]{Name: "quiet"})
)

//go:noinline
func forget() { lines.Get().WriteByte('x') }

//go:noinline
func forgetToo() { words.Get()[0]++ }

func TestForgets(t *testing.T) {
	pooltest.Check(t)
	forget()
	for range 3 {
		forgetToo()
	}
}

func TestForgetsAtALowerLevel(t *testing.T) {
	pooltest.Check(t)
	quiet.Get()[0]++
}

func TestIgnoresOne(t *testing.T) {
	pooltest.Check(t, pooltest.IgnorePool("cache"))
	cache.Get().WriteByte('x')
}

func TestWritesAfterPut(t *testing.T) {
	pooltest.Check(t)
	x := quiet.Get()
	quiet.Put(x)
	x[3]++
}

func TestIsTidy(t *testing.T) {
	pooltest.Check(t)
	b := lines.Get()
	defer lines.Put(b)
	b.WriteByte('x')
}

func TestFailsForAnotherReason(t *testing.T) {
	pooltest.Check(t)
	forget()
	t.Fatal("another reason")
}
