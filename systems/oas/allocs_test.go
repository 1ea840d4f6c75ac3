package oas_test

import (
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/systems/oas"
)

// exactly makes the counters of allocations exact: one processor, no garbage
// collection. Where pools drop objects it skips.
func exactly(t *testing.T) {
	t.Helper()
	if poolsDrop {
		t.Skip("the race detector and the checked build make pools drop objects")
	}
	procs, percent := runtime.GOMAXPROCS(1), debug.SetGCPercent(-1)
	t.Cleanup(func() {
		runtime.GOMAXPROCS(procs)
		debug.SetGCPercent(percent)
	})
}

// large is a document of some 350 KB in JSON.
func large(t testing.TB) []byte {
	pets := parse(t, string(read(t, "testdata/pets.yaml")))
	d := parse(t, `{"openapi":"3.1.0","info":{"title":"Many","version":"1"},"paths":{}}`)
	for i := range 100 {
		if _, err := d.Root().Get("paths").Set("/"+strings.Repeat("x", i%7)+string(rune('a'+i%26))+strings.Repeat("y", i/26), pets.Root().Get("paths").Index(0)); err != nil {
			t.Fatal(err)
		}
	}
	return d.AppendIndent(nil, "", "  ")
}

func TestAllocations(t *testing.T) {
	exactly(t)
	for name, source := range map[string][]byte{"small": []byte(`{"openapi": "3.1.0", "paths": {"/a": {"get": {}}}}`), "large": large(t)} {
		d, err := oas.Parse(source)
		if err != nil {
			t.Fatal(err)
		}
		room := make([]byte, 0, 4*len(source))
		edited := d.Clone()
		if _, err := edited.Root().Set("x-a", 1); err != nil {
			t.Fatal(err)
		}
		var reused oas.Doc
		paths := d.Root().Get("paths")
		for _, c := range []struct {
			name string
			want float64
			run  func()
		}{
			{"AppendJSON", 0, func() { d.AppendJSON(room) }},
			{"AppendJSON of an edited document", 0, func() { edited.AppendJSON(room) }},
			{"JSON", 1, func() { d.JSON() }},
			{"JSON of an edited document", 1, func() { edited.JSON() }},
			{"AppendIndent", 0, func() { d.AppendIndent(room, "", "  ") }},
			{"WriteTo", 0, func() { d.WriteTo(io.Discard) }},
			{"Reset", 0, func() { reused.Reset(source) }},
			{"Get, Is and KeyIs", 0, func() { d.Root().Get("openapi").Is("3.1.0"); paths.KeyIs("paths") }},
			{"All", 0, func() {
				for n := range paths.All() {
					n.Kind()
				}
			}},
		} {
			if got := testing.AllocsPerRun(20, c.run); got != c.want {
				t.Errorf("%s of the %s document: %v allocations, want %v", c.name, name, got, c.want)
			}
		}
	}
}
