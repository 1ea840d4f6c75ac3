package flow

import "testing"

// newTestRun returns a run for a test that looks at batches.
func newTestRun(t *testing.T, size int) *run {
	t.Helper()
	r, end, err := newRun(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(end)
	r.size = size
	return r
}
