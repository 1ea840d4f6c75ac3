package collector

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// MaxRequest is the largest request in bytes that the servers take, before and
// after decompression. It is less where a 16th of [Options.Memory] is.
const MaxRequest = 64 << 20

// maxWindow bounds the memory of a zstd stream's reader.
const maxWindow = 8 << 20

// errEncoding is the error for a compression that is not known.
var errEncoding = errors.New("want gzip, zstd or none")

func (c *Collector) maxRequest() int64 { return min(MaxRequest, c.o.Memory/requestShare) }

// readBody reads a body that is compressed by encoding to its end. The memory for it
// is taken from the share as it comes, so that what a client has not sent costs
// nothing.
func (c *Collector) readBody(r io.Reader, encoding string, s *share) ([]byte, error) {
	switch encoding {
	case "", "identity":
	case "gzip":
		if !s.atLeast(s.n + 64<<10) {
			return nil, ErrBusy
		}
		z := gzipReaders.Get().(*gzip.Reader)
		defer gzipReaders.Put(z)
		if err := z.Reset(r); err != nil {
			return nil, fmt.Errorf("the body is not gzip: %w", err)
		}
		r = z
	case "zstd":
		if !s.atLeast(s.n + maxWindow) {
			return nil, ErrBusy
		}
		z := zstdReaders.Get().(*zstd.Decoder)
		defer zstdReaders.Put(z)
		defer z.Reset(nil)
		if err := z.Reset(r); err != nil {
			return nil, fmt.Errorf("the body is not zstd: %w", err)
		}
		r = z
	default:
		return nil, fmt.Errorf("the encoding is %q, %w", encoding, errEncoding)
	}
	base := s.n
	most := c.maxRequest()
	b := make([]byte, 0, 4<<10)
	for {
		if len(b) == cap(b) {
			size := min(2*int64(cap(b)), most+1)
			if !s.atLeast(base + size + int64(cap(b))) { // both while it is copied
				return nil, ErrBusy
			}
			larger := make([]byte, len(b), size)
			copy(larger, b)
			b = larger
		}
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		switch {
		case int64(len(b)) > most:
			return nil, fmt.Errorf("%w: it has more than %d MiB", errLarge, most>>20)
		case err == io.EOF:
			s.giveBack(int64(cap(b)))
			return b, nil
		case err != nil:
			return nil, err
		}
	}
}

var (
	gzipReaders = sync.Pool{New: func() any { return new(gzip.Reader) }}
	zstdReaders = sync.Pool{New: func() any {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			panic(err) // the options are wrong
		}
		return d
	}}
)
