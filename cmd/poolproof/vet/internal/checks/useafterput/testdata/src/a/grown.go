package a

import "sync"

var chunks sync.Pool

func putMemory(b *[]byte) {
	if b != nil && cap(*b) >= 64 {
		chunks.Put(b)
	}
}

func newMemory(n int) *[]byte {
	if b, ok := chunks.Get().(*[]byte); ok && cap(*b) >= n {
		return b
	}
	b := make([]byte, n)
	return &b
}

type grower struct {
	buf *[]byte
	off int
}

// What was kept on one path is put on each.
func (g *grower) grow(n int) {
	next := g.buf
	if len(*g.buf)+n > cap(*g.buf) {
		next = newMemory(len(*g.buf) + n)
		copy(*next, *g.buf)
	} else {
		copy(*g.buf, (*g.buf)[g.off:])
	}
	putMemory(g.buf)
	g.buf = next // want `the object is stored after putMemory \(line \d+\) put it`
	g.off = 0
}

func (g *grower) growWell(n int) {
	next := g.buf
	if len(*g.buf)+n > cap(*g.buf) {
		next = newMemory(len(*g.buf) + n)
		copy(*next, *g.buf)
		putMemory(g.buf)
	}
	g.buf = next
	g.off = 0
}

func (g *grower) growIfMoved(n int) {
	next := g.buf
	moves := len(*g.buf)+n > cap(*g.buf)
	if moves {
		next = newMemory(len(*g.buf) + n)
		copy(*next, *g.buf)
	}
	if moves {
		putMemory(g.buf)
	}
	g.buf = next
}

func (g *grower) growTwice(n int) {
	next := g.buf
	if g.off > 0 {
		g.buf = newMemory(n)
	} else {
		next = newMemory(n)
	}
	putMemory(g.buf)
	g.buf = next
}
