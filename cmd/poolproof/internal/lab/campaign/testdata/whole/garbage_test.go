package whole

import (
	"runtime"
	"sync"
	"testing"
)

// Which way of a pair is the faster one depends on what a collection costs in a
// long run: one makes garbage, and the other makes less of it or none and does
// more other work.
var unpaid = []pair{
	// The old way builds a tree of 63 nodes in a live heap of 32 MB; the new way fills a kept tree and computes more.
	{"tree", inHeap(32, plantAnew(200)), inHeap(32, plantAgain(4600))},
	// The old way clears a kept buffer of 64 KiB and computes more, the new way makes a new one, both beside a live heap of 48 MB.
	{"buffer-beside-heap", inHeap(48, clearBuffer(64<<10, 50000)), inHeap(48, makeBuffer(64<<10, 1000))},
	// The old way makes a buffer of 256 KiB in a heap that is else empty; the new way clears a kept one and computes more.
	{"buffer-alone", inHeap(0, makeBuffer(256<<10, 3000)), inHeap(0, clearBuffer(256<<10, 22000))},
	// The old way takes 300 nodes of 16 bytes from an arena with a record of those taken and computes more, the new way allocates each of them.
	{"list", inHeap(0, listArena(300, 22)), inHeap(0, listAnew(300))},
	// All goroutines make lists of 200 nodes: the old way allocates them, the new way has a free list for each goroutine and computes more.
	{"list-parallel", onAll(func() op { return listAnew(200)(nil) }), onAll(func() op { return listFree(200, 2200)(nil) })},
	// Two goroutines share an operation beside a live heap of 16 MB: the old way keeps a tree for each and computes more, the new way builds new ones.
	{"tree-two", inTwo(16, 4, plantAgain(5000)), inTwo(16, 4, plantAnew(1000))},
	// The old way builds a map of 200 pointers beside a live heap of 16 MB; the new way clears a kept map and kept entries, and computes more.
	{"map", inHeap(16, mapAnew(200)), inHeap(16, mapAgain(200, 16000))},
	// Both ways allocate four objects of 512 bytes an operation: the old way at once, the new way 4000 of them every 1000th operation, and it computes a little more.
	{"lumps", inHeap(8, lump(1, 4, 3000)), inHeap(8, lump(1000, 4, 3150))},
	// Every 300th operation needs eight tables: the old way has them in a pool that collections empty, the new way holds them and computes more in every operation.
	{"pool", inHeap(0, tables(true, 1500)), inHeap(0, tables(false, 2600))},
	// The old way leaves the closing of a handle to its finalizer, the new way closes a kept handle itself, at a higher price.
	{"finalizer", inHeap(8, finalized(500, 700)), inHeap(8, closed(500, 2000))},
}

func BenchmarkUnpaid(b *testing.B) { run(b, unpaid) }

type op = func(x uint64) uint64

// twig has 64 bytes; three of its words are pointers.
type twig struct {
	left, right, next *twig
	key               [5]uint64
}

// thicket is a heap of so many megabytes of nodes that point at distant ones.
func thicket(megabytes int) []*twig {
	all := make([]*twig, megabytes<<20/72)
	for i := range all {
		all[i] = new(twig)
	}
	for i, t := range all {
		t.left = all[(i*7919+1)%len(all)]
		t.right = all[(i*104729+2)%len(all)]
		t.next = all[(i+1)%len(all)]
	}
	return all
}

// inHeap is a benchmark of an operation beside a live heap.
func inHeap(megabytes int, way func(all []*twig) op) func(b *testing.B) {
	return func(b *testing.B) {
		all := thicket(megabytes)
		f := way(all)
		x := sink
		for b.Loop() {
			x = f(x)
		}
		sink = x
		runtime.KeepAlive(all)
	}
}

