package arrowmem

import (
	"errors"
	"fmt"
	"sort"
	"strings"
	"sync"
	"unsafe"
)

// Offheap keeps memory that it maps from the kernel, without cgo. The garbage
// collector neither scans nor counts it, GOMEMLIMIT does not include it, and C
// code may keep pointers to it. So publish AllocatedBytes and MappedBytes as
// metrics. The memory must not hold Go pointers.
//
// Free checks the address exactly: it panics if the memory is not a block of the
// allocator or is free already. An Allocate for which the kernel has no memory
// panics, since arrow-go's interface has no error. Offheap is safe for concurrent
// use and must not be copied.
type Offheap struct {
	_ noCopy

	mu       sync.Mutex
	o        Options
	regions  []*region // ascending by address
	free     [classes][]block
	retained int64 // bytes of single-block regions that are free
	mapped   int64
	out      int64
	closed   bool
}

// region is one mapping, cut into blocks of one size.
type region struct {
	memory []byte
	size   int   // of a block, in bytes
	class  int   // -1: above the largest class, unmapped by Free
	length []int // of each block that is out; free or not yet used: -1
	used   int   // blocks that were handed out at least once
	live   int   // blocks that are out
}

// block is a position in a region.
type block struct {
	region *region
	index  int
}

// carvedMax is the size in bytes of the largest class whose blocks share a
// mapping, and regionSize the least size of such a mapping.
const (
	carvedMax  = 1 << 20
	regionSize = 4 << 20
)

// NewOffheap returns an allocator that has mapped nothing yet. The error wraps
// [errors.ErrUnsupported] on systems where memory cannot be mapped.
func NewOffheap(o Options) (*Offheap, error) {
	if !canMap {
		return nil, fmt.Errorf("arrowmem: memory outside of the Go heap: %w on this system, use NewRecycler", errors.ErrUnsupported)
	}
	return &Offheap{o: o.withDefaults()}, nil
}

// Allocate returns size zero bytes that begin at a multiple of 64. Their
// capacity is that of their class. The caller owns them until Free.
func (a *Offheap) Allocate(size int) []byte {
	checkSize("Allocate", size)
	if size == 0 {
		return empty
	}
	b, dirty := a.take(size)
	if dirty && !a.o.NoZero {
		clear(b)
	}
	return b
}

// Reallocate returns memory of size bytes that begins with those of b, followed
// by zeros. The caller gives b up: the result may be its memory or another.
func (a *Offheap) Reallocate(size int, b []byte) []byte {
	checkSize("Reallocate", size)
	if len(b) == 0 && cap(b) == 0 {
		return a.Allocate(size)
	}
	if size > 0 && size <= cap(b) && size > cap(b)/2 {
		a.resize(b, size)
		old := len(b)
		b = b[:size]
		if size > old && !a.o.NoZero {
			clear(b[old:])
		}
		return b
	}
	moved := empty
	if size > 0 {
		var dirty bool
		moved, dirty = a.take(size)
		n := copy(moved, b)
		if dirty && !a.o.NoZero {
			clear(moved[n:])
		}
	}
	a.Free(b)
	return moved
}

// Free gives b up. It panics, naming the address, if b does not begin a block
// that is out.
func (a *Offheap) Free(b []byte) {
	if cap(b) == 0 {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	at := a.find("Free", b)
	r := at.region
	a.out -= int64(r.length[at.index])
	r.length[at.index] = -1
	r.live--
	if r.class >= 0 && (r.size <= carvedMax || a.retained+int64(r.size) <= a.o.MaxRetained) {
		if r.size > carvedMax {
			a.retained += int64(r.size)
		}
		a.free[r.class] = append(a.free[r.class], at)
		return
	}
	a.unmap(r)
}

// AllocatedBytes returns the sum of the lengths that were handed out and not
// freed, in bytes.
func (a *Offheap) AllocatedBytes() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.out
}

// MappedBytes returns the number of bytes that are mapped from the kernel. It
// includes pages that were never touched and so use no memory yet.
func (a *Offheap) MappedBytes() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.mapped
}

// Trim unmaps every mapping that has no block out.
func (a *Offheap) Trim() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for class := range a.free {
		kept := a.free[class][:0]
		for _, at := range a.free[class] {
			if at.region.live > 0 {
				kept = append(kept, at)
			}
		}
		clear(a.free[class][len(kept):])
		a.free[class] = kept
	}
	a.retained = 0 // what was retained has no block out
	for _, r := range append([]*region(nil), a.regions...) {
		if r.live == 0 {
			a.unmap(r)
		}
	}
}

