package hotswap

import (
	"unsafe"

	"github.com/poolproof/poolproof/hotswap/internal/slots"
	"github.com/poolproof/poolproof/mark"
)

// A free value waits in its slot: `poolproof test` sees a late reader or writer of it
// only because it is told. Of a value it knows the T itself, not what that refers
// to.

// markFree says that the value of s, which the caller owns, is free: every access is
// a misuse until markTaken.
func (p *Pool[T]) markFree(s *slots.Slot) {
	if marked && s.Value != nil {
		mark.Put(s.Value, unsafe.Sizeof(*new(T)))
	}
}

// markTaken comes before the first access to a value that was free.
func (p *Pool[T]) markTaken(s *slots.Slot) {
	if marked && s.Value != nil {
		mark.Get(s.Value, unsafe.Sizeof(*new(T)))
	}
}
