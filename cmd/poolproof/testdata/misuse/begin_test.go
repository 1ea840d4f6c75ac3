// Package misuse has one test for each form in which a user of packages pool, buffer
// and hotswap can go wrong, and, in legal_test.go, forms that are right. A form is
// seen if its test fails, or if a tool reports a line of it. TestMisuse of the
// command prints who sees which.
package misuse

import (
	"os"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/poolproof/poolproof/pooltest"
)

var sink int

// TestMain has one processor and no collections, so that what is given back is what
// the next call gets. Elsewhere a sync.Pool may hand out another object, and a test
// that compares results may pass.
func TestMain(m *testing.M) {
	runtime.GOMAXPROCS(1)
	debug.SetGCPercent(-1)
	os.Exit(m.Run())
}

// begin has the checked build look at what the form leaves. What it returns makes a
// panic of the form a failed test, so that the others run too.
func begin(t *testing.T) func() {
	pooltest.Check(t)
	return func() {
		if r := recover(); r != nil {
			t.Errorf("panic: %v", r)
		}
	}
}