// Close unmaps everything, what is still out included, and returns an error that
// lists that. Memory of the allocator must not be touched afterwards. A later
// Allocate panics; a second Close returns nil.
func (a *Offheap) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return nil
	}
	a.closed = true
	err := a.leaks()
	for _, r := range append([]*region(nil), a.regions...) {
		err = errors.Join(err, a.unmap(r))
	}
	a.free = [classes][]block{}
	return err
}

// leaks returns an error that lists the first blocks that are out. The caller
// holds the lock.
func (a *Offheap) leaks() error {
	const most = 10
	var (
		list  strings.Builder
		count int
	)
	for _, r := range a.regions {
		for i, n := range r.length {
			if n < 0 {
				continue
			}
			if count++; count <= most {
				fmt.Fprintf(&list, "\n\t%d bytes at %p", n, &r.memory[i*r.size])
			}
		}
	}
	if count == 0 {
		return nil
	}
	if count > most {
		fmt.Fprintf(&list, "\n\tand %d more", count-most)
	}
	return fmt.Errorf("arrowmem: Close: %d blocks, %d bytes, were not freed (a Guard names the callers):%s", count, a.out, &list)
}

// take hands out a block and says whether its memory was used before.
func (a *Offheap) take(size int) (b []byte, dirty bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		panic("arrowmem: Allocate after Close")
	}
	a.out += int64(size)
	if size > min(largestClass, a.o.MaxBlock) {
		r := a.add(pageRound(size), -1)
		return r.hand(0, size), false
	}
	class := classOf(size)
	if last := len(a.free[class]) - 1; last >= 0 {
		at := a.free[class][last]
		a.free[class] = a.free[class][:last]
		if at.region.size > carvedMax {
			a.retained -= int64(at.region.size)
		}
		// A block that was cut in advance and never handed out is still zero.
		dirty = at.index < at.region.used
		at.region.used = max(at.region.used, at.index+1)
		return at.region.hand(at.index, size), dirty
	}
	r := a.add(classSize(class), class)
	for i := len(r.length) - 1; i > 0; i-- { // so that the first is taken first
		a.free[class] = append(a.free[class], block{r, i})
	}
	r.used = 1
	return r.hand(0, size), false
}

// hand returns a block of the region and records that it is out.
func (r *region) hand(index, size int) []byte {
	r.length[index] = size
	r.live++
	start := index * r.size
	return r.memory[start : start+size : start+r.size]
}

// resize records the new length of a block.
func (a *Offheap) resize(b []byte, size int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	at := a.find("Reallocate", b)
	a.out += int64(size - at.region.length[at.index])
	at.region.length[at.index] = size
}

// find returns the block that begins where b begins. It panics if there is none
// or if it is free.
func (a *Offheap) find(method string, b []byte) block {
	start := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	i := sort.Search(len(a.regions), func(i int) bool { return a.regions[i].end() > start })
	if i == len(a.regions) || a.regions[i].start() > start {
		panic(fmt.Sprintf("arrowmem: %s: the memory at %#x is not from this allocator", method, start))
	}
	r := a.regions[i]
	offset := int(start - r.start())
	index := offset / r.size
	switch {
	case offset%r.size != 0:
		panic(fmt.Sprintf("arrowmem: %s: the memory at %#x begins %d bytes after the block that it is part of; free the block from its start",
			method, start, offset%r.size))
	case r.length[index] < 0:
		panic(fmt.Sprintf("arrowmem: %s: the block at %#x is free already", method, start))
	}
	return block{r, index}
}

// add maps a region for blocks of a size.
func (a *Offheap) add(size, class int) *region {
	blocks := 1
	if class >= 0 && size <= carvedMax {
		blocks = regionSize / size
	}
	memory, err := mapMemory(pageRound(blocks * size))
	if err != nil {
		panic(fmt.Sprintf("arrowmem: the kernel maps no %d bytes: %v; %d are mapped", pageRound(blocks*size), err, a.mapped))
	}
	r := &region{memory: memory, size: size, class: class, length: make([]int, blocks)}
	for i := range r.length {
		r.length[i] = -1
	}
	i := sort.Search(len(a.regions), func(i int) bool { return a.regions[i].start() > r.start() })
	a.regions = append(a.regions, nil)
	copy(a.regions[i+1:], a.regions[i:])
	a.regions[i] = r
	a.mapped += int64(len(memory))
	return r
}

// unmap gives a region back to the kernel.
func (a *Offheap) unmap(r *region) error {
	i := sort.Search(len(a.regions), func(i int) bool { return a.regions[i].start() >= r.start() })
	a.regions = append(a.regions[:i], a.regions[i+1:]...)
	a.mapped -= int64(len(r.memory))
	return unmapMemory(r.memory)
}

func (r *region) start() uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(r.memory))) }
func (r *region) end() uintptr   { return r.start() + uintptr(len(r.memory)) }

func pageRound(n int) int { return (n + pageSize - 1) &^ (pageSize - 1) }
