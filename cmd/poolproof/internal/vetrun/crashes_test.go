package vetrun

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCrashesAreToldByTheirHeadings(t *testing.T) {
	const dump = "runtime: goroutine stack exceeds 1000000000-byte limit\nfatal error: stack overflow\n\ngoroutine 1 [running]:\nfatal error: again\n"
	got := crashes("# example.com/a\na.go:1:2: wrong\n# example.com/b\n" + dump + "# [example.com/c_test]\n" + dump + "fatal error: of no package\n")
	want := []ended{{"example.com/b", "stack overflow"}, {"example.com/c", "stack overflow"}}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(ended{})); d != "" {
		t.Error(d)
	}
}
