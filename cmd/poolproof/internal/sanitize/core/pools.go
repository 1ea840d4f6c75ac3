package core

import "unsafe"

// Pools keeps the Idle of each pool, by the pool's address. It needs no lock: a
// slot that has a pool keeps it.
type Pools struct {
	slots *[poolsCount]poolSlot
}

type poolSlot struct {
	pool uint64
	idle Idle
}

const (
	poolsCount = 1 << 14

	// PoolsMemory is what Pools.Init needs.
	PoolsMemory = poolsCount * unsafe.Sizeof(poolSlot{})
)

// Init hands p usable zeroed memory.
func (p *Pools) Init(memory unsafe.Pointer) { p.slots = (*[poolsCount]poolSlot)(memory) }

// Of returns the Idle of a pool. When the table is full some pools share one:
// their hit rates become a guess, nothing else does.
func (p *Pools) Of(pool uintptr) *Idle {
	h := mix(uint64(pool))
	for i := uint64(0); i < 64; i++ {
		s := &p.slots[(h+i)%poolsCount]
		has := hostLoad64(&s.pool)
		if has == 0 && !hostSwap64(&s.pool, 0, uint64(pool)) {
			has = hostLoad64(&s.pool) // somebody else took the slot
		}
		if has == 0 || has == uint64(pool) {
			return &s.idle
		}
	}
	return &p.slots[h%poolsCount].idle
}
