package buffer

import (
	"go/version"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/internal/gocmd"
)

func TestVetReportsACopyOfAPool(t *testing.T) {
	out, err := gocmd.Run(t, "vet", "./testdata/copied")
	if err == nil || !strings.Contains(out, "copied.go:8") || !strings.Contains(out, "copies lock value") {
		t.Errorf("go vet said (error %v):\n%s", err, out)
	}
}

func TestSmallMethodsAreInlined(t *testing.T) {
	methods := []string{"(*Pool).Get", "(*Pool).Bytes", "(*Pool).Free", "(*Buffer).Len", "(*Buffer).Cap", "(*Buffer).Reset", "(*Buffer).Release"}
	if version.Compare(runtime.Version(), "go1.26") >= 0 { // earlier compilers reckon 81 for it, one too many
		methods = append(methods, "(*Buffer).Bytes")
	}
	said := gocmd.Inlined(t)
	for _, method := range methods {
		if !slices.ContainsFunc(said, func(line string) bool { return strings.HasSuffix(line, "inlining call to buffer."+method) }) {
			t.Errorf("the compiler did not inline %s; it said:\n%s", method, strings.Join(said, "\n"))
		}
	}
}

// A program that needs buffers must not get a network stack with them.
func TestThePackageNeedsNoNetwork(t *testing.T) {
	out, err := gocmd.Run(t, "list", "-deps", ".")
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
