// Package buffer holds misuses of pooled byte buffers: []byte, *[]byte,
// bytes.Buffer, bufio and arrays.
package buffer

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"log"
	"os"
	"strings"
	"sync"
	"testing"
	"unsafe"
)

var (
	octet  byte
	octets = make([]byte, 0, 64)
)

var slices = sync.Pool{New: func() any { return make([]byte, 64) }}

// The slice itself is in the pool, not its address.
//
//want:exact read-after-put
func TestSliceByValueIsReadAfterPut(t *testing.T) {
	b := slices.Get().([]byte)
	b[3] = 'x'
	slices.Put(b)
	octet = b[3]
}

//want:exact write-after-put
//want:fast write-after-put
func TestSliceByValueIsWrittenAfterPut(t *testing.T) {
	b := slices.Get().([]byte)
	slices.Put(b)
	b[63] = 'x'
}

// Only a part of the array is put; the rest is as stale.
//
//want:exact write-after-put
//want:fast write-after-put
func TestRestOfAnArrayIsWrittenAfterAShorterSliceWasPut(t *testing.T) {
	b := slices.Get().([]byte)
	rest := b[32:]
	slices.Put(b[:8])
	rest[1] = 'x'
}

var pointers = sync.Pool{New: func() any { b := make([]byte, 0, 64); return &b }}

// The header was copied before Put, the array is the pool's.
//
//want:exact write-after-put read-after-put
//want:fast write-after-put
func TestCopiedHeaderIsWrittenThrough(t *testing.T) {
	p := pointers.Get().(*[]byte)
	b := *p
	pointers.Put(p)
	b = append(b, "late"...)
	octet = b[0]
}

// The header is read after Put.
//
//want:exact read-after-put
func TestHeaderIsReadAfterPut(t *testing.T) {
	p := pointers.Get().(*[]byte)
	pointers.Put(p)
	octets = (*p)[:0]
}

// The buffer is stored back after Put in place of before.
//
//want:exact write-after-put
//want:fast write-after-put
func TestHeaderIsStoredBackAfterPut(t *testing.T) {
	p := pointers.Get().(*[]byte)
	b := append((*p)[:0], "grown far beyond what New made: the sixty-four octets of the array are not enough"...)
	pointers.Put(p)
	*p = b[:0]
}

// append grows from a stale array: the runtime reads it.
//
//want:exact read-after-put
//want:fast read-after-put
func TestStaleArrayGrows(t *testing.T) {
	p := pointers.Get().(*[]byte)
	b := (*p)[:cap(*p)]
	pointers.Put(p)
	octets = append(b, "beyond the capacity"...)
}

// copy reads a stale array.
//
//want:exact read-after-put
func TestStaleArrayIsCopied(t *testing.T) {
	p := pointers.Get().(*[]byte)
	b := append((*p)[:0], "content"...)
	*p = b
	pointers.Put(p)
	copy(octets[:7], b)
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func render(text string) []byte {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	b.WriteString(text)
	return b.Bytes()
}

// The mistake that everybody makes once: Bytes aliases the buffer.
//
//want:exact read-after-put
func TestBytesOfABufferOutliveIt(t *testing.T) {
	page := render("a page of text")
	octet = page[0]
}

//want:exact write-after-put
//want:fast write-after-put
func TestBytesOfABufferAreWrittenAfterPut(t *testing.T) {
	page := render("another page of text")
	page[0] = 'A'
}

// String copies, and it copies what is stale.
//
//want:exact read-after-put
//want:fast read-after-put
func TestStringOfABufferIsMadeAfterPut(t *testing.T) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString("text")
	buffers.Put(b)
	if b.String() == "" {
		t.Log("nothing is left")
	}
}

// A buffer is read from as an io.Reader after Put.
//
//want:exact read-after-put write-after-put?
//want:fast write-after-put
func TestBufferIsDrainedAfterPut(t *testing.T) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString("text")
	buffers.Put(b)
	io.Copy(io.Discard, b)
}

// The usual mistake: a buffer is reset where it was put already.
//
//want:exact write-after-put read-after-put?
//want:fast write-after-put
func TestBufferIsResetAfterPut(t *testing.T) {
	b := buffers.Get().(*bytes.Buffer)
	b.WriteString("text")
	buffers.Put(b)
	b.Reset()
}

// A write of what is there already leaves no trace in a checksum: fast mode
// cannot see it.
//
//want:exact write-after-put read-after-put?
func TestEmptyBufferIsResetAfterPut(t *testing.T) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	buffers.Put(b)
	b.Reset()
}

