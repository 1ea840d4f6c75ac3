package hotswap_test

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/internal/gocmd"
)

// What the race detector sees. In the naive form no reader is ordered before the
// writer that gets its value: the sync.Pool orders the writers among themselves
// only. So it finds the race where readers and a writer run at the same time,
// whether a page was seen torn or not: in nearly each run, not in every one,
// because it remembers the last few accesses to a word only. Hence several runs.
// A test that reads and updates in turns has nothing to find.
//
// A pointer that is kept after Release is the same error with this package, and
// is found in the same way.
func TestTheRaceDetectorFindsUseAfterRelease(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds tests with the race detector")
	}
	for _, test := range []struct{ fixture, writer string }{
		{"naive", "naive.Update"},
		{"stale", "stale.write"},
	} {
		out, err := gocmd.Run(t, "test", "-race", "-count=5", "./testdata/"+test.fixture)
		if strings.Contains(out, "requires cgo") || strings.Contains(out, "C compiler") || strings.Contains(out, "not supported on") {
			t.Skipf("no race detector here:\n%s", out)
		}
		if err == nil || !strings.Contains(out, "WARNING: DATA RACE") || !strings.Contains(out, test.writer) {
			t.Errorf("%s: the race detector did not find it: %v\n%s", test.fixture, err, out)
		}
	}
	if out, err := gocmd.Run(t, "test", "-race", "-count=1", "-run=InTurns", "./testdata/naive"); err != nil {
		t.Errorf("the race detector found something in turns: %v\n%s", err, out)
	}
}
