package program

import (
	"math"
	"testing"
)

func TestTheRuntimesLinesAreCounted(t *testing.T) {
	var tr trace
	for line, want := range map[string]bool{
		"gc 1 @0.012s 2%: 0.018+1.2+0.003 ms clock, 0.036+0.3/1.1/0+0.006 ms cpu, 4->5->1 MB, 4 MB goal, 0 MB stacks, 0 MB globals, 2 P":                            true,
		"gc 2 @0.112s 2% (checking for goroutine leaks): 0+31+12 ms clock, 0+0.3/1.1/0+24 ms cpu, 9->7->1 MB, 4 MB goal, 0 MB stacks, 0 MB globals, 2 P (forced)\n": true,
		"listening": false, "gc of the house": false,
	} {
		if tr.line(line) != want {
			t.Errorf("%q", line)
		}
	}
	if want := (trace{cycles: 2, peak: 9 << 20, pauses: 12.021e6, longest: 12e6}); math.Abs(tr.pauses-want.pauses) > 1 || tr.cycles != want.cycles || tr.peak != want.peak || tr.longest != want.longest {
		t.Errorf("%+v, want %+v", tr, want)
	}
}
