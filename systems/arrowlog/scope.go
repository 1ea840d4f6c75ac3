package arrowlog

import (
	"sync"
	"unsafe"
)

// scope is an allocator that knows what is out. arrow-go's Parquet writer keeps
// arrays and pages when it fails; release frees them then. Its lock is needed
// because the writer may encode columns in goroutines.
type scope struct {
	under Allocator
	mu    sync.Mutex
	out   map[*byte][]byte
}

// Allocate passes the call on and remembers the memory.
func (s *scope) Allocate(size int) []byte {
	b := s.under.Allocate(size)
	s.note(b)
	return b
}

// Reallocate passes the call on and remembers the memory.
func (s *scope) Reallocate(size int, b []byte) []byte {
	s.forget(b)
	b = s.under.Reallocate(size, b)
	s.note(b)
	return b
}

// Free passes the call on.
func (s *scope) Free(b []byte) {
	s.forget(b)
	s.under.Free(b)
}

func (s *scope) note(b []byte) {
	if cap(b) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.out == nil {
		s.out = map[*byte][]byte{}
	}
	s.out[unsafe.SliceData(b)] = b
}

func (s *scope) forget(b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.out, unsafe.SliceData(b))
}

// release frees all that is out. Nothing may use it any more.
func (s *scope) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.out {
		s.under.Free(b)
	}
	clear(s.out)
}
