package poolthreshold

import "sync"

// SyncPool is the arm syncpool: a sync.Pool of pointers to slices, because a
// slice itself would be allocated anew with each Put.
type SyncPool struct {
	user
	blocks sync.Pool
}

// NewSyncPool returns the arm for blocks of a size.
func NewSyncPool(size Size) *SyncPool {
	p := &SyncPool{user: newUser(size)}
	p.blocks.New = func() any {
		block := make([]byte, p.size)
		return &block
	}
	return p
}

// Uses implements Arm.
func (p *SyncPool) Uses(n int) (sum uint64) {
	for range n {
		block := p.blocks.Get().(*[]byte)
		sum += p.use(*block, p.data)
		p.blocks.Put(block)
	}
	return sum
}
