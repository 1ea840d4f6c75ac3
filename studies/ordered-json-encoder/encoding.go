package orderedjsonencoder

import (
	"bytes"
	"encoding/json"

	"github.com/poolproof/poolproof/pool"
)

// Encoding is how a method MarshalJSON encodes what it has put together.
type Encoding interface {
	// Encode returns v in JSON. The result is the caller's.
	Encode(v any) ([]byte, error)
}

// Marshal is the arm marshal: json.Marshal, as it was before the pool.
type Marshal struct{}

// Encode returns v in JSON.
func (Marshal) Encode(v any) ([]byte, error) { return json.Marshal(v) }

// Pool is the arm pool: an Encoder on a pooled buffer, its content copied out,
// as published.
type Pool struct{}

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

// Encode returns v in JSON.
func (Pool) Encode(v any) ([]byte, error) {
	b := buffers.Get()
	defer release(b)
	if err := json.NewEncoder(b).Encode(v); err != nil {
		return nil, err
	}
	return bytes.Clone(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}
