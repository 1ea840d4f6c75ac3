package leakpath

import (
	"bytes"
	"testing"
)

func TestLeaks(t *testing.T) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	if b.Len() != 0 {
		t.Fatal("not empty")
	}
	if testing.Short() {
		return // fine "PV005" a test may leak
	}
	buffers.Put(b)
}

func TestNeverPuts(t *testing.T) {
	p := packets.Get().(*packet)
	if p.n != 0 { // fine "PV006" likewise
		t.Fatal("not zero")
	}
}

func BenchmarkGet(b *testing.B) {
	for b.Loop() {
		packets.Put(packets.Get().(*packet)) // fine "PV001 PV002" got and put at once
	}
}
