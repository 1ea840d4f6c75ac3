package progress

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestLinesComeNowAndThen(t *testing.T) {
	var out strings.Builder
	at := time.Unix(1000, 0)
	l := &lines{w: &out, every: 10 * time.Second, now: func() time.Time { return at }}
	l.Step("building")
	l.Measure(0, time.Minute, "a")
	at = at.Add(9 * time.Second)
	l.Measure(9*time.Second, time.Minute, "b")
	at = at.Add(time.Second)
	l.Measure(10400*time.Millisecond, time.Minute, "c")
	l.Clear()
	const want = "building\nmeasuring: 0s of at most 1m0s, a\nmeasuring: 10s of at most 1m0s, c\n"
	if out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
}

func TestAFileGetsLinesAndNoBar(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	r := New(f)
	r.Measure(time.Second, time.Minute, "x")
	r.Clear()
	f.Close()
	if b, err := os.ReadFile(name); err != nil || string(b) != "measuring: 1s of at most 1m0s, x\n" {
		t.Errorf("%q, %v", b, err)
	}
}

func TestTheBarTellsWhatIsLeftAndIsClearedBeforeAStep(t *testing.T) {
	var out strings.Builder
	b := &bar{w: &out}
	b.Clear() // nothing is shown yet
	b.Measure(15*time.Second, time.Minute, "loop")
	if !strings.Contains(out.String(), "loop, at most 45s left") || strings.Contains(out.String(), "\n") {
		t.Errorf("drawn %q", out.String())
	}
	b.Measure(70*time.Second, time.Minute, "json") // more than was planned
	if !strings.Contains(out.String(), "json, at most 0s left") {
		t.Errorf("drawn %q", out.String())
	}
	out.Reset()
	b.Step("building")
	if got := out.String(); !strings.HasSuffix(got, "building\n") || !strings.ContainsAny(got, "\r\x1b") || b.b != nil {
		t.Errorf("a step after the bar prints %q", got)
	}
	b.Measure(time.Second, 2*time.Minute, "again")
	if !strings.Contains(out.String(), "again, at most 1m59s left") {
		t.Errorf("drawn %q", out.String())
	}
}

func TestQuietSaysNothing(t *testing.T) {
	r := Quiet()
	r.Step("x")
	r.Measure(1, 2, "x")
	r.Clear()
}
