package core

// Repeats tells a Get that is one of very many from one that is worth a closer
// look: the same stack, in the same test, asks the same pool again and again. It
// belongs to one processor, and remembers as many stacks as it has room for; what
// it has forgotten is new again.
type Repeats struct {
	slots [repeatsCount]repeat
}

type repeat struct {
	key uint64
	n   uint32 // how often it was asked for
}

const (
	repeatsCount = 2048

	// RepeatsAll is how many Gets of one stack are followed, each of them, and
	// RepeatsRest of how many one is from then on.
	RepeatsAll  = 1024
	RepeatsRest = 32
)

// RepeatKey returns the key of the Gets of a test on a pool from a stack with the
// hash that HashStack gives.
func RepeatKey(pool uintptr, test uint32, hash uint64) uint64 {
	return mix(hash ^ uint64(pool)<<16 ^ uint64(test))
}

// Pass counts a Get, by its RepeatKey, and reports whether it need not be followed.
func (r *Repeats) Pass(key uint64) bool {
	s, other := &r.slots[key%repeatsCount], &r.slots[key>>32%repeatsCount]
	if s.key != key {
		if other.key == key || other.n < s.n {
			s = other
		}
		if s.key != key {
			s.key, s.n = key, 0
		}
	}
	n := s.n
	if s.n++; s.n == 0 {
		s.n = RepeatsAll // after four thousand million
	}
	return n >= RepeatsAll && n%RepeatsRest != 0
}
