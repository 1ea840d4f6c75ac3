package sanitize

import (
	"os"
	"testing"
)

// TestMain is the launcher too, for the runs that tests start.
func TestMain(m *testing.M) {
	if Launched(os.Args[1:]) {
		os.Exit(Launch(os.Args[1:]))
	}
	os.Exit(m.Run())
}
