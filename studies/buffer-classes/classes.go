package bufferclasses

import "github.com/poolproof/poolproof/buffer"

// Classes is the arms classes and reserve: a buffer.Pool.
type Classes struct{ buffers *buffer.Pool }

// NewClasses returns the arm classes.
func NewClasses(flight int) Arm {
	return newRing[*buffer.Buffer](&Classes{buffer.New(buffer.Options{})}, flight)
}

// reserve is how many bytes the arm reserve may keep across collections: the
// mean file of 10 KB for each of 16 buffers in flight, with some room.
const reserve = 256 << 10

// NewReserve returns the arm reserve.
func NewReserve(flight int) Arm {
	return newRing[*buffer.Buffer](&Classes{buffer.New(buffer.Options{Reserve: reserve})}, flight)
}

func (c *Classes) get(size int) *buffer.Buffer { return c.buffers.Get(size) }
func (c *Classes) empty() *buffer.Buffer       { return c.buffers.Append() }

func (c *Classes) write(b *buffer.Buffer, p []byte) *buffer.Buffer {
	b.Write(p) // has no error
	return b
}

func (c *Classes) bytes(b *buffer.Buffer) []byte { return b.Bytes() }
func (c *Classes) holds(b *buffer.Buffer) int    { return b.Cap() }
func (c *Classes) put(b *buffer.Buffer)          { b.Release() }

// made counts misses: no file is above Options.Max, where others would be made.
func (c *Classes) made() uint64 { return c.buffers.Stats().Misses }
