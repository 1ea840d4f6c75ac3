package build

import "testing"

// cacheHere has the user's cache folder lie in a folder of the test.
func cacheHere(t *testing.T) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
}
