package arrowallocators

import (
	"sync"
	"sync/atomic"
)

// maxHeld is how much a list allocator keeps, in bytes. What is freed beyond it
// goes to the collector.
const maxHeld = 64 << 20

// NewLists returns the arm recycle: free blocks of the Go heap lie in a list
// for each class. They survive collections.
func NewLists() *Recycler { return &Recycler{blocks: new(lists)} }

type lists struct {
	bytes atomic.Int64 // of the free blocks
	class [classes]struct {
		mu   sync.Mutex
		free [][]byte
	}
}

func (l *lists) get(class int) (block []byte, dirty bool) {
	c := &l.class[class]
	c.mu.Lock()
	if last := len(c.free) - 1; last >= 0 {
		block = c.free[last]
		c.free[last] = nil
		c.free = c.free[:last]
	}
	c.mu.Unlock()
	if block == nil {
		return alignedMake(classSize(class)), false
	}
	l.bytes.Add(int64(-len(block)))
	return block, true
}

func (l *lists) put(class int, block []byte) {
	if l.bytes.Add(int64(len(block))) > maxHeld {
		l.bytes.Add(int64(-len(block)))
		return
	}
	c := &l.class[class]
	c.mu.Lock()
	c.free = append(c.free, block)
	c.mu.Unlock()
}

func (l *lists) held() int64 { return l.bytes.Load() }
