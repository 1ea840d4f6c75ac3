package arrowallocators

import (
	"sync"
	"unsafe"
)

// NewSyncPool returns the arm syncpool: free blocks of the Go heap lie in a
// sync.Pool for each class, which loses them after two collections without a
// use.
func NewSyncPool() *Recycler { return &Recycler{blocks: new(pools)} }

// pools holds the first byte of each block. A slice would be put into an
// interface, which allocates; a pointer is an interface's word as it is. The
// length is that of the class.
type pools [classes]sync.Pool

func (p *pools) get(class int) (block []byte, dirty bool) {
	first, _ := p[class].Get().(*byte)
	if first == nil {
		return alignedMake(classSize(class)), false
	}
	return unsafe.Slice(first, classSize(class)), true
}

func (p *pools) put(class int, block []byte) { p[class].Put(unsafe.SliceData(block)) }

// held is nothing: each block may go with the next collection but one.
func (p *pools) held() int64 { return 0 }
