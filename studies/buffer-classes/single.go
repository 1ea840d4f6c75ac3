package bufferclasses

import "sync"

// Single is the arms single and drop64k: one sync.Pool of *[]byte for all
// sizes. A buffer that is too small gets new memory, and keeps it.
type Single struct {
	buffers sync.Pool
	most    int // larger ones are dropped; 0: none
	count   uint64
}

// NewSingle returns the arm single.
func NewSingle(flight int) Arm { return newSingle(flight, 0) }

// NewDrop64K returns the arm drop64k.
func NewDrop64K(flight int) Arm { return newSingle(flight, 64<<10) }

func newSingle(flight, most int) Arm {
	s := &Single{most: most}
	s.buffers.New = func() any { return new([]byte) }
	return newRing[*[]byte](s, flight)
}

func (s *Single) get(size int) *[]byte {
	b := s.buffers.Get().(*[]byte)
	if cap(*b) < size {
		s.count++
		*b = make([]byte, size)
	}
	*b = (*b)[:size]
	return b
}

func (s *Single) empty() *[]byte {
	b := s.buffers.Get().(*[]byte)
	*b = (*b)[:0]
	return b
}

func (s *Single) write(b *[]byte, p []byte) *[]byte {
	if len(*b)+len(p) > cap(*b) {
		s.count++
	}
	*b = append(*b, p...)
	return b
}

func (s *Single) bytes(b *[]byte) []byte { return *b }
func (s *Single) holds(b *[]byte) int    { return cap(*b) }
func (s *Single) made() uint64           { return s.count }

func (s *Single) put(b *[]byte) {
	if s.most > 0 && cap(*b) > s.most {
		return
	}
	s.buffers.Put(b)
}