// inTwo is a benchmark; a second goroutine does half of each operation.
func inTwo(megabytes, times int, way func(all []*twig) op) func(b *testing.B) {
	return func(b *testing.B) {
		all := thicket(megabytes)
		half := len(all) / 2
		mine, other := way(all[:half]), way(all[half:])
		ask, answer := make(chan uint64), make(chan uint64)
		go func() {
			for x := range ask {
				for range times {
					x = other(x)
				}
				answer <- x
			}
		}()
		x := sink
		for b.Loop() {
			ask <- x
			for range times {
				x = mine(x)
			}
			x ^= <-answer
		}
		close(ask)
		sink = x
		runtime.KeepAlive(all)
	}
}

// onAll is a benchmark of an operation on all goroutines, each with its own state.
func onAll(way func() op) func(b *testing.B) {
	return func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			f := way()
			x := uint64(1)
			for pb.Next() {
				x = f(x)
			}
			if x == 0 {
				panic("zero")
			}
		})
	}
}

func grow(depth int, x uint64) *twig {
	t := &twig{key: [5]uint64{x}}
	if depth > 1 {
		t.left = grow(depth-1, 2*x)
		t.right = grow(depth-1, 2*x+1)
	}
	return t
}

func refill(t *twig, x uint64) {
	t.key = [5]uint64{x}
	if t.left != nil {
		refill(t.left, 2*x)
		refill(t.right, 2*x+1)
	}
}

func total(t *twig) uint64 {
	if t == nil {
		return 0
	}
	return t.key[0] + total(t.left) + total(t.right)
}

// plantAnew hangs a new tree on one of 64 nodes in turn.
func plantAnew(steps int) func(all []*twig) op {
	return func(all []*twig) op {
		n := 0
		return func(x uint64) uint64 {
			t := grow(6, x)
			all[n%64*100].left = t
			n++
			return Spin(steps, total(t))
		}
	}
}

// plantAgain fills one of 64 kept trees in turn.
func plantAgain(steps int) func(all []*twig) op {
	return func(all []*twig) op {
		for i := range 64 {
			all[i*100].left = grow(6, 1)
		}
		n := 0
		return func(x uint64) uint64 {
			t := all[n%64*100].left
			n++
			refill(t, x)
			return Spin(steps, total(t))
		}
	}
}

func touch(buf []byte, x uint64) uint64 {
	for i := 0; i < len(buf); i += 4096 {
		buf[i] = byte(x)
		x += uint64(buf[i+1]) + 1
	}
	return x
}

func makeBuffer(size, steps int) func([]*twig) op {
	return func([]*twig) op {
		var held []byte
		return func(x uint64) uint64 {
			held = make([]byte, size)
			return Spin(steps, touch(held, x))
		}
	}
}

func clearBuffer(size, steps int) func([]*twig) op {
	return func([]*twig) op {
		held := make([]byte, size)
		return func(x uint64) uint64 {
			clear(held)
			return Spin(steps, touch(held, x))
		}
	}
}

type bead struct {
	next *bead
	x    uint64
}

func sum(l *bead) (x uint64) {
	for ; l != nil; l = l.next {
		x = x*31 + l.x
	}
	return x
}

func listAnew(nodes int) func([]*twig) op {
	return func([]*twig) op {
		var head *bead
		return func(x uint64) uint64 {
			head = nil
			for i := range nodes {
				head = &bead{head, x + uint64(i)}
			}
			return sum(head)
		}
	}
}

// listArena finds each node by a search among those not taken, and gives all back at the end.
func listArena(nodes, steps int) func([]*twig) op {
	return func([]*twig) op {
		arena := make([]bead, nodes)
		taken := make([]bool, nodes)
		return func(x uint64) uint64 {
			var head *bead
			at := int(x % uint64(nodes))
			for i := range nodes {
				for taken[at] {
					at = (at + 1) % nodes
				}
				taken[at] = true
				l := &arena[at]
				l.next, l.x = head, x+uint64(i)
				head = l
				x = Spin(steps, x)
			}
			x = sum(head)
			clear(taken)
			return x
		}
	}
}

