package progress

import (
	"strings"
	"testing"
	"time"
)

func TestAPartTellsOfTheWhole(t *testing.T) {
	var out strings.Builder
	r := &lines{w: &out, now: time.Now}
	first, second := Part(r, 0, 2*time.Minute, "1/2 a"), Part(r, time.Minute, 2*time.Minute, "2/2 b")
	first.Step("building")
	first.Measure(10*time.Second, time.Minute, "x y, launch 1")
	second.Measure(10*time.Second, time.Minute, "x y, launch 1")
	second.Measure(70*time.Second, time.Minute, "its last launch took long")
	second.Clear()
	want := `1/2 a: building
measuring: 10s of at most 2m0s, 1/2 a: x y, launch 1
measuring: 1m10s of at most 2m0s, 2/2 b: x y, launch 1
measuring: 2m0s of at most 2m0s, 2/2 b: its last launch took long
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}
