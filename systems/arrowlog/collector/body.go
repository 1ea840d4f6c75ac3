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

// What the readers of compressed bodies take.
const (
	gzipBytes = 64 << 10
	maxWindow = 8 << 20
	zstdBytes = maxWindow + 2<<20
)

// A request takes requestBytes before anything of its body is read: for its goroutine, its
// header and the first bytes.
const (
	requestBytes = 16 << 10
	firstBytes   = 4 << 10
)

// errEncoding is the error for a compression that is not known.
var errEncoding = errors.New("want gzip, zstd or none")

func (c *Collector) maxRequest() int64 { return min(MaxRequest, c.o.Memory/requestShare) }

// readBody reads a body of length bytes, or of an unknown length if that is negative,
// which is compressed by encoding, to its end. The memory for it is taken from the share
// as it comes, so that what a client has not sent costs nothing.
func (c *Collector) readBody(r io.Reader, length int64, encoding string, s *share) ([]byte, error) {
	most := c.maxRequest()
	if length > most {
		return nil, fmt.Errorf("%w: it has %d bytes, at most %d are taken", errLarge, length, most)
	}
	switch encoding {
	case "", "identity":
		if length >= 0 {
			most = length
		}
	case "gzip":
		if !s.more(gzipBytes) {
			return nil, ErrBusy
		}
		z := gzipReaders.Get().(*gzip.Reader)
		defer gzipReaders.Put(z)
		if err := z.Reset(r); err != nil {
			return nil, fmt.Errorf("the body is not gzip: %w", err)
		}
		r = z
	case "zstd":
		if !s.more(zstdBytes) {
			return nil, ErrBusy
		}
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, fmt.Errorf("the body is not zstd: %w", err)
		}
		defer z.Close()
		r = z
	default:
		return nil, fmt.Errorf("the encoding is %q, %w", encoding, errEncoding)
	}
	b := make([]byte, 0, min(firstBytes, most+1)) // the share has it
	for {
		if len(b) == cap(b) {
			size := min(2*int64(cap(b)), most+1)
			if !s.more(size) {
				return nil, ErrBusy
			}
			larger := make([]byte, len(b), size)
			copy(larger, b)
			s.shrink(s.n - int64(cap(b)))
			b = larger
		}
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		switch {
		case int64(len(b)) > most:
			return nil, fmt.Errorf("%w: it has more than %d MiB", errLarge, most>>20)
		case err == io.EOF:
			s.shrink(requestBytes + int64(cap(b)))
			return b, nil
		case err != nil:
			return nil, err
		}
	}
}

var gzipReaders = sync.Pool{New: func() any { return new(gzip.Reader) }}
