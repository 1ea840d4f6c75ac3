package orderedjsontemplates

import (
	"bytes"
	"runtime"
	"testing"

	"github.com/poolproof/poolproof/studies/internal/exact"
	orderedjson "github.com/poolproof/poolproof/studies/ordered-json"
)

// sizes are documents with as many operations as the published ones have (3 and
// 5), and with 25.
var sizes = []struct {
	operations int
	shape      orderedjson.Shape
}{
	{3, orderedjson.Shape{Resources: 1, Operations: 3, Properties: 5, Words: 1}},
	{5, orderedjson.Shape{Resources: 1, Operations: 5, Properties: 5, Words: 1}},
	{25, orderedjson.Medium},
}

func TestTheSplitGeneratesTheSame(t *testing.T) {
	for _, size := range sizes {
		m := read(size.shape)
		if len(m.Operations) != size.operations {
			t.Fatalf("%d operations, want %d", len(m.Operations), size.operations)
		}
		for _, p := range parts {
			want, err := New(p.part, m, Formatted)
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if got, err := Split(p.part, m, Formatted); err != nil || !bytes.Equal(got, want) {
					t.Errorf("%d operations, %s: %.100q and error %v", size.operations, p.name, got, err)
				}
			}
		}
	}
}

// all generates the three files as the generator does.
func all(t *testing.T, m *Model, generate func(Part, *Model, Finish) ([]byte, error)) {
	for _, p := range parts {
		if _, err := generate(p.part, m, Formatted); err != nil {
			t.Fatal(err)
		}
	}
}

// With a warm pool the split takes away what the buffer of the types allocates
// as it grows, which depends on the types alone, and nothing of client and
// server. After two collections, which empty the pool, bytes rise: a buffer of
// 32 KiB is made for some hundred bytes of source, and copied out besides. A
// generator that runs for one document finds its pool empty.
func TestTheSplitSavesLittleWarmAndCostsBytesCold(t *testing.T) {
	for _, size := range sizes {
		m := read(size.shape)
		_, plain := exact.Counters(t, func() { all(t, m, New) })
		_, warm := exact.Counters(t, func() { all(t, m, Split) })
		empty := func() { runtime.GC(); runtime.GC() }
		_, plainCold := exact.CountersAfter(t, empty, func() { all(t, m, New) })
		_, cold := exact.CountersAfter(t, empty, func() { all(t, m, Split) })
		t.Logf("%d operations: %d bytes without a pool, %d with a warm one (%+.2f %%); after collections %d and %d (%+.2f %%)", size.operations,
			plain, warm, share(warm, plain), plainCold, cold, share(cold, plainCold))
		if saved := share(warm, plain); saved > 0 || saved < -5 {
			t.Errorf("%d operations: %d bytes become %d with a warm pool", size.operations, plain, warm)
		}
		if rise := int64(cold) - int64(plainCold); rise < mediumSize/2 || rise > mediumSize+8<<10 {
			t.Errorf("%d operations: %d bytes become %d after collections; a buffer has %d", size.operations, plainCold, cold, mediumSize)
		}
	}
}

// share is by how many hundredths a differs from b.
func share(a, b uint64) float64 { return 100 * (float64(a)/float64(b) - 1) }
