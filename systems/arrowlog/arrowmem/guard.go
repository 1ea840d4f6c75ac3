package arrowmem

import (
	"errors"
	"fmt"
	"runtime"
	"sort"
	"strings"
	"sync"
	"unsafe"
)

// Guard is an allocator for tests that finds misuse of another one. It panics,
// with the stacks of both calls, when memory is freed twice, was never handed
// out, does not begin where its block begins, or has another length than it had;
// and when memory was written after its Free. [Guard.Close] reports what was not
// freed, with the stacks of the calls that allocated it. It is safe for
// concurrent use and must not be copied.
type Guard struct {
	_     noCopy
	under Allocator
	o     GuardOptions

	mu     sync.Mutex
	blocks map[uintptr]*guarded
	starts []uintptr  // of all blocks, ascending
	queue  []*guarded // freed, oldest first
	queued int
	out    int64
	serial int
}

// freed fills memory after its Free.
const freed = 0xDD

// GuardOptions say how much a [Guard] watches. The zero value is a good one.
type GuardOptions struct {
	// Quarantine is the number of bytes of freed memory that are held back from
	// the allocator, so that a late write is found and a second Free is seen. 0
	// means 16 MiB.
	Quarantine int
}

// guarded is a block that is out or in quarantine.
type guarded struct {
	memory    []byte // with the length that was handed out
	allocated []uintptr
	released  []uintptr // nil while it is out
	serial    int
}

// NewGuard returns an allocator that takes its memory from under and watches
// what is done with it.
func NewGuard(under Allocator, o GuardOptions) *Guard {
	if o.Quarantine == 0 {
		o.Quarantine = 16 << 20
	}
	return &Guard{under: under, o: o, blocks: map[uintptr]*guarded{}}
}

// Allocate returns size bytes of the guarded allocator.
func (g *Guard) Allocate(size int) []byte {
	checkSize("Allocate", size)
	if size == 0 {
		return empty
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.allocate(size)
}

// Reallocate moves b to other memory of size bytes, always, so that a slice of
// the former memory is found when it is used.
func (g *Guard) Reallocate(size int, b []byte) []byte {
	checkSize("Reallocate", size)
	g.mu.Lock()
	defer g.mu.Unlock()
	moved := empty
	if size > 0 {
		moved = g.allocate(size)
		copy(moved, b)
	}
	g.free("Reallocate", b)
	return moved
}

// Free gives b up. It panics if b is not memory that is out.
func (g *Guard) Free(b []byte) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.free("Free", b)
}

// AllocatedBytes returns the sum of the lengths that were handed out and not
// freed, in bytes.
func (g *Guard) AllocatedBytes() int64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.out
}

// Close checks what is in quarantine and returns an error that lists each block
// that was not freed, with the stack of its Allocate.
func (g *Guard) Close() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.drain(0)
	var leaks []*guarded
	for _, b := range g.blocks {
		leaks = append(leaks, b)
	}
	sort.Slice(leaks, func(i, j int) bool { return leaks[i].serial < leaks[j].serial })
	var err error
	for _, b := range leaks {
		err = errors.Join(err, fmt.Errorf("arrowmem: %d bytes were not freed; allocated at\n%s", len(b.memory), stackText(b.allocated)))
	}
	return err
}

func (g *Guard) allocate(size int) []byte {
	b := &guarded{memory: g.under.Allocate(size), allocated: callers(), serial: g.serial}
	g.serial++
	if len(b.memory) != size {
		panic(fmt.Sprintf("arrowmem: Guard: Allocate(%d) of %T returned %d bytes", size, g.under, len(b.memory)))
	}
	start := address(b.memory)
	if other := g.blocks[start]; other != nil {
		panic(fmt.Sprintf("arrowmem: Guard: %T handed the memory at %#x out twice; first allocated at\n%s", g.under, start, stackText(other.allocated)))
	}
	g.blocks[start] = b
	i := sort.Search(len(g.starts), func(i int) bool { return g.starts[i] >= start })
	g.starts = append(g.starts, 0)
	copy(g.starts[i+1:], g.starts[i:])
	g.starts[i] = start
	g.out += int64(size)
	return b.memory
}

func (g *Guard) free(method string, b []byte) {
	if cap(b) == 0 {
		return
	}
	start := address(b)
	known := g.blocks[start]
	switch {
	case known == nil:
		g.foreign(method, b, start)
	case len(b) != len(known.memory):
		panic(fmt.Sprintf("arrowmem: Guard: %s with %d bytes of a block that was handed out with %d; allocated at\n%s",
			method, len(b), len(known.memory), stackText(known.allocated)))
	}
	known.released = callers()
	delete(g.blocks, start)
	i := sort.Search(len(g.starts), func(i int) bool { return g.starts[i] >= start })
	g.starts = append(g.starts[:i], g.starts[i+1:]...)
	g.out -= int64(len(b))
	whole := known.memory[:cap(known.memory)]
	for i := range whole {
		whole[i] = freed
	}
	g.queue = append(g.queue, known)
	g.queued += cap(known.memory)
	g.drain(g.o.Quarantine)
}

// foreign panics: b is not memory that is out.
func (g *Guard) foreign(method string, b []byte, start uintptr) {
	for _, q := range g.queue {
		if address(q.memory) == start {
			panic(fmt.Sprintf("arrowmem: Guard: %s of %d bytes that are free already; allocated at\n%s\nfreed at\n%s",
				method, len(b), stackText(q.allocated), stackText(q.released)))
		}
	}
	if i := sort.Search(len(g.starts), func(i int) bool { return g.starts[i] > start }) - 1; i >= 0 {
		if in := g.blocks[g.starts[i]]; start < g.starts[i]+uintptr(cap(in.memory)) {
			panic(fmt.Sprintf("arrowmem: Guard: %s of memory that begins %d bytes after the start of its block; allocated at\n%s",
				method, start-g.starts[i], stackText(in.allocated)))
		}
	}
	panic(fmt.Sprintf("arrowmem: Guard: %s of %d bytes at %#x that were never allocated here", method, len(b), start))
}

// drain gives the oldest blocks back to the allocator until at most keep bytes
// are in quarantine, and panics if one was written after its Free.
func (g *Guard) drain(keep int) {
	for g.queued > keep && len(g.queue) > 0 {
		b := g.queue[0]
		g.queue[0] = nil
		g.queue = g.queue[1:]
		g.queued -= cap(b.memory)
		for i, c := range b.memory[:cap(b.memory)] {
			if c != freed {
				panic(fmt.Sprintf("arrowmem: Guard: byte %d of a block of %d was written after its Free; allocated at\n%s\nfreed at\n%s",
					i, len(b.memory), stackText(b.allocated), stackText(b.released)))
			}
		}
		g.under.Free(b.memory)
	}
}

func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// callers returns the stack above the method of the Guard.
func callers() []uintptr {
	pcs := make([]uintptr, 32)
	return pcs[:runtime.Callers(4, pcs)]
}

func stackText(pcs []uintptr) string {
	var text strings.Builder
	frames := runtime.CallersFrames(pcs)
	for {
		f, more := frames.Next()
		fmt.Fprintf(&text, "\t%s\n\t\t%s:%d\n", f.Function, f.File, f.Line)
		if !more {
			return strings.TrimSuffix(text.String(), "\n")
		}
	}
}
