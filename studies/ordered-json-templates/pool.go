package orderedjsontemplates

import (
	"bytes"

	"github.com/poolproof/poolproof/pool"
)

// The sizes are the published ones, in bytes: what the buffers of a tier have
// at first, and the most that one may have to be kept.
const (
	smallSize  = 8 << 10
	mediumSize = 32 << 10
	largeSize  = 64 << 10
	keptSize   = 1 << 20
)

func newBuffers(size int) *pool.Pool[bytes.Buffer] {
	return pool.New(pool.Options[bytes.Buffer]{
		New:   func() *bytes.Buffer { return bytes.NewBuffer(make([]byte, 0, size)) },
		Reset: (*bytes.Buffer).Reset,
	})
}

// buffers serves the arms pool and lend. All that the published generator uses
// of its tiers is this size.
var buffers = newBuffers(mediumSize)

// release gives a buffer back, if it is not too large to be kept.
func release(to *pool.Pool[bytes.Buffer], b *bytes.Buffer) {
	if b.Cap() <= keptSize {
		to.Put(b)
	}
}

// Pool is the arm pool: one pool, the content copied out.
func Pool(p Part, m *Model, finish Finish) ([]byte, error) {
	source, err := copied(buffers, p, m)
	if err != nil {
		return nil, err
	}
	return finish(source)
}

// copied returns a copy of what the template wrote.
func copied(from *pool.Pool[bytes.Buffer], p Part, m *Model) ([]byte, error) {
	out := from.Get()
	defer release(from, out)
	if err := execute(out, p, m); err != nil {
		return nil, err
	}
	return bytes.Clone(out.Bytes()), nil
}
