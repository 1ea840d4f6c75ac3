package transport

import "testing"

// corrupt leaves lengths in the headers as a kernel might.
func corrupt(s *socket) {
	for i := range s.batch.headers {
		s.batch.headers[i].Hdr.Namelen = 1
		s.batch.headers[i].Hdr.SetControllen(1)
	}
}

// The kernel tells 32 bits of its count.
func TestDropsAreCountedBeyond32Bits(t *testing.T) {
	var s socket
	for _, c := range []struct {
		told uint32
		want uint64
	}{{5, 5}, {5, 5}, {0xffffffff, 0xffffffff}, {3, 1<<32 + 3}} {
		s.overflow(c.told)
		if got := s.dropped.Load(); got != c.want {
			t.Errorf("after %d: %d, want %d", c.told, got, c.want)
		}
	}
}
