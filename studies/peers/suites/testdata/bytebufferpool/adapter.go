// Package suite gives Pool.Bytes and Pool.Free the names of bytebufferpool.
package suite

import "github.com/poolproof/poolproof/buffer"

const (
	steps                   = 20
	calibrateCallsThreshold = 42000
)

type ByteBuffer struct{ B []byte }

func (b *ByteBuffer) SetString(s string) { b.B = append(b.B[:0], s...) }
func (b *ByteBuffer) String() string     { return string(b.B) }

// Pool has one buffer.Pool for all: the suite uses the zero value.
type Pool struct{}

var pool = buffer.New(buffer.Options{})

func (Pool) Get() *ByteBuffer  { return &ByteBuffer{pool.Bytes(64)[:0]} }
func (Pool) Put(b *ByteBuffer) { pool.Free(b.B) }

func Get() *ByteBuffer  { return Pool{}.Get() }
func Put(b *ByteBuffer) { Pool{}.Put(b) }
