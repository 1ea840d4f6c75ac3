package hotswap_test

import (
	"math"
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

func TestWhatReadersCallIsInlined(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("with 32 bits an atomic load is a call, which is too much to inline")
	}
	out, err := goCommand(t, "build", "-gcflags=-m", "./testdata/inline")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, call := range []struct{ typ, method string }{{"Reader", "Load"}, {"Container", "Acquire"}, {"Ref", "Release"}} {
		found := false
		for line := range strings.Lines(out) {
			found = found || strings.Contains(line, "inline.go") &&
				strings.Contains(line, "inlining call to hotswap.(*"+call.typ+"[") && strings.HasSuffix(strings.TrimSpace(line), ")."+call.method)
		}
		if !found {
			t.Errorf("the compiler did not inline %s.%s; it said:\n%s", call.typ, call.method, out)
		}
	}
}

// What go vet sees and what it does not: the documentation of Ref says so.
func TestVetReportsCopies(t *testing.T) {
	out, err := goCommand(t, "vet", "./testdata/copied")
	if err == nil {
		t.Fatalf("go vet found nothing:\n%s", out)
	}
	for _, want := range []string{
		"copied.go:8:12: assignment copies lock value to copied: github.com/poolproof/poolproof/hotswap.Ref[int] contains github.com/poolproof/poolproof/hotswap.genWord",
		"copied.go:13:9: return copies lock value: github.com/poolproof/poolproof/hotswap.Draft[int]",
		"copied.go:18:6: call of use copies lock value: github.com/poolproof/poolproof/hotswap.Ref[int]",
		"copied.go:20:12: use passes lock by value: github.com/poolproof/poolproof/hotswap.Ref[int]",
		"copied.go:24:9: range var r copies lock",
		"copied.go:31:9: return copies lock value: github.com/poolproof/poolproof/hotswap.Reader[int]",
		"copied.go:36:12: assignment copies lock value to copied: github.com/poolproof/poolproof/hotswap.Container[int]",
		"copied.go:42:12: assignment copies lock value to copied: github.com/poolproof/poolproof/hotswap.Pool[int]",
		"copied.go:48:12: assignment copies lock value to copied: github.com/poolproof/poolproof/hotswap.Delta[int",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("go vet did not say %q; it said:\n%s", want, out)
		}
	}
	if strings.Contains(out, "fine.go") {
		t.Errorf("go vet complains of correct use:\n%s", out)
	}
}
