package orderedjsontemplates

import (
	"bytes"

	"github.com/poolproof/poolproof/pool"
)

var small, medium, large = newBuffers(smallSize), newBuffers(mediumSize), newBuffers(largeSize)

// tier is chosen by the number of operations, when a buffer is taken and when
// it is given back, as published. So a buffer that has grown in a tier stays
// there: the name of a tier says what its buffers had at first, not what they
// have.
func tier(operations int) *pool.Pool[bytes.Buffer] {
	switch {
	case operations < 10:
		return small
	case operations < 50:
		return medium
	}
	return large
}

// Tiers is the arm tiers: a pool by the number of operations, the content
// copied out.
func Tiers(p Part, m *Model, finish Finish) ([]byte, error) {
	source, err := copied(tier(len(m.Operations)), p, m)
	if err != nil {
		return nil, err
	}
	return finish(source)
}
