// Package suite gives buffers of Pool.Append the names of zap's.
package suite

import (
	"strconv"
	"time"

	"github.com/poolproof/poolproof/buffer"
)

const _size = 1024

type Pool struct{ pool *buffer.Pool }

func NewPool() Pool { return Pool{buffer.New(buffer.Options{Start: _size})} }

func (p Pool) Get() *Buffer { return &Buffer{p.pool.Append()} }

type Buffer struct{ *buffer.Buffer }

func (b *Buffer) Free() { b.Release() }

func (b *Buffer) AppendByte(c byte)     { b.WriteByte(c) }
func (b *Buffer) AppendString(s string) { b.WriteString(s) }
func (b *Buffer) AppendInt(i int64)     { b.Write(strconv.AppendInt(b.AvailableBuffer(), i, 10)) }
func (b *Buffer) AppendUint(i uint64)   { b.Write(strconv.AppendUint(b.AvailableBuffer(), i, 10)) }
func (b *Buffer) AppendBool(v bool)     { b.Write(strconv.AppendBool(b.AvailableBuffer(), v)) }
func (b *Buffer) AppendFloat(f float64, bits int) {
	b.Write(strconv.AppendFloat(b.AvailableBuffer(), f, 'f', -1, bits))
}
func (b *Buffer) AppendTime(t time.Time, layout string) {
	b.Write(t.AppendFormat(b.AvailableBuffer(), layout))
}
