//go:build linux || darwin || dragonfly || freebsd || netbsd || openbsd

package arrowallocators

import (
	"errors"
	"fmt"
	"sync"
	"syscall"
	"unsafe"
)

// slabSize is the size of a mapping, in bytes, from which blocks up to
// carvedMax are cut. Larger blocks have a mapping of their own.
const (
	slabSize  = 4 << 20
	carvedMax = 1 << 20
)

// Offheap is the arm offheap: a Recycler whose blocks are mapped from the
// kernel, without cgo. The collector neither scans nor counts nor frees them,
// so a buffer that is never released is lost until Close.
//
// What exceeds the largest class is Go memory. The memory of a block must hold
// no Go pointers. Freeing memory that is not a block of the allocator, but
// looks so, and freeing a block twice panic.
type Offheap struct {
	Recycler
	slabs *slabs
}

// NewOffheap returns an allocator without memory; it maps what it needs. An
// operation for which the kernel has no memory panics, since arrow-go's
// interface has no error.
func NewOffheap() (*Offheap, error) {
	s := &slabs{blocks: map[*byte]*offheapBlock{}}
	return &Offheap{Recycler: Recycler{blocks: s}, slabs: s}, nil
}

// Close unmaps everything. Nothing that was handed out may be used any more,
// nor the allocator. The error says what was still out; it is unmapped too.
func (o *Offheap) Close() error { return o.slabs.close() }

type slabs struct {
	mu       sync.Mutex
	free     [classes][]*offheapBlock
	blocks   map[*byte]*offheapBlock // by the first byte
	mappings [][]byte
	rest     []byte // of the current slab
	mapped   int64
}

type offheapBlock struct {
	memory []byte
	free   bool
}

func (s *slabs) get(class int) (block []byte, dirty bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last := len(s.free[class]) - 1; last >= 0 {
		b := s.free[class][last]
		s.free[class] = s.free[class][:last]
		b.free = false
		return b.memory, true
	}
	b := &offheapBlock{memory: s.cut(classSize(class))}
	s.blocks[unsafe.SliceData(b.memory)] = b
	return b.memory, false // the kernel's pages are zero
}

// cut returns memory that was never used.
func (s *slabs) cut(size int) []byte {
	if size > carvedMax {
		return s.mapping(size)[:size:size]
	}
	if size > len(s.rest) {
		s.rest = s.mapping(slabSize) // what was left of the last is lost
	}
	b := s.rest[:size:size]
	s.rest = s.rest[size:]
	return b
}

func (s *slabs) mapping(size int) []byte {
	m, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		panic(fmt.Sprintf("arrowallocators: the kernel maps no %d bytes: %v; %d are mapped", size, err, s.mapped))
	}
	s.mappings = append(s.mappings, m)
	s.mapped += int64(len(m))
	return m
}

func (s *slabs) put(class int, block []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.blocks[unsafe.SliceData(block)]
	switch {
	case b == nil || len(b.memory) != len(block):
		panic(fmt.Sprintf("arrowallocators: freed memory at %p is no block of this allocator", block))
	case b.free:
		panic(fmt.Sprintf("arrowallocators: the block at %p is freed twice", block))
	}
	b.free = true
	s.free[class] = append(s.free[class], b)
}

func (s *slabs) held() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mapped
}

func (s *slabs) close() (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out, bytes int
	for _, b := range s.blocks {
		if !b.free {
			out++
			bytes += len(b.memory)
		}
	}
	if out > 0 {
		err = fmt.Errorf("arrowallocators: %d blocks of %d bytes in all were not freed", out, bytes)
	}
	for _, m := range s.mappings {
		err = errors.Join(err, syscall.Munmap(m))
	}
	s.blocks, s.free, s.mappings, s.rest, s.mapped = map[*byte]*offheapBlock{}, [classes][]*offheapBlock{}, nil, nil, 0
	return err
}
