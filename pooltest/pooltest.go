// Package pooltest fails a test that forgets to give pooled objects back.
//
//	func TestServe(t *testing.T) {
//		pooltest.Check(t)
//		...
//	}
//
// It covers the pools of this module: package pool, package buffer and what is
// built on them.
//
// # Two builds
//
// In the checked build, go test -tags poolproofdebug, Check is exact: it names
// each object that was got after Check was called and not put when the test
// ends, with the place where it was got, and each object that was written after
// it was put. It also names each Container of package hotswap that the test dropped
// with a current value, which its pool then misses.
//
// In the normal build a pool does not know who has its objects. Check then
// forces garbage collections and reports the losses of pools at the level Leaks:
// objects that the collector took before they were put. What is forgotten but
// still referred to, and all pools at lower levels, go unseen. It says so once
// (with -v). A process without a pool at the level Leaks pays nothing for it.
//
// # Tests in parallel
//
// Pools belong to the process, not to a test. An object that another test has
// out while this one ends is reported too, so Check belongs in tests that do
// not run in parallel with others that use the same pools.
package pooltest

import (
	"testing"

	"github.com/poolproof/poolproof/internal/ledger"
)

// An Option changes what Check looks at.
type Option func(*check)

// IgnorePool leaves out the pools of that name: those that give their objects to
// goroutines or caches that outlive the test on purpose. A pool without a name is
// called by its type: pool.Pool[T] with its T, buffer.Pool, or hotswap.Pool[T]; a
// Container that was dropped is called hotswap.Container[T].
func IgnorePool(name string) Option {
	return func(c *check) { c.ignored[name] = true }
}

// check is one call of Check.
type check struct {
	t       testing.TB
	ignored map[string]bool
	since   uint64            // Seq of the last object got before
	lost    map[string]uint64 // losses before, by pool; normal build
}

// Check fails t if pooled objects are left out when t ends. It should be called
// first in the test, so that its look comes after all other cleanups. Objects
// may still be on their way: it looks again, with growing pauses, for about a
// second before it reports them. A test that has failed or was skipped is not
// looked at: it may have stopped before it could put anything.
func Check(t testing.TB, options ...Option) {
	t.Helper()
	c := &check{t: t, ignored: make(map[string]bool)}
	for _, option := range options {
		option(c)
	}
	if !ledger.Checked {
		c.sayThatThisIsWeaker()
	}
	c.begin()
	t.Cleanup(func() {
		t.Helper()
		if !t.Failed() && !t.Skipped() {
			c.end()
		}
	})
}
