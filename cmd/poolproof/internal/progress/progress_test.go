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
	l.Decided("a: POSITIVE")
	l.Table([]string{"no place for it"})
	l.Clear()
	const want = "building\nmeasuring: 0s of at most 1m0s, a\nmeasuring: 10s of at most 1m0s, c\na: POSITIVE\n"
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

func TestTheTableIsRewrittenInPlaceWithTheBarBelow(t *testing.T) {
	var out strings.Builder
	at := time.Unix(1000, 0)
	l := &live{w: &out, now: func() time.Time { return at }, size: func() (int, int) { return 41, 6 }}
	later := func() string {
		at = at.Add(refresh)
		text := out.String()
		out.Reset()
		return text
	}
	l.Clear() // nothing is shown yet
	l.Measure(15*time.Second, time.Minute, "loop")
	if got := later(); !strings.Contains(got, "loop, at most 45s left") || strings.Contains(got, "\x1b") || strings.Count(got, "\n") != 1 {
		t.Errorf("drawn %q", got)
	}
	l.Table([]string{"head", "a row that is longer than the screen has columns", "b"})
	got := later()
	if !strings.HasPrefix(got, "\r\x1b[1A\x1b[Jhead\na row that is longer than the screen has\nb\n") || strings.Count(got, "\n") != 4 {
		t.Errorf("drawn %q", got)
	}
	l.Measure(70*time.Second, time.Minute, "json") // more than was planned
	if got := later(); !strings.HasPrefix(got, "\r\x1b[4A\x1b[Jhead\n") || !strings.Contains(got, "json, at most 0s left") {
		t.Errorf("drawn %q", got)
	}
	l.Table([]string{"1", "2", "3", "4", "5", "6", "7", "8"})
	if got := later(); strings.Contains(got, "5\n") || !strings.Contains(got, "4\n") {
		t.Errorf("a table that is higher than the screen: %q", got)
	}
	l.Decided("the table has it")
	l.Measure(1, time.Minute, "now")
	l.Measure(2, time.Minute, "a moment later")
	if got := later(); strings.Contains(got, "later") || strings.Contains(got, "has it") {
		t.Errorf("drawn too often: %q", got)
	}
	l.Step("building")
	if got := later(); got != "\r\x1b[5A\x1b[Jbuilding\n" {
		t.Errorf("a step after the table prints %q", got)
	}
	l.Clear()
	if got := later(); got != "" {
		t.Errorf("cleared twice: %q", got)
	}
}

func TestQuietSaysNothing(t *testing.T) {
	r := Quiet()
	r.Step("x")
	r.Measure(1, 2, "x")
	r.Decided("x")
	r.Table([]string{"x"})
	r.Clear()
}
