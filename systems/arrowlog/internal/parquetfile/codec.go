package parquetfile

import (
	"bytes"
	"fmt"
	"io"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

// MaxPage is the largest page, in bytes after decompression. Writers make pages of
// about a megabyte; only a single large value makes one larger.
var MaxPage = 256 << 20

// MaxHeld is the largest size of all pages at hand of a file, in bytes: one of each
// column that is read, before and after decompression.
var MaxHeld int64 = 1 << 30

// ratios are how many bytes one byte can stand for at most: a zstd block of 128 KiB
// that repeats one byte takes four bytes, the longest copy of deflate (258) two bits,
// that of snappy (64) three bytes. Brotli has no such bound.
var ratios = map[format.CompressionCodec]int{
	format.Snappy: 64 / 3,
	format.Gzip:   258 * 4,
	format.Zstd:   128 << 10 / 4,
	format.Lz4Raw: 255,
}

var zstdReaders = sync.Pool{New: func() any {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		panic(err) // the options are wrong
	}
	return d
}}

// decompress returns what src stands for, which is size bytes, in the memory of dst
// as far as it goes.
func decompress(codec format.CompressionCodec, dst, src []byte, size int) ([]byte, error) {
	if codec == format.Uncompressed {
		if len(src) != size {
			return nil, fmt.Errorf("%d bytes that are not compressed say that they are %d", len(src), size)
		}
		return src, nil
	}
	if size == 0 {
		return dst[:0], nil
	}
	if ratio, ok := ratios[codec]; ok && (size-64)/ratio > len(src) {
		return nil, fmt.Errorf("%d bytes of %v say that they stand for %d", len(src), codec, size)
	}
	var err error
	switch codec {
	case format.Snappy:
		if n, err := snappy.DecodedLen(src); err != nil || n != size {
			return nil, fmt.Errorf("snappy: %d bytes, want %d: %v", n, size, err)
		}
		dst, err = snappy.Decode(room(dst, size), src)
	case format.Zstd:
		d := zstdReaders.Get().(*zstd.Decoder)
		defer zstdReaders.Put(d)
		dst, err = d.DecodeAll(src, room(dst, size)[:0:size])
	case format.Lz4Raw:
		var n int
		dst = room(dst, size)
		n, err = lz4.UncompressBlock(src, dst)
		dst = dst[:max(n, 0)]
	case format.Gzip:
		var z *gzip.Reader
		if z, err = gzip.NewReader(bytes.NewReader(src)); err == nil {
			dst, err = readAtMost(z, dst, size)
		}
	case format.Brotli:
		dst, err = readAtMost(brotli.NewReader(bytes.NewReader(src)), dst, size)
	default:
		return nil, fmt.Errorf("pages are compressed by %v, which cannot be read", codec)
	}
	if err != nil {
		return nil, fmt.Errorf("%v: %w", codec, err)
	}
	if len(dst) != size {
		return nil, fmt.Errorf("%v: %d bytes, the header says %d", codec, len(dst), size)
	}
	return dst, nil
}

// room returns size bytes.
func room(b []byte, size int) []byte {
	if cap(b) < size {
		return make([]byte, size)
	}
	return b[:size]
}

// readAtMost reads one byte more than size at most. Its memory grows with what comes.
func readAtMost(r io.Reader, dst []byte, size int) ([]byte, error) {
	b := bytes.NewBuffer(dst[:0])
	_, err := b.ReadFrom(io.LimitReader(r, int64(size)+1))
	return b.Bytes(), err
}
