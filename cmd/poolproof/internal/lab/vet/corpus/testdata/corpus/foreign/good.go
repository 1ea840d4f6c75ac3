package foreign

import (
	"bytes"
	"io"
)

// What has grown goes to the pool of its size.
func bySize(r io.Reader) (int, error) {
	b := getSmall()
	n, err := r.Read(*b)
	if err == nil && n == len(*b) {
		*b = append(*b, make([]byte, 64<<10)...)
	}
	if cap(*b) >= 64<<10 {
		putLarge(b) // fine "PV021" large enough
	} else {
		putSmall(b)
	}
	return n, err
}

func moved(r io.Reader) (int, error) {
	a := getSmall()
	n, err := r.Read(*a)
	b := getLarge()
	copy(*b, (*a)[:n])
	putSmall(a)
	m, _ := r.Read((*b)[n:])
	putLarge(b) // fine "PV021" each into its own
	return n + m, err
}

func warm(n int) {
	for range n {
		b := make([]byte, 512)
		small.Put(&b) // fine "PV021|PV008" a new one for the pool
	}
}

func warmRows(n int) {
	for range n {
		rows.Put(new(row)) // fine "PV021" new
	}
}

func recycle(p []byte) { putChunk(p) } // fine "PV021" that is what it is for

//poolproof:owns p
func consume(p []byte, w io.Writer) error {
	_, err := w.Write(p)
	putChunk(p) // fine "PV021" the comment says who owns it
	return err
}

func readAll(r io.Reader, w io.Writer) error {
	p, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	_, err = w.Write(p)
	putChunk(p) // fine "PV021" nobody else has it
	return err
}

func cloned(p []byte, w io.Writer) error {
	q := bytes.Clone(p)
	_, err := w.Write(q)
	putChunk(q) // fine "PV021" a clone
	return err
}

func appended(p []byte, w io.Writer) error {
	q := append(getChunk(), p...)
	_, err := w.Write(q)
	putChunk(q) // fine "PV021" the pool's, grown
	return err
}

// holder has one until it gets another.
type holder struct {
	cur []byte
	row *row
}

func (h *holder) replace(p []byte) {
	old := h.cur
	h.cur = append(getChunk(), p...)
	putChunk(old) // fine "PV021" what it had
}

func (h *holder) Close() error {
	rows.Put(h.row) // fine "PV021" the pointer, not a part of the holder
	h.row = nil
	return nil
}

// The buffer is emptied before it is put, its memory goes its own way.
func detached(r io.Reader, use func([]byte)) error {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	if _, err := b.ReadFrom(r); err != nil {
		buffers.Put(b)
		return err
	}
	p := b.Bytes()
	*b = bytes.Buffer{}
	buffers.Put(b)
	use(p)
	putChunk(p) // fine "PV001|PV002|PV021" not the buffer's any more
	return nil
}

// shards are pools of the same kind.
var shards = [4]struct {
	p interface {
		Get() any
		Put(any)
	}
}{}

func balance(i, j int) {
	x, _ := shards[i].p.Get().(*row)
	if x != nil {
		shards[j].p.Put(x) // fine "PV021" any of them will do
	}
}

func sameClass(i int, r io.Reader) (int, error) {
	b := byClass[i].Get().(*[]byte)
	n, err := r.Read(*b)
	byClass[i].Put(b) // fine "PV021" where it came from
	return n, err
}
