package buffer

import (
	"go/version"
	"os/exec"
	"runtime"
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
	methods := []string{"(*Pool).Get", "(*Pool).Bytes", "(*Pool).Free", "(*Buffer).Len", "(*Buffer).Cap", "(*Buffer).Reset", "(*Buffer).Release"}
	if version.Compare(runtime.Version(), "go1.26") >= 0 { // earlier compilers reckon 81 for it, one too many
		methods = append(methods, "(*Buffer).Bytes")
	}
	var said strings.Builder // of the calls; the rest is thousands of lines
	for line := range strings.Lines(out) {
		if strings.Contains(line, "inline.go:") {
			said.WriteString(line)
		}
	}
	for _, method := range methods {
		if !strings.Contains(said.String(), "inlining call to buffer."+method+"\n") {
			t.Errorf("the compiler did not inline %s; it said:\n%s", method, said.String())
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
