package buffer

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

func TestVetReportsACopyOfAPool(t *testing.T) {
	out, err := goCommand(t, "vet", "./testdata/copied")
	if err == nil || !strings.Contains(out, "copied.go:8") || !strings.Contains(out, "copies lock value") {
		t.Errorf("go vet said (error %v):\n%s", err, out)
	}
}

func TestSmallMethodsAreInlined(t *testing.T) {
	out, err := goCommand(t, "build", "-gcflags=-m", "./testdata/inline")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, method := range []string{"(*Pool).Get", "(*Pool).Bytes", "(*Pool).Free", "(*Buffer).Bytes", "(*Buffer).Len", "(*Buffer).Cap", "(*Buffer).Reset"} {
		if !strings.Contains(out, "inlining call to buffer."+method+"\n") {
			t.Errorf("the compiler did not inline %s; it said:\n%s", method, out)
		}
	}
}

// A program that needs buffers must not get a network stack with them.
func TestThePackageNeedsNoNetwork(t *testing.T) {
	out, err := goCommand(t, "list", "-deps", ".")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for dependency := range strings.Lines(out) {
		switch strings.TrimSpace(dependency) {
		case "net", "net/http", "expvar":
			t.Errorf("the package depends on %s", dependency)
		}
	}
}
