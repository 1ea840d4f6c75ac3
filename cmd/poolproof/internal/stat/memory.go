package stat

import (
	"math"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Margins below which a change of memory is not worth a verdict. Shares are of
// the larger side, so that swapping the sides mirrors the class.
const (
	memoryShare = 0.05 // of B/op or allocs/op
	memoryBytes = 16   // B/op, the smallest objects that matter to the collector
)

// memoryClass judges bytes first, because the collector is paid by the byte;
// allocations decide where bytes do not move. Where both move, in opposite
// directions, the class is Mixed and bytesFell says which way. The rule may have
// margins of its own, which the user chose.
func memoryClass(rule study.Rule, allocs, bytes count) (c study.Class, bytesFell bool) {
	b, a := bytesClass(bytes, rule.BytesShare), allocsClass(allocs, rule.AllocsShare)
	switch {
	case b == study.Unresolved || a == study.Unresolved:
		return study.Unresolved, false
	case b == study.Same:
		return a, false
	case a == study.Same || a == b:
		return b, b == study.Better
	}
	return study.Mixed, b == study.Better
}

// share, if not 0, is the user's margin.
func bytesClass(c count, share float64) study.Class {
	least := max(memoryBytes, memoryShare*c.larger())
	if share > 0 {
		least = share * c.larger()
	}
	if c.equal() || math.Abs(c.delta()) < least {
		return study.Same
	}
	return agreed(c)
}

// allocsClass takes one allocation less in every operation as real however
// many there are; otherwise the change must be a share too. share, if not 0, is the
// user's margin, for both.
func allocsClass(c count, share float64) study.Class {
	least := max(1, memoryShare*c.larger())
	switch {
	case share > 0:
		least = share * c.larger()
	case c.integers:
		least = 0
	}
	if c.equal() || math.Abs(c.delta()) < least {
		return study.Same
	}
	return agreed(c)
}

// agreed is the direction that the launches agree on.
func agreed(c count) study.Class {
	if c.unsteady {
		return study.Unresolved
	}
	return direction(c)
}

// direction says which way a counter moved.
func direction(c count) study.Class {
	if c.delta() < 0 {
		return study.Better
	}
	return study.Worse
}
