package orderedjsonlibrary

import (
	"bytes"
	"fmt"
	"sync"
	"testing"

	"github.com/poolproof/poolproof/studies/internal/exact"
	orderedjson "github.com/poolproof/poolproof/studies/ordered-json"
	"github.com/poolproof/poolproof/systems/oas"
)

// huge is a document of more than 1 MiB of compact JSON.
var huge = orderedjson.Shape{Resources: 600, Operations: 5, Properties: 6, Words: 2}

var documents = []struct {
	name  string
	shape orderedjson.Shape
	get   func() *oas.Doc
}{
	{"small", orderedjson.Small, once(orderedjson.Small)},
	{"medium", orderedjson.Medium, once(orderedjson.Medium)},
	{"large", orderedjson.Large, once(orderedjson.Large)},
	{"petstore3", orderedjson.Petstore3, once(orderedjson.Petstore3)},
	{"huge", huge, once(huge)},
}

// once returns the document of a shape, as JSON with indents, which is how most
// documents are kept.
func once(s orderedjson.Shape) func() *oas.Doc {
	return sync.OnceValue(func() *oas.Doc {
		source, err := s.Source()
		if err != nil {
			panic(fmt.Sprintf("%+v: %v", s, err))
		}
		d, err := oas.Parse(source)
		if err == nil {
			d, err = oas.Parse(d.AppendIndent(nil, "", "  "))
		}
		if err != nil {
			panic(fmt.Sprintf("%+v: %v", s, err))
		}
		return d
	})
}

var lease Lease

var arms = []struct {
	name    string
	marshal func(*oas.Doc) []byte
}{{"grow", Grow}, {"again", Grow}, {"pool", Pool}, {"exact", Exact}, {"lease", lease.JSON}}

// TestArmsAgree holds the arms to the bytes of the published walk: these
// documents have none of what that walk changes.
func TestArmsAgree(t *testing.T) {
	for _, doc := range documents {
		want, err := orderedjson.Grow(doc.shape.Document())
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second run finds used buffers
			for _, arm := range arms {
				if got := arm.marshal(doc.get()); !bytes.Equal(got, want) {
					t.Errorf("%s: %s returned %.200q, want %.200q", doc.name, arm.name, got, want)
				}
			}
		}
	}
	if size := documents[4].get().Size(); size <= keptSize {
		t.Errorf("the huge document has %d bytes, which the pool keeps", size)
	}
}

// The result of each arm but lease is the caller's: a later call does not change
// it.
func TestResultsAreTheCallers(t *testing.T) {
	for _, arm := range arms[:4] {
		for range 10 {
			first := arm.marshal(documents[0].get())
			want := bytes.Clone(first)
			other := arm.marshal(documents[1].get())
			clear(other)
			if !bytes.Equal(first, want) {
				t.Fatalf("%s: a later call changed the result", arm.name)
			}
		}
	}
}

// What a call allocates, exactly. The header of the arm grow is an object too,
// for WriteTo is given it in an interface. The pool drops the buffer of the huge document
// after each use, so it makes and grows one each time, and copies it besides:
// its limit is a cliff.
func TestCountersAreExact(t *testing.T) {
	type count struct{ allocs, bytes uint64 }
	for name, want := range map[string]map[string]count{
		"small":     {"grow": {2, 1072}, "pool": {1, 1024}, "exact": {1, 1024}, "lease": {}},
		"medium":    {"grow": {2, 9776}, "pool": {1, 9728}, "exact": {1, 9728}, "lease": {}},
		"petstore3": {"grow": {2, 16432}, "pool": {1, 16384}, "exact": {1, 16384}, "lease": {}},
		"large":     {"grow": {4, 229424}, "pool": {1, 114688}, "exact": {1, 114688}, "lease": {}},
	} {
		for _, doc := range documents {
			for _, arm := range arms {
				if w, ok := want[arm.name]; ok && doc.name == name {
					allocs, bytes := exact.Counters(t, func() { arm.marshal(doc.get()) })
					if (count{allocs, bytes}) != w {
						t.Errorf("%s %s: %d allocations of %d bytes, want %v", name, arm.name, allocs, bytes, w)
					}
				}
			}
		}
	}
	d := documents[4].get()
	_, pooled := exact.Counters(t, func() { Pool(d) })
	allocs, exactly := exact.Counters(t, func() { Exact(d) })
	if allocs != 1 || pooled < 3*exactly {
		t.Errorf("huge: %d bytes with the pool, %d in %d allocations of the exact size", pooled, exactly, allocs)
	}
	t.Logf("huge: %d bytes of JSON; the pool allocates %d bytes, the exact size %d", d.Size(), pooled, exactly)
}

func BenchmarkOutput(b *testing.B) {
	for _, doc := range documents {
		d := doc.get()
		size := d.Size()
		for _, arm := range arms {
			b.Run("doc="+doc.name+"/buffer="+arm.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if out := arm.marshal(d); len(out) != size {
						b.Fatalf("%d bytes, want %d", len(out), size)
					}
				}
			})
		}
	}
}
