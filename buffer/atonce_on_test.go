//go:build poolproofdebug

package buffer

import "testing"

// atOnce has memory handed out again at once, as in the normal build, until the end
// of the test.
func atOnce(t testing.TB) {
	if depth := graveDepth; !guarded {
		graveDepth = 0
		t.Cleanup(func() { graveDepth = depth })
	}
}
