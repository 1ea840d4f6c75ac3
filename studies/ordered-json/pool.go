package orderedjson

import (
	"bytes"
	"encoding/json"

	"github.com/poolproof/poolproof/pool"
)

// The published limits, in bytes: what a buffer has at first, and the most
// that one may have to be kept.
const (
	pooledSize = 4 << 10
	keptSize   = 1 << 20
)

var buffers = pool.New(pool.Options[bytes.Buffer]{
	New:   func() *bytes.Buffer { return bytes.NewBuffer(make([]byte, 0, pooledSize)) },
	Reset: (*bytes.Buffer).Reset,
})

// release gives a buffer back, if it is not too large to be kept.
func release(b *bytes.Buffer) {
	if b.Cap() <= keptSize {
		buffers.Put(b)
	}
}

// Pool is the arm pool: a pooled buffer, its content copied out before it goes
// back. The result is the caller's.
func Pool(d *Document) ([]byte, error) {
	out := buffers.Get()
	defer release(out)
	if err := writeOrdered(out, d.root, d.values); err != nil {
		return nil, err
	}
	return bytes.Clone(out.Bytes()), nil
}

// PoolIndent indents what Pool returns, in a pooled buffer as well. The result
// is the caller's.
func PoolIndent(d *Document) ([]byte, error) {
	compact, err := Pool(d)
	if err != nil {
		return nil, err
	}
	out := buffers.Get()
	defer release(out)
	if err := json.Indent(out, compact, "", indent); err != nil {
		return nil, err
	}
	return bytes.Clone(out.Bytes()), nil
}
