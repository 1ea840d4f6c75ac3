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
	var said strings.Builder
	for line := range strings.Lines(out) {
		if strings.Contains(line, "inline.go") {
			said.WriteString(line)
		}
	}
	for _, method := range []string{"Pool[T].Get", "Pool[T].Put", "Local[T].Get", "Local[T].Put"} {
		receiver, name, _ := strings.Cut(method, "[T].")
		found := false
		for line := range strings.Lines(said.String()) {
			found = found || strings.Contains(line, "inlining call to pool.(*"+receiver+"[") &&
				strings.HasSuffix(strings.TrimSpace(line), ")."+name)
		}
		if !found {
			t.Errorf("the compiler did not inline %s; it said:\n%s", method, said.String())
		}
	}
}

func TestVetReportsEachKindOfCopy(t *testing.T) {
	out, err := goCommand(t, "vet", "./testdata/copied")
	if err == nil {
		t.Fatalf("go vet found nothing:\n%s", out)
	}
	for _, want := range []string{
		"copied.go:8:12: assignment copies lock value to copied",
		"copied.go:13:17: Argument passes lock by value",
		"copied.go:18:9: return copies lock value",
		"copied.go:27:9: range var p copies lock",
		"copied.go:34:9: return copies lock value: github.com/poolproof/poolproof/pool.Local",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("go vet did not say %q; it said:\n%s", want, out)
		}
	}
}
