package program

import (
	"regexp"
	"strconv"
	"time"
)

// gcLine is a line of GODEBUG=gctrace=1: the stops at the beginning and at the end of a
// collection, in ms with the time that goroutines took to stop, and the heap before and after it,
// in MB.
var gcLine = regexp.MustCompile(`^gc \d+ @[0-9.]+s .*?: ([0-9.]+)\+[0-9.]+\+([0-9.]+) ms clock, .* (\d+)->(\d+)->(\d+) MB, `)

// trace adds up what the runtime prints of its collections.
type trace struct {
	cycles          int
	peak            float64 // bytes
	pauses, longest float64 // ns
}

// line reports whether a line is the runtime's.
func (t *trace) line(s string) bool {
	m := gcLine.FindStringSubmatch(s)
	if m == nil {
		return false
	}
	t.cycles++
	for _, ms := range m[1:3] {
		if v, err := strconv.ParseFloat(ms, 64); err == nil {
			t.pauses += v * float64(time.Millisecond)
			t.longest = max(t.longest, v*float64(time.Millisecond))
		}
	}
	for _, mb := range m[3:5] {
		if v, err := strconv.ParseFloat(mb, 64); err == nil {
			t.peak = max(t.peak, v*(1<<20))
		}
	}
	return true
}
