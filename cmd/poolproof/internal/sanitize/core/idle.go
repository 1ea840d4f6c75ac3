package core

// Idle counts how many objects the real pool would hold now. It stands for all
// processors together, as if a Get found what any processor has put. It is one
// word, which several processors may change at a time:
//
//	bits 48 to 63  number of the collection that was last seen
//	bits 24 to 47  objects left from before it: the pool's victims
//	bits 0 to 23   objects put since it began
type Idle uint64

const (
	idleEpoch  = 48
	idleVictim = 24
	idleCount  = 1<<24 - 1 // beyond that many objects none is counted
)

// Put counts an object that comes back in an epoch: between two collections.
func (c *Idle) Put(epoch uint32) {
	for {
		old := hostLoad64((*uint64)(c))
		now := rolled(old, epoch)
		if now&idleCount < idleCount {
			now++
		}
		if now == old || hostSwap64((*uint64)(c), old, now) {
			return
		}
	}
}

// Get reports whether the pool would have had an object.
func (c *Idle) Get(epoch uint32) bool {
	for {
		old := hostLoad64((*uint64)(c))
		now, hit := rolled(old, epoch), true
		switch {
		case now&idleCount > 0:
			now--
		case now>>idleVictim&idleCount > 0:
			now -= 1 << idleVictim
		default:
			hit = false
		}
		if now == old || hostSwap64((*uint64)(c), old, now) {
			return hit
		}
	}
}

// rolled is a count after what the collections since its epoch have done to
// the pool: each drops the victims and makes victims of the rest.
func rolled(c uint64, epoch uint32) uint64 {
	now := uint64(uint16(epoch)) << idleEpoch
	switch uint16(epoch) - uint16(c>>idleEpoch) {
	case 0:
		return c
	case 1:
		return now | c&idleCount<<idleVictim
	}
	return now
}
