package incidents

import (
	"testing"
)

func TestCleanupOnly(t *testing.T) {
	b := getBuffer()
	t.Cleanup(func() { putBuffer(b) }) // fine "PV002|PV005" once, at the end
	b.WriteString("x")
	if b.Len() != 1 {
		t.Fatal(b.Len())
	}
}

func TestReadsBeforePut(t *testing.T) {
	h := headers.Acquire()
	h.size = 3
	if h.size != 3 { // fine "PV001" not put yet
		t.Error(h.size)
	}
	headers.Release(h)
}
