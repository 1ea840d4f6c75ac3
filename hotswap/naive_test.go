package hotswap_test

import (
	"strings"
	"testing"
)

// The race detector sees the naive form, if a reader and the next writer meet,
// which they soon do: the sync.Pool orders the writers among themselves, but no
// reader before the writer that gets its value.
func TestTheRaceDetectorFindsTheNaiveForm(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a test with the race detector")
	}
	out, err := goCommand(t, "test", "-race", "-count=1", "./testdata/naive")
	if strings.Contains(out, "requires cgo") || strings.Contains(out, "C compiler") || strings.Contains(out, "not supported on") {
		t.Skipf("no race detector here:\n%s", out)
	}
	if err == nil || !strings.Contains(out, "WARNING: DATA RACE") || !strings.Contains(out, "naive.Update") {
		t.Errorf("the race detector did not find it: %v\n%s", err, out)
	}
}