// A part of a document keeps the buffer's memory.
//
//want:exact read-after-put
func TestRawMessageOutlivesTheBuffer(t *testing.T) {
	type envelope struct{ Kind, Body raw }
	var e envelope
	func() {
		b := buffers.Get().(*bytes.Buffer)
		defer buffers.Put(b)
		b.Reset()
		b.WriteString(`{"Kind":"greeting","Body":{"text":"hello"}}`)
		if err := json.Unmarshal(b.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
	}()
	var body struct{ Text string }
	if err := json.Unmarshal(e.Body, &body); err != nil {
		t.Log(err)
	}
}

// raw is json.RawMessage without the copy.
type raw []byte

func (r *raw) UnmarshalJSON(b []byte) error { *r = b; return nil }

// keeper is a writer that breaks the rule of io.Writer: it retains p.
type keeper struct{ kept [][]byte }

func (k *keeper) Write(p []byte) (int, error) { k.kept = append(k.kept, p); return len(p), nil }

// A writer retains what it was given.
//
//want:exact read-after-put
//want:fast poison
func TestWriterRetainsPooledMemory(t *testing.T) {
	var k keeper
	p := pointers.Get().(*[]byte)
	*p = append((*p)[:0], "line"...)
	k.Write(*p)
	pointers.Put(p)
	if string(k.kept[0]) != "line" {
		t.Error("the line has changed")
	}
}

var writers = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, 128) }}

// Flush comes after Put.
//
//want:exact read-after-put write-after-put?
//want:fast write-after-put
func TestFlushComesAfterPut(t *testing.T) {
	var out strings.Builder
	w := writers.Get().(*bufio.Writer)
	w.Reset(&out)
	w.WriteString("not yet written")
	writers.Put(w)
	w.Flush()
}

var readers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 128) }}

// Peek returns a window of the reader's own buffer.
//
//want:exact read-after-put
func TestPeekedWindowOutlivesTheReader(t *testing.T) {
	r := readers.Get().(*bufio.Reader)
	r.Reset(strings.NewReader("GET / HTTP/1.1"))
	window, err := r.Peek(3)
	if err != nil {
		t.Fatal(err)
	}
	readers.Put(r)
	octet = window[0]
}

// Arrays of one class, put by their address.
//
//want:exact write-after-put
//want:fast write-after-put
func TestClassOfArraysIsWrittenAfterPut(t *testing.T) {
	pages := sync.Pool{New: func() any { return new([4096]byte) }}
	page := pages.Get().(*[4096]byte)
	window := page[1024:2048]
	pages.Put(page)
	window[5] = 1
}

// Pools of plain addresses: the whole object behind one is meant.
//
//want:exact write-after-put
//want:fast write-after-put
func TestUnsafePointerInAPool(t *testing.T) {
	pool := sync.Pool{New: func() any { return unsafe.Pointer(unsafe.SliceData(make([]byte, 256))) }}
	p := pool.Get().(unsafe.Pointer)
	b := unsafe.Slice((*byte)(p), 256)
	pool.Put(p)
	b[200] = 1
}

// The same with *byte.
//
//want:exact read-after-put
func TestBytePointerInAPool(t *testing.T) {
	pool := sync.Pool{New: func() any { return unsafe.SliceData(make([]byte, 256)) }}
	p := pool.Get().(*byte)
	b := unsafe.Slice(p, 256)
	pool.Put(p)
	octet = b[200]
}

// The system reads a stale array: the write call.
//
//want:exact read-after-put
//want:fast read-after-put
func TestStaleArrayIsWrittenToAFile(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	b := slices.Get().([]byte)
	slices.Put(b)
	w.Write(b[:16])
}

// The system writes a stale array: the read call.
//
//want:exact write-after-put
//want:fast write-after-put
func TestFileIsReadIntoAStaleArray(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	w.WriteString("from the other side")
	b := slices.Get().([]byte)
	slices.Put(b)
	r.Read(b)
}

// A logger goes on writing into a buffer that was given back.
//
//want:exact write-after-put read-after-put?
//want:fast write-after-put
func TestLoggerWritesIntoABufferAfterPut(t *testing.T) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	l := log.New(b, "", 0)
	l.Print("in time")
	buffers.Put(b)
	l.Print("late")
}

// A length is filled in after the frame was given back.
//
//want:exact write-after-put read-after-put?
//want:fast write-after-put
func TestLengthIsFilledInAfterPut(t *testing.T) {
	frames := sync.Pool{New: func() any { return new([128]byte) }}
	f := frames.Get().(*[128]byte)
	frames.Put(f)
	binary.BigEndian.PutUint32(f[4:], 124)
}
