// Package uses is how users go wrong with our packages, and how they do not. It
// stands here without its go.mod, which a test writes.
package uses

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/poolproof/poolproof/buffer"
	"github.com/poolproof/poolproof/buffer/adapt"
	"github.com/poolproof/poolproof/hotswap"
	"github.com/poolproof/poolproof/hotswap/poolswap"
	"github.com/poolproof/poolproof/pool"
)

type record struct {
	poolswap.Ref
	fields []string
	size   int
}

var (
	records = pool.New(pool.Options[record]{Reset: func(r *record) { r.fields, r.size = nil, 0 }})
	bufs    = buffer.New(buffer.Options{})
	frames  = bufs.Sized(4096)
	current = poolswap.NewEmptyContainer(poolswap.NewPool(func() *record { return new(record) }, nil))
	errBad  = errors.New("bad")
)

func usedAfterPut() int {
	r := records.Get()
	records.Put(r)
	return r.size // want PV001
}

func putTwice(ok bool) {
	r := records.Get()
	defer records.Put(r) // want PV002
	if !ok {
		records.Put(r)
	}
}

func lost(ok bool) error {
	r := records.Get()
	if !ok {
		return errBad // want PV005
	}
	r.size++
	records.Put(r)
	return nil
}

func neverPut() int {
	r := records.Get() // want PV006
	return r.size
}

func localUsedAfterPut(l *pool.Local[record]) int {
	r := l.Get()
	l.Put(r)
	return r.size // want PV001
}

func usedAfterRelease(w io.Writer) {
	b := bufs.Get(100)
	b.Release()
	_, _ = w.Write(b.Bytes()) // want PV001
}

func memoryAfterRelease() byte {
	b := bufs.Get(100)
	p := b.Bytes()
	b.Release()
	return p[0] // want PV001
}

func returnedMemory() []byte {
	b := bufs.Append()
	defer b.Release()
	_, _ = b.WriteString("text")
	return b.Bytes() // want PV003
}

func releasedAfterCopyAndRelease() []byte {
	b := bufs.Append()
	defer b.Release() // want PV002
	return b.CopyAndRelease()
}

func usedAfterShare() *buffer.Shared {
	b := bufs.Append()
	s := b.Share()
	_ = b.WriteByte('x') // want PV001
	return s
}

func usedAfterTake() ([]byte, int) {
	b := bufs.Append()
	p := b.Take()
	return p, b.Len() // want PV001
}

func sharedAfterRelease() byte {
	b := bufs.Append()
	s := b.Share()
	s.Release()
	return s.Bytes()[0] // want PV001
}

func retainedAndLost(ok bool) *buffer.Shared {
	s := bufs.Append().Share()
	if !ok {
		return s.Retain() // want PV005
	}
	s.Release()
	return nil
}

func sizedLost(r io.Reader) error {
	b := frames.Get()
	if _, err := b.ReadFrom(r); err != nil {
		return err // want PV005
	}
	b.Release()
	return nil
}

func pointerPutTwice() {
	x := frames.GetPtr()
	frames.PutPtr(x)
	frames.PutPtr(x) // want PV002
}

func freedAndUsed() byte {
	p := bufs.Bytes(10)
	bufs.Free(p)
	return p[0] // want PV001
}

func httpMemory(h adapt.HTTPPool) []byte {
	p := h.Get()
	defer h.Put(p)
	return p[:10] // want PV003
}

func snapshotAfterRelease() int {
	r := current.Acquire()
	current.Release(r)
	return r.size // want PV001
}

func published() {
	r := current.GetNew()
	current.Update(r)
	r.size = 1 // want PV001
}

// What follows is right.

func transfer(r io.Reader) (*buffer.Buffer, error) {
	b := bufs.Append()
	if _, err := b.ReadFrom(r); err != nil {
		b.Release()
		return nil, err
	}
	return b, nil
}

func detached() []byte {
	b := bufs.Append()
	_, _ = b.WriteString("text")
	return b.CopyAndRelease()
}

func copied() []byte {
	b := bufs.Append()
	defer b.Release()
	return bytes.Clone(b.Bytes())
}

func text() string {
	b := bufs.Append()
	defer b.Release()
	return b.String()
}

func taken() []byte {
	b := bufs.Append()
	_, _ = b.WriteString("text")
	return b.Take()
}

func shared(n int, send func(*buffer.Shared)) {
	s := bufs.Append().Share()
	for range n {
		send(s.Retain())
	}
	s.Release()
}

func owned(s *buffer.Shared) *buffer.Buffer {
	b := s.Own()
	b.Reset()
	return b
}

func lent() int {
	n := 0
	records.With(func(r *record) { n = r.size })
	return n
}

func kept(l *pool.Local[record]) int {
	r := l.Get()
	n := r.size
	l.Put(r)
	return n
}

func snapshot() int {
	r := current.Acquire()
	if r == nil {
		return 0
	}
	defer current.Release(r)
	return r.size
}

func replace(size int) {
	r := current.GetNew()
	r.size = size
	current.Update(r)
}

type prices struct {
	version int
	list    []int
}

var (
	versions = hotswap.NewPool(hotswap.Options[prices]{New: func() *prices { return new(prices) }})
	now      = hotswap.New(versions)
)

func valueReturned() *prices {
	ref := now.Acquire()
	defer ref.Release()
	return ref.Value() // want PV003
}

func partReturned() []int {
	ref := now.Acquire()
	defer ref.Release()
	return ref.Value().list // want PV003
}

func valueAfterRelease() int {
	ref := now.Acquire()
	x := ref.Value()
	ref.Release()
	return x.version // want PV001
}

func draftAfterUpdate() error {
	d := versions.Get()
	x := d.Value()
	if err := now.Update(&d); err != nil {
		return err
	}
	x.version++ // want PV001
	return nil
}

func draftAfterFailedUpdate() (int, error) {
	d := versions.Get()
	x := d.Value()
	x.version = 1
	if err := now.Update(&d); err != nil {
		return x.version, err
	}
	return 0, nil
}

func currentWritten() {
	ref := now.Acquire()
	defer ref.Release()
	ref.Value().version++ // want PV022
}

func keptByDo() int {
	var x *prices
	now.Do(func(v *prices) { x = v }) // want PV014
	return x.version
}

func writtenInRCU(ctx context.Context) error {
	return now.RCU(ctx, func(next, cur *prices) error {
		next.list = append(next.list[:0], cur.list...)
		next.version = cur.version + 1
		cur.version = 0 // want PV022
		return nil
	})
}

func loadedBefore(r *hotswap.Reader[prices]) bool {
	x := r.Load()
	y := r.Load()
	return x.version != y.version // want PV001
}

func sharedWritten(s *buffer.Shared) {
	s.Bytes()[0] = 'X' // want PV022
}

func keptByWith() int {
	var r *record
	records.With(func(x *record) { r = x }) // want PV014
	return r.size
}

func localClosed() {
	l := records.Local(2)
	defer l.Close()
	r := l.Get()
	r.size++
	l.Put(r)
}

func held(n int) (sum int, err error) {
	ref := now.Acquire()
	defer ref.Release()
	if !ref.Ok() {
		return 0, errBad
	}
	for _, x := range ref.Value().list[:n] {
		sum += x
	}
	return sum + ref.Value().version, nil
}
