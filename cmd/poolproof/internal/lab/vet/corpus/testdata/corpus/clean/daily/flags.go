package daily

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"hash"
	"hash/crc32"
	"hash/fnv"
	"io"
	"strconv"
	"sync"
)

// Two options, each with a pooled tool. What is got under an option is put under it.

type Options struct {
	Gzip bool
	Sum  bool
	Text bool
}

var (
	gzips = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}
	sums  = sync.Pool{New: func() any { return crc32.NewIEEE() }}
	bufs  = sync.Pool{New: func() any { return new(bytes.Buffer) }}
)

func Store(w io.Writer, o Options, body []byte) (uint32, error) {
	var (
		zw *gzip.Writer
		h  hash.Hash32
	)
	if o.Sum {
		h = sums.Get().(hash.Hash32)
		h.Reset()
		w = io.MultiWriter(w, h)
	}
	if o.Gzip {
		zw = gzips.Get().(*gzip.Writer)
		zw.Reset(w)
		w = zw
	}
	_, err := w.Write(body)
	if o.Gzip {
		if cerr := zw.Close(); err == nil {
			err = cerr
		}
		zw.Reset(nil)
		gzips.Put(zw)
	}
	if !o.Sum {
		return 0, err
	}
	n := h.Sum32() // fine "PV001" h is put below
	sums.Put(h)
	return n, err
}

// One of two modes, asked in the same way at both ends.

type mode int

const (
	binaryMode mode = iota
	textMode
)

type column struct {
	raw []uint64
	txt []byte
}

var (
	rawColumns  = sync.Pool{New: func() any { return new(column) }}
	textColumns = sync.Pool{New: func() any { return new(column) }}
)

func Dump(w io.Writer, m mode, values []uint64) error {
	var c *column
	switch m {
	case binaryMode:
		c = rawColumns.Get().(*column)
		c.raw = append(c.raw[:0], values...)
	case textMode:
		c = textColumns.Get().(*column)
		c.txt = c.txt[:0]
		for _, v := range values {
			c.txt = strconv.AppendUint(c.txt, v, 10)
			c.txt = append(c.txt, '\n')
		}
	default:
		return strconv.ErrRange
	}
	var err error
	if m == binaryMode {
		err = binary.Write(w, binary.LittleEndian, c.raw)
		rawColumns.Put(c) // fine "PV021" c is of this pool in this mode
	} else {
		_, err = w.Write(c.txt)
		textColumns.Put(c) // fine "PV002" the other mode puts it above
	}
	return err
}

// Small scratch space is pooled and large is not; the flag says which it is, and each way out
// asks it.

type space struct{ b []byte }

var spaces = sync.Pool{New: func() any { return &space{make([]byte, 4096)} }}

func scratch(n int) (s *space, pooled bool) {
	if n > 4096 {
		return &space{make([]byte, n)}, false
	}
	return spaces.Get().(*space), true
}

func Digest(r io.Reader, n int) (uint64, error) {
	s, pooled := scratch(n)
	if _, err := io.ReadFull(r, s.b[:n]); err != nil {
		if pooled {
			spaces.Put(s)
		}
		return 0, err // fine "PV005" what is not pooled needs no put
	}
	h := fnv.New64a()
	h.Write(s.b[:n])
	if pooled {
		spaces.Put(s)
	}
	return h.Sum64(), nil
}

// What has to be done at the end is a function value, which is replaced where there is something
// to do.

func Quote(dst io.Writer, s string, plain bool) error {
	done := func() {}
	defer func() { done() }()
	out := dst
	var b *bytes.Buffer
	if !plain {
		b = bufs.Get().(*bytes.Buffer)
		b.Reset()
		done = func() { bufs.Put(b) }
		out = b
	}
	if _, err := io.WriteString(out, s); err != nil {
		return err // fine "PV005" done puts it
	}
	if b != nil {
		_, err := dst.Write(strconv.AppendQuote(nil, b.String()))
		return err
	}
	return nil
}
