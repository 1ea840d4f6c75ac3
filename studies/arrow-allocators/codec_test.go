package arrowallocators

import (
	"bytes"
	"io"
	"sync"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/klauspost/compress/zstd"
)

func newCodec(t *testing.T) *Codec {
	t.Helper()
	c, err := NewCodec()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestTheCodecWritesWhatArrowsOwnWrites(t *testing.T) {
	c := newCodec(t)
	for _, n := range []int{0, 1, 100, 10_000, 300_000} {
		page := bytes.Repeat([]byte("0123456789 abcdef\n"), n/18+1)[:n]
		for _, level := range []int{compress.DefaultCompressionLevel, 1, 3, 9} {
			// A byte from before, which must not stay: the destination's length is no data.
			dst := make([]byte, 1, 400_000)
			got, want := c.EncodeLevel(dst, page, level), c.Codec.EncodeLevel(nil, page, level)
			if !bytes.Equal(got, want) {
				t.Errorf("level %d: %d bytes of %d, arrow-go has %d", level, len(got), n, len(want))
			}
			if back := c.Decode(nil, got); n > 0 && !bytes.Equal(back, page) {
				t.Errorf("level %d: %d bytes came back as %d", level, n, len(back))
			}
		}
		if got, want := c.Encode(nil, page), c.Codec.Encode(nil, page); !bytes.Equal(got, want) {
			t.Errorf("Encode: %d bytes of %d, arrow-go has %d", len(got), n, len(want))
		}
	}
}

func TestOneEncoderServesAllPagesOfAFile(t *testing.T) {
	c := newCodec(t)
	restore := c.Register()
	defer restore()
	rows := NewRows(100, 1)
	for range 3 {
		if _, err := WritePath(io.Discard, rows, Memory{Allocator: memory.NewGoAllocator()}, t.TempDir()); err != nil {
			t.Fatal(err)
		}
	}
	if c.Made() != 1 {
		t.Errorf("%d encoders were made for three files, want 1", c.Made())
	}
}

func TestTheCodecIsGoneAfterRestore(t *testing.T) {
	c := newCodec(t)
	own := c.Codec
	restore := c.Register()
	if got, _ := compress.GetCodec(compress.Codecs.Zstd); got != compress.Codec(c) {
		t.Error("the codec is not registered")
	}
	restore()
	if got, _ := compress.GetCodec(compress.Codecs.Zstd); got != own {
		t.Error("the codec is still registered")
	}
}

func TestTheCodecKeepsNoMoreEncodersThanItsLimit(t *testing.T) {
	c := newCodec(t)
	var out []*zstd.Encoder
	for range maxEncoders + 3 {
		out = append(out, c.get(zstd.SpeedFastest))
	}
	for _, e := range out {
		c.put(zstd.SpeedFastest, e)
	}
	if got := len(c.free[zstd.SpeedFastest]); got != maxEncoders || c.Made() != maxEncoders+3 {
		t.Errorf("%d encoders are kept of %d, want %d", got, c.Made(), maxEncoders)
	}
}

func TestAnEncoderIsNotHandedOutTwice(t *testing.T) {
	c := newCodec(t)
	c.put(zstd.SpeedDefault, c.get(zstd.SpeedDefault))
	first := c.get(zstd.SpeedDefault)
	if c.get(zstd.SpeedDefault) == first {
		t.Error("two pages at once have one encoder")
	}
}

func TestGoroutinesShareACodec(t *testing.T) {
	c := newCodec(t)
	want := c.Codec.Encode(nil, bytes.Repeat([]byte("page "), 1000))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				if got := c.Encode(nil, bytes.Repeat([]byte("page "), 1000)); !bytes.Equal(got, want) {
					t.Error("another page came out")
				}
			}
		})
	}
	wg.Wait()
	if c.Made() > 4 {
		t.Errorf("%d encoders for 4 goroutines", c.Made())
	}
}
