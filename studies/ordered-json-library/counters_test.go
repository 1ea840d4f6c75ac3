package orderedjsonlibrary

import (
	"testing"

	"github.com/poolproof/poolproof/studies/internal/exact"
	orderedjson "github.com/poolproof/poolproof/studies/ordered-json"
	"github.com/poolproof/poolproof/systems/oas"
)

// What reading a document allocates, exactly: the published way makes nodes, maps
// and structs, some thousands of objects; the library the Doc and one array, which
// it may have to grow, and nothing when it is Reset. The published parser, at
// revision b6cf92d with its own YAML library, allocates 2,174, 20,754 and 241,478
// objects for these sources when it keeps the order.
func TestReadingAllocatesSomeObjectsNotThousands(t *testing.T) {
	for _, doc := range documents[:3] {
		source := doc.get().AppendIndent(nil, "", "  ")
		published, bytes := exact.Counters(t, func() { orderedjson.ParseModel(source) })
		lean, _ := exact.Counters(t, func() { orderedjson.Parse(source) })
		var d *oas.Doc
		ours, ourBytes := exact.Counters(t, func() { d, _ = oas.Parse(source) })
		var kept oas.Doc
		reset, resetBytes := exact.Counters(t, func() { kept.Reset(source) })
		t.Logf("%s, %d bytes: published %d allocations of %d bytes, lean %d, new %d of %d, reset %d of %d", doc.name, len(source), published, bytes, lean, ours, ourBytes, reset, resetBytes)
		if ours > 4 || published < 200*ours || reset != 0 || resetBytes != 0 || d.Size() != doc.get().Size() {
			t.Errorf("%s: %d allocations, %d in the published way, %d of Reset", doc.name, ours, published, reset)
		}
	}
}
