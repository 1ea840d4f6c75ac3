package encode

import (
	"testing"
	"time"
)

// ways are the encoders of the benchmark. The caller of append keeps one slice for
// all entries and may not keep what it was given.
var ways = map[string]func() func(*Entry) []byte{
	"fresh":  func() func(*Entry) []byte { return Fresh },
	"pooled": func() func(*Entry) []byte { return Pooled },
	"sized":  func() func(*Entry) []byte { return Sized },
	"append": func() func(*Entry) []byte {
		var line []byte
		return func(e *Entry) []byte {
			line = e.Append(line[:0])
			return line
		}
	},
}

var entry = &Entry{
	Time:     time.Date(2026, 11, 23, 16, 20, 0, 123456789, time.UTC),
	Method:   "GET",
	Path:     "/api/v1/orders/1234/items?page=2&sort=price",
	Status:   200,
	Duration: 12345 * time.Microsecond,
	User:     "alice@example.com",
}

func BenchmarkEncode(b *testing.B) {
	for _, way := range []string{"fresh", "pooled", "sized", "append"} {
		b.Run("way="+way, func(b *testing.B) {
			encode := ways[way]()
			for b.Loop() {
				encode(entry)
			}
		})
	}
}

func TestAllWaysWriteTheSameLine(t *testing.T) {
	const want = `time=2026-11-23T16:20:00.123456789Z method="GET" path="/api/v1/orders/1234/items?page=2&sort=price" status=200 ms=12.345 user="alice@example.com"` + "\n"
	for name, way := range ways {
		if got := string(way()(entry)); got != want {
			t.Errorf("%s writes\n%s, want\n%s", name, got, want)
		}
	}
}

func TestAResultStaysAsItIs(t *testing.T) {
	other := *entry
	other.User = "bob@example.com"
	for _, name := range []string{"fresh", "pooled", "sized"} {
		encode := ways[name]()
		first := encode(entry)
		before := string(first)
		encode(&other)
		if string(first) != before {
			t.Errorf("%s: a second call changed the result of the first one to\n%s", name, first)
		}
	}
}

func TestSizedAllocatesOnce(t *testing.T) {
	if got := testing.AllocsPerRun(100, func() { Sized(entry) }); got != 1 {
		t.Errorf("Sized allocates %g times, want once", got)
	}
}
