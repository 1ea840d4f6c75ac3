package poolthreshold

import "github.com/poolproof/poolproof/pool"

// Pool is the arm pool: a pool.Pool without any rule but how to make a block.
type Pool struct {
	user
	blocks *pool.Pool[[]byte]
}

// NewPool returns the arm for blocks of a size.
func NewPool(size Size) *Pool {
	return &Pool{newUser(size), pool.New(pool.Options[[]byte]{New: func() *[]byte {
		block := make([]byte, size)
		return &block
	}})}
}

// Uses implements Arm.
func (p *Pool) Uses(n int) (sum uint64) {
	for range n {
		block := p.blocks.Get()
		sum += p.use(*block, p.data)
		p.blocks.Put(block)
	}
	return sum
}
