//go:build misuse

package misuse

import (
	"testing"

	"github.com/poolproof/poolproof/buffer"
	"github.com/poolproof/poolproof/systems/oas"
)

var leases = buffer.New(buffer.Options{Name: "lease"})

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

func TestALeaseReadAfterRelease(t *testing.T) {
	b, text := lease(t)
	b.Release()
	mustParse(t, text)
}

func TestALeaseReadBeforeRelease(t *testing.T) {
	b, text := lease(t)
	mustParse(t, text)
	b.Release()
}

// lease returns a buffer of the pool with the text of the document in it.
func lease(t *testing.T) (*buffer.Buffer, []byte) {
	t.Helper()
	d, err := oas.Parse([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	b := leases.Get(d.Size())
	return b, d.AppendJSON(b.Bytes()[:0])
}

func mustParse(t *testing.T, text []byte) {
	t.Helper()
	if _, err := oas.ParseJSON(text); err != nil {
		t.Error(err)
	}
}

// keeper is a writer that keeps what Write is given.
type keeper struct{ kept []byte }

func (k *keeper) Write(text []byte) (int, error) {
	k.kept = text
	return len(text), nil
}

func TestAChunkKeptByAWriter(t *testing.T) {
	d, err := oas.Parse([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	var k keeper
	if _, err := d.WriteTo(&k); err != nil {
		t.Fatal(err)
	}
	mustParse(t, k.kept)
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