// listFree takes each node from a free list and puts it back after use.
func listFree(nodes, steps int) func([]*twig) op {
	return func([]*twig) op {
		var free *bead
		for range nodes {
			free = &bead{next: free}
		}
		return func(x uint64) uint64 {
			var head *bead
			for i := range nodes {
				l := free
				free = l.next
				l.next, l.x = head, x+uint64(i)
				head = l
			}
			x = sum(head)
			for head != nil {
				l := head
				head = l.next
				l.next, l.x = free, 0
				free = l
			}
			return Spin(steps, x)
		}
	}
}

func mapAnew(entries int) func([]*twig) op {
	return func([]*twig) op {
		var held map[uint64]*twig
		return func(x uint64) uint64 {
			held = map[uint64]*twig{}
			for i := range entries {
				k := x + uint64(i)*7919
				held[k] = &twig{key: [5]uint64{k}}
			}
			return held[x].key[0]*31 + uint64(len(held))
		}
	}
}

func mapAgain(entries, steps int) func([]*twig) op {
	return func([]*twig) op {
		held := map[uint64]*twig{}
		own := make([]*twig, entries)
		for i := range own {
			own[i] = new(twig)
		}
		return func(x uint64) uint64 {
			clear(held)
			for i, t := range own {
				k := x + uint64(i)*7919
				*t = twig{key: [5]uint64{k}}
				held[k] = t
			}
			return Spin(steps, held[x].key[0]*31+uint64(len(held)))
		}
	}
}

type block struct {
	next *block
	x    [63]uint64
}

// lump allocates, every so many operations, as many objects as they are due.
func lump(every, objects, steps int) func([]*twig) op {
	return func([]*twig) op {
		n := 0
		var head *block
		return func(x uint64) uint64 {
			n++
			if n%every == 0 {
				head = nil
				for range every * objects {
					head = &block{next: head}
					head.x[0] = x
				}
			}
			return Spin(steps, x)
		}
	}
}

type table [1024]*bead

func newTable() *table {
	t := new(table)
	for i := range t {
		t[i] = &bead{nil, uint64(i)}
	}
	return t
}

// tables makes a buffer of 64 KiB an operation, and uses tables in every 300th.
func tables(pooled bool, steps int) func([]*twig) op {
	return func([]*twig) op {
		pool := sync.Pool{New: func() any { return newTable() }}
		var own [8]*table
		if !pooled {
			for i := range own {
				own[i] = newTable()
			}
		}
		var held []byte
		n := 0
		return func(x uint64) uint64 {
			n++
			held = make([]byte, 64<<10)
			x = touch(held, x)
			if n%300 == 0 {
				use := own
				for i := range use {
					if pooled {
						use[i] = pool.Get().(*table)
					}
					x += use[i][x%1024].x
				}
				if pooled {
					for _, t := range use {
						pool.Put(t)
					}
				}
			}
			return Spin(steps, x)
		}
	}
}

// handle has a buffer of its own.
type handle struct {
	buf []byte
	x   uint64
}

func finalized(steps, closing int) func([]*twig) op {
	return func([]*twig) op {
		var held *handle
		return func(x uint64) uint64 {
			held = &handle{buf: make([]byte, 2048), x: x}
			runtime.SetFinalizer(held, func(h *handle) { h.x = Spin(closing, h.x) })
			held.buf[0] = byte(x)
			return Spin(steps, x)
		}
	}
}

func closed(steps, closing int) func([]*twig) op {
	return func([]*twig) op {
		held := &handle{buf: make([]byte, 2048)}
		return func(x uint64) uint64 {
			clear(held.buf)
			held.x = x
			held.buf[0] = byte(x)
			x = Spin(steps, x)
			held.x = Spin(closing, held.x)
			return x
		}
	}
}
