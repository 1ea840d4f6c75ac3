package a

import (
	"bytes"
	"sync"
	"sync/atomic"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func Get() *bytes.Buffer { // want Get:`Getter\{0\}`
	return buffers.Get().(*bytes.Buffer)
}

func OrNew(pooled bool) *bytes.Buffer { // want OrNew:`Getter\{0\}`
	if pooled {
		return Get()
	}
	return new(bytes.Buffer)
}

func Put(b *bytes.Buffer) { // want Put:`MustPut\{0\} Release\{0\} MayPut\{0\}`
	buffers.Put(b)
}

func PutNotNil(b *bytes.Buffer) { // want PutNotNil:`MustPut\{0\} Release\{0\} MayPut\{0\}`
	if b != nil {
		Put(b)
	}
}

func PutFit(b *bytes.Buffer) { // want PutFit:`Release\{0\} MayPut\{0\}`
	if b.Cap() > 1<<10 {
		return
	}
	buffers.Put(b)
}

func PutSometimes(b *bytes.Buffer, now bool) { // want PutSometimes:`MayPut\{0\}`
	if now {
		buffers.Put(b)
	}
}

func PutByDefer(b *bytes.Buffer) int { // want PutByDefer:`MustPut\{0\} Release\{0\} MayPut\{0\}`
	defer func() { buffers.Put(b) }()
	return b.Len()
}

func Measure() int { // nothing is handed out
	b := Get()
	defer Put(b)
	return b.Len()
}

type Counted struct{ refs atomic.Int32 }

var counteds = sync.Pool{New: func() any { return new(Counted) }}

func (c *Counted) Release() { // want Release:`RefPut\{0\}`
	if c.refs.Add(-1) == 0 {
		counteds.Put(c)
	}
}

func (c *Counted) last() bool { return c.refs.Add(-1) == 0 }

func (c *Counted) Drop() { // want Drop:`RefPut\{0\}`
	if c.last() {
		counteds.Put(c)
	}
}

type Holder struct {
	b    *bytes.Buffer
	data []byte
}

func New(b *bytes.Buffer) *Holder { // want New:`Returns\[0\]=always\{0\}held\{0\}`
	return &Holder{b: b}
}

func (h *Holder) Set(b *bytes.Buffer) { // want Set:`Keeps\{1\} Fills\{0\} Into\[0\]=always\{1\}held\{1\} Detach\{Param:0 Fields:\[0\]\}`
	h.b = b
}

func (h *Holder) Clear() { // want Clear:`Detach\{Param:0 Fields:\[1\]\}`
	h.data = nil
}

func (h *Holder) Data() []byte { // want Data:`Returns\[0\]=always\{0\}`
	return h.data
}

func Half(b []byte, half bool) []byte { // want Half:`Returns\[0\]=may\{0\}`
	if half {
		return b[:len(b)/2]
	}
	return append([]byte(nil), b...)
}

var last *bytes.Buffer

func Remember(b *bytes.Buffer) { // want Remember:`Retains\{0\} Keeps\{0\}`
	last = b
}

func With(f func(*bytes.Buffer)) { // want With:`Callbacks\{Param:0 Arg:0 Lent:true ReadOnly:false Of:\{\}\}`
	b := Get()
	defer Put(b)
	f(b)
}

func Call(b *bytes.Buffer, f func(*bytes.Buffer)) { // want Call:`Passes\{Param:0 Func:1 Arg:0\}`
	f(b)
}

func Lease() (*bytes.Buffer, func()) { // want Lease:`Getter\{0\} Leases\[1\]=always\{0\}`
	b := Get()
	return b, func() { Put(b) }
}

//poolproof:owns b
func Give(b *bytes.Buffer) { // want Give:`Release\{0\} Owns\{0\}`
}

//poolproof:gives
func Handout() (*bytes.Buffer, Holder, error) { // want Handout:`Getter\{0\} Holders\{1\}`
	return last, Holder{}, nil
}

//poolproof:borrows b
func Look(b *bytes.Buffer) { // want Look:`Borrows\{0\}`
	last = b
	last = nil
}

type Pool[T any] struct{ objects sync.Pool }

func (p *Pool[T]) Get() *T { // want Get:`Getter\{0\}`
	return p.objects.Get().(*T)
}

func (p *Pool[T]) Put(x *T) { // want Put:`MustPut\{1\} Release\{1\} MayPut\{1\}`
	p.objects.Put(x)
}

type Slices struct{ boxes sync.Pool }

func (s *Slices) Put(b []byte) { // want Put:`MustPut\{1\} Release\{1\} MayPut\{1\}`
	box := s.boxes.Get().(*[]byte)
	*box = b
	s.boxes.Put(box)
}
