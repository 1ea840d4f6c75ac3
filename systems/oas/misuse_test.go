package oas_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What the documentation forbids, and the compiler does not, is seen by poolproof
// test: a Cursor that is kept after its walk. What may be kept, a Node and a
// pointer, is no finding. (A Node that is kept across Reset panics.)
func TestPoolproofSeesWhatIsKeptTooLong(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it builds the command and runs it")
	}
	program := filepath.Join(t.TempDir(), "poolproof")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Dir = filepath.FromSlash("../../cmd/poolproof")
	build.Env = append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c := exec.Command(program, "test", "-reuse=off", "-tags", "misuse", "-v", "./internal/misuse")
	out, err := c.CombinedOutput()
	if c.ProcessState == nil || c.ProcessState.ExitCode() != 1 {
		t.Fatalf("%v, want exit status 1\n%s", err, out)
	}
	for test, fails := range map[string]bool{"TestACursorKeptAfterItsWalk": true, "TestWhatIsKeptAsDocumented": false} {
		if fails != strings.Contains(string(out), "--- FAIL: "+test+" ") || fails != strings.Contains(string(out), "in        "+test+" of ") {
			t.Errorf("%s: a finding is wanted: %v\n%s", test, fails, out)
		}
	}
}
