package arrowallocators

import (
	"sync"
	"sync/atomic"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/klauspost/compress/zstd"
)

// allLiterals says whether the arrow-go of this build compresses literals where
// that gains little. 18.4.1 does not, 18.8.0 does.
const allLiterals = arrow.PkgVersion != "18.4.1"

// maxEncoders is how many encoders of a level a Codec keeps. More are in use
// only while more pages are compressed at once.
const maxEncoders = 16

// Codec is a zstd codec for Parquet pages that uses its encoders again. They
// lie in a list and not in a sync.Pool: a path that makes much garbage empties
// a sync.Pool as fast as it fills it. Safe for concurrent use.
type Codec struct {
	compress.Codec // arrow-go's own, for all but encoding

	mu   sync.Mutex
	free map[zstd.EncoderLevel][]*zstd.Encoder

	made atomic.Int64
}

// NewCodec returns a codec without encoders.
func NewCodec() (*Codec, error) {
	own, err := compress.GetCodec(compress.Codecs.Zstd)
	if err != nil {
		return nil, err
	}
	return &Codec{Codec: own, free: map[zstd.EncoderLevel][]*zstd.Encoder{}}, nil
}

// Register makes c the zstd codec of the process, and returns a function that
// ends that. The registry of arrow-go has no lock: nothing may write or read
// Parquet meanwhile.
func (c *Codec) Register() (restore func()) {
	own, _ := compress.GetCodec(compress.Codecs.Zstd) // NewCodec has found one
	compress.RegisterCodec(compress.Codecs.Zstd, c)
	return func() { compress.RegisterCodec(compress.Codecs.Zstd, own) }
}

// Made is the number of encoders made so far.
func (c *Codec) Made() int64 { return c.made.Load() }

// Encode compresses src at the default level.
func (c *Codec) Encode(dst, src []byte) []byte {
	return c.EncodeLevel(dst, src, compress.DefaultCompressionLevel)
}

// EncodeLevel compresses src, into the memory of dst if that suffices.
func (c *Codec) EncodeLevel(dst, src []byte, level int) []byte {
	l := zstd.SpeedDefault
	if level != compress.DefaultCompressionLevel {
		l = zstd.EncoderLevelFromZstd(level)
	}
	e := c.get(l)
	out := e.EncodeAll(src, dst[:0])
	c.put(l, e)
	return out
}

func (c *Codec) get(level zstd.EncoderLevel) *zstd.Encoder {
	c.mu.Lock()
	defer c.mu.Unlock()
	if free := c.free[level]; len(free) > 0 {
		e := free[len(free)-1]
		c.free[level] = free[:len(free)-1]
		return e
	}
	c.made.Add(1)
	// One inner encoder: EncodeAll uses one, and by default there would be as
	// many as processors. All else as in arrow-go, so that its files come out.
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1),
		zstd.WithZeroFrames(true), zstd.WithEncoderLevel(level), zstd.WithAllLitEntropyCompression(allLiterals))
	if err != nil {
		panic(err) // the options are constants
	}
	return e
}

func (c *Codec) put(level zstd.EncoderLevel, e *zstd.Encoder) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.free[level]) < maxEncoders {
		c.free[level] = append(c.free[level], e)
	}
}
