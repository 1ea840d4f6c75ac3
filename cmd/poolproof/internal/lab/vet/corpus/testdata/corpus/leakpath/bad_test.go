package leakpath

import (
	"bytes"
	"testing"
)

// In tests a leak is harmless, a use after Put is not.
func TestUse(t *testing.T) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	buffers.Put(b)
	if b.Len() != 0 { // want "PV001"
		t.Fatal("not empty")
	}
}
