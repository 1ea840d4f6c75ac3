package hotswap_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/internal/gocmd"
)

func TestWhatReadersCallIsInlined(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("with 32 bits an atomic load is a call, which is too much to inline")
	}
	said := gocmd.Inlined(t)
	for _, call := range []struct{ typ, method string }{{"Reader", "Load"}, {"Container", "Acquire"}, {"Ref", "Release"}} {
		if !slices.ContainsFunc(said, func(line string) bool {
			return strings.Contains(line, "inlining call to hotswap.(*"+call.typ+"[") && strings.HasSuffix(line, ")."+call.method)
		}) {
			t.Errorf("the compiler did not inline %s.%s; it said:\n%s", call.typ, call.method, strings.Join(said, "\n"))
		}
	}
}

// What go vet sees and what it does not: the documentation of Ref says so.
func TestVetReportsCopies(t *testing.T) {
	out, err := gocmd.Run(t, "vet", "./testdata/copied")
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
