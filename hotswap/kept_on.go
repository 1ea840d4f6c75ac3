//go:build poolproofmark && !poolproofdebug

package hotswap

import (
	"reflect"
	"sync"
	"unsafe"

	"github.com/poolproof/poolproof/hotswap/internal/slots"
	"github.com/poolproof/poolproof/mark"
)

// A slice that Reset leaves empty and with capacity is memory that the next writer
// fills again: a late reader of it reads the next version. `poolproof test` sees such a
// reader because the writer gets other memory, and what the slice had is marked as free
// for good. A program sees no difference but zeros beyond the length.

// former is the memory that writers got other memory for, of all pools. What leaves it
// can be collected, and then be anyone's.
var former struct {
	sync.Mutex
	memory [64]reflect.Value
	next   int
}

// resetFree resets the free values that the next writer could have got, as the Get
// that gets one would: a value waits here until others have become free after it. Not
// with MaxLive, where a value that is looked at may be the only one.
func (p *Pool[T]) resetFree() {
	if p.options.Reset == nil || p.options.ResetOn != OnGet || p.table.Limit() > 0 {
		return
	}
	for s := range p.table.All {
		if w := s.Word(); w.State() == slots.Spare && !p.hidden.isClean(s, w.Gen()) && s.ClaimAt(w.Gen()) {
			p.resetEarly(s)
		}
	}
}

// resetEarly resets the value of s, which the caller owns, and gives it back.
func (p *Pool[T]) resetEarly(s *slots.Slot) {
	defer p.shelve(s) // also when Reset panics
	p.reveal(s)
	if s.Todo != clean && s.Todo != doomed {
		p.resetNow(s)
	}
	p.hidden.setClean(s, s.Word().Gen())
}

// hidden is which free values need no look: in that generation they were reset.
type hidden[T any] struct {
	mu    sync.Mutex
	clean map[*slots.Slot]uint64
}

func (h *hidden[T]) isClean(s *slots.Slot, gen uint64) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.clean[s] == gen
}

func (h *hidden[T]) setClean(s *slots.Slot, gen uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.clean == nil {
		h.clean = make(map[*slots.Slot]uint64)
	}
	h.clean[s] = gen
}

// renewKept gives x, which was reset, other memory for the slices that it keeps.
func renewKept[T any](x *T) {
	for _, v := range keptBy(reflect.ValueOf(x).Elem()) {
		renew(v)
	}
}

// renew gives the slice v other memory of its capacity, and marks what it had.
func renew(v reflect.Value) {
	v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem() // of a field that is not exported, too
	old := v.Slice(0, v.Cap())
	v.Set(reflect.MakeSlice(v.Type(), 0, v.Cap()))
	former.Lock()
	defer former.Unlock()
	if out := former.memory[former.next]; out.IsValid() {
		mark.Get(out.UnsafePointer(), sizeOf(out))
	}
	former.memory[former.next] = old
	former.next = (former.next + 1) % len(former.memory)
	mark.Put(old.UnsafePointer(), sizeOf(old))
}
