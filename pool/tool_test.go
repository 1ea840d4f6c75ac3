package pool_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/internal/gocmd"
)

func TestGetAndPutAreInlined(t *testing.T) {
	said := gocmd.Inlined(t)
	for _, call := range []struct{ typ, method string }{{"Pool", "Get"}, {"Pool", "Put"}, {"Local", "Get"}, {"Local", "Put"}} {
		if !slices.ContainsFunc(said, func(line string) bool {
			return strings.Contains(line, "inlining call to pool.(*"+call.typ+"[") && strings.HasSuffix(line, ")."+call.method)
		}) {
			t.Errorf("the compiler did not inline %s.%s; it said:\n%s", call.typ, call.method, strings.Join(said, "\n"))
		}
	}
}

func TestVetReportsEachKindOfCopy(t *testing.T) {
	out, err := gocmd.Run(t, "vet", "./testdata/copied")
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
