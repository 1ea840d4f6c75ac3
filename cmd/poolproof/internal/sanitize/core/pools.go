package core

import "unsafe"

// Pools keeps what is known of each pool, by the pool's address. It needs no lock:
// a slot that has a pool keeps it.
type Pools struct {
	slots *[poolsCount]poolSlot
}

type poolSlot struct {
	pool uint64
	kept PoolState
}

// A PoolState is the state of one pool.
type PoolState struct {
	Idle   Idle
	Newed  uint32 // not 0: a New has come to its end; changed atomically
	Passed uint32 // not 0: some of its Gets were not followed, see Repeats; changed atomically
}

const (
	poolsCount = 1 << 14

	// PoolsMemory is the size of the memory for Pools.Init.
	PoolsMemory = poolsCount * unsafe.Sizeof(poolSlot{})
)

// Init hands p usable zeroed memory.
func (p *Pools) Init(memory unsafe.Pointer) { p.slots = (*[poolsCount]poolSlot)(memory) }

// Of returns the state of a pool. When the table is full some pools share one:
// their hit rates become a guess, and where Gets of one are not followed, Puts of
// the others' own objects are not either.
func (p *Pools) Of(pool uintptr) *PoolState {
	h := mix(uint64(pool))
	for i := uint64(0); i < 64; i++ {
		s := &p.slots[(h+i)%poolsCount]
		has := hostLoad64(&s.pool)
		if has == 0 && !hostSwap64(&s.pool, 0, uint64(pool)) {
			has = hostLoad64(&s.pool) // another processor took the slot
		}
		if has == 0 || has == uint64(pool) {
			return &s.kept
		}
	}
	return &p.slots[h%poolsCount].kept
}
