//go:build misuse

package misuse

import (
	"testing"

	"github.com/poolproof/poolproof/systems/oas"
)

const source = `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/a":{}}}`

func TestACursorKeptAfterItsWalk(t *testing.T) {
	d, err := oas.Parse([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	var kept *oas.Cursor
	d.Walk(func(c *oas.Cursor) oas.Action {
		kept = c
		return oas.Continue
	})
	t.Log(kept.Depth())
}

func TestWhatIsKeptAsDocumented(t *testing.T) {
	d, err := oas.Parse([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	var kept oas.Node
	var pointer string
	d.Walk(func(c *oas.Cursor) oas.Action {
		kept, pointer = c.Node(), c.Pointer()
		return oas.Continue
	})
	t.Log(kept.Kind(), pointer)
}
