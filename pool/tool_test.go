package pool_test

import (
	"os/exec"
	"strings"
	"testing"
)

// goCommand runs the go command and returns all that it printed.
func goCommand(t *testing.T, args ...string) (string, error) {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	out, err := exec.Command("go", args...).CombinedOutput()
	return string(out), err
}

func TestGetAndPutAreInlined(t *testing.T) {
	out, err := goCommand(t, "build", "-gcflags=-m", "./testdata/inline")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, method := range []string{"Get", "Put"} {
		found := false
		for line := range strings.Lines(out) {
			found = found || strings.Contains(line, "inline.go") &&
				strings.Contains(line, "inlining call to pool.(*Pool[") &&
				strings.HasSuffix(strings.TrimSpace(line), ")."+method)
		}
		if !found {
			t.Errorf("the compiler did not inline %s; it said:\n%s", method, out)
		}
	}
}

func TestVetReportsACopy(t *testing.T) {
	out, err := goCommand(t, "vet", "./testdata/copied")
	if err == nil || !strings.Contains(out, "copied.go:8") || !strings.Contains(out, "copies lock value") {
		t.Errorf("go vet said (error %v):\n%s", err, out)
	}
}
