package transport_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A Get without the deferred Put that its contract asks for is found; one with
// it, and both without the question, are not.
func TestAMissingDeferIsFound(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: builds the command poolproof; run without -short")
	}
	const commandDir = "../../../cmd/poolproof"
	if _, err := os.Stat(commandDir); err != nil {
		t.Skip("SKIPPED: the command's source is not beside this module:", err)
	}
	poolproof := filepath.Join(t.TempDir(), "poolproof")
	build := exec.Command("go", "build", "-o", poolproof, ".")
	build.Dir = commandDir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building poolproof: %v\n%s", err, out)
	}
	vet := func(args ...string) (found string, code int) {
		c := exec.Command(poolproof, append(append([]string{"vet"}, args...), "./testdata/deferless")...)
		out, _ := c.Output()
		return string(out), c.ProcessState.ExitCode()
	}
	found, code := vet("-tier", "audit", "-require-defer", "GetBuffer")
	if code != 1 || strings.Count(found, "\n") != 1 || !strings.Contains(found, "receive.go:30:") || !strings.Contains(found, "require-defer") {
		t.Errorf("exit code %d, want 1 and one report, of line 30:\n%s", code, found)
	}
	if found, code := vet("-tier", "audit"); code != 0 || found != "" {
		t.Errorf("without the flag: exit code %d:\n%s", code, found)
	}
}
