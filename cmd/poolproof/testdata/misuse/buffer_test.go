package misuse

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/buffer"
)

var (
	buffers = buffer.New(buffer.Options{})
	secrets = buffer.New(buffer.Options{Zero: buffer.ZeroUsed})
	packets = buffer.New(buffer.Options{}).Sized(9000)
)

func header(r io.Reader) ([]byte, error) {
	b := buffers.Get(64)
	defer b.Release()
	_, err := b.Fill(r.Read)
	return b.Bytes(), err
}

// form: buffer: Bytes is returned under a deferred Release
// hands on
func TestBufferBytesReturned(t *testing.T) {
	defer begin(t)()
	h, _ := header(strings.NewReader("GET / HTTP/1.1"))
	sink = int(h[0])
}

// form: buffer: a slice of it is written after Release
// hands on
func TestBufferWrittenAfterRelease(t *testing.T) {
	defer begin(t)()
	b := buffers.Get(500)
	p := b.Bytes()
	b.Release()
	p[3] = 1
	c := buffers.Get(500)
	c.Release()
}

// form: buffer: a slice from before it grew is written
// hands on
func TestBufferBeforeGrowth(t *testing.T) {
	defer begin(t)()
	b := buffers.Append()
	b.WriteString("length: ")
	head := b.Bytes()
	b.Write(make([]byte, 100_000))
	other := buffers.Append()
	other.WriteString("another request")
	head[0] = 'L'
	other.Release()
	b.Release()
}

// form: buffer: released twice, one after the other
// hands on
func TestBufferReleasedTwice(t *testing.T) {
	defer begin(t)()
	b := buffers.Get(100)
	b.Release()
	b.Release()
}

// form: buffer: released again when it has a new owner
// hands on
func TestBufferReleasedLate(t *testing.T) {
	defer begin(t)()
	b := buffers.Get(200)
	b.Release()
	c := buffers.Get(200)
	b.Release()
	d := buffers.Get(200)
	c.Bytes()[0] = 1
	d.Bytes()[0] = 2
	d.Release()
	if d != c {
		c.Release()
	}
}

// form: buffer: written to after Release
// hands on
func TestBufferWriteCallAfterRelease(t *testing.T) {
	defer begin(t)()
	b := buffers.Append()
	b.Release()
	b.WriteString("late")
}

// form: buffer: a slice of it is read after CopyAndRelease
// hands on
func TestBufferAfterCopy(t *testing.T) {
	defer begin(t)()
	b := buffers.Append()
	b.WriteString("hello")
	p := b.Bytes()
	_ = b.CopyAndRelease()
	sink = int(p[0])
}

// form: buffer: Get(n), then Write: the content comes after n bytes of an earlier owner
// hands on
func TestBufferGetThenWrite(t *testing.T) {
	defer begin(t)()
	b := buffers.Get(16)
	b.WriteString("hello")
	sink = b.Len()
	b.Release()
}

func answer(text string) []byte {
	b := buffers.Get(512)
	copy(b.Bytes(), text)
	return b.CopyAndRelease()
}

// form: buffer: Get(n), less is written, and the whole is copied out
// hands on
func TestBufferShortFill(t *testing.T) {
	defer begin(t)()
	answer("the secret of another")
	if got := answer("hello"); string(bytes.TrimRight(got, "\x00")) != "hello" {
		t.Errorf("%.20q", got)
	}
}

func send(w io.Writer, text string) {
	b := buffers.Get(512)
	defer b.Release()
	copy(b.Bytes(), text)
	_, _ = w.Write(b.Bytes())
}

// form: buffer: Get(n), less is written, and all of Bytes is sent
// hands on
func TestBufferShortWrite(t *testing.T) {
	defer begin(t)()
	var got bytes.Buffer
	send(io.Discard, "the secret of another")
	send(&got, "hello")
	if string(bytes.TrimRight(got.Bytes(), "\x00")) != "hello" {
		t.Errorf("%.20q", got.Bytes())
	}
}

// form: buffer: the function of Fill writes more than it says, in a pool that clears
// hands on
func TestBufferFillLies(t *testing.T) {
	defer begin(t)()
	b := secrets.Get(256)
	_, _ = b.Fill(func(p []byte) (int, error) {
		copy(p, "password=hunter2")
		return 0, errors.New("closed")
	})
	b.Release()
	c := secrets.Get(256)
	sink = int(c.Bytes()[0])
	c.Release()
}

// form: buffer: Bytes and Free: freed twice
// hands on
func TestBufferFreedTwice(t *testing.T) {
	defer begin(t)()
	p := buffers.Bytes(700)
	buffers.Free(p)
	buffers.Free(p)
}

// form: buffer: Bytes and Free: used after Free
// hands on
func TestBufferUsedAfterFree(t *testing.T) {
	defer begin(t)()
	p := buffers.Bytes(700)
	buffers.Free(p)
	p[0] = 1
}

// form: buffer: Bytes and Free: a slice whose start was cut is freed
func TestBufferFreeCut(t *testing.T) {
	defer begin(t)()
	p := buffers.Bytes(1000)
	if !buffers.Free(p[4:]) {
		t.Error("refused")
	}
}

// form: buffer: Free of the Bytes of a Buffer, which is released too
// hands on
func TestBufferFreeOfABuffersBytes(t *testing.T) {
	defer begin(t)()
	b := buffers.Get(640)
	p := b.Bytes()
	if !buffers.Free(p[:cap(p)]) {
		t.Error("refused")
	}
	b.Release()
}

// form: buffer: GetPtr and PutPtr: put twice
// hands on
func TestBufferPutPtrTwice(t *testing.T) {
	defer begin(t)()
	p := packets.GetPtr()
	packets.PutPtr(p)
	packets.PutPtr(p)
}

// form: buffer: GetPtr and PutPtr: used after PutPtr
// hands on
func TestBufferUsedAfterPutPtr(t *testing.T) {
	defer begin(t)()
	p := packets.GetPtr()
	packets.PutPtr(p)
	(*p)[0] = 1
}

// form: buffer: the memory of a Shared is written
// hands on
func TestSharedWritten(t *testing.T) {
	defer begin(t)()
	b := buffers.Append()
	b.WriteString("one answer for all")
	s := b.Share()
	other := s.Retain()
	other.Bytes()[0] = 'X'
	other.Release()
	sink = int(s.Bytes()[0])
	s.Release()
}

// form: buffer: the memory of a Shared is written by its former owner
// hands on
func TestSharedWrittenByOwner(t *testing.T) {
	defer begin(t)()
	b := buffers.Get(18)
	p := b.Bytes()
	copy(p, "one answer for all")
	s := b.Share()
	copy(p, "next answer to all")
	sink = int(s.Bytes()[0])
	s.Release()
}

// form: buffer: the Bytes of a Shared are read after its last Release
// hands on
func TestSharedAfterTheLast(t *testing.T) {
	defer begin(t)()
	b := buffers.Append()
	b.WriteString("hello")
	s := b.Share()
	p := s.Bytes()
	s.Release()
	sink = int(p[0])
}

// form: buffer: a Shared is released twice
// hands on
func TestSharedReleasedTwice(t *testing.T) {
	defer begin(t)()
	b := buffers.Append()
	b.WriteString("hello")
	s := b.Share()
	other := s.Retain()
	s.Release()
	s.Release()
	sink = int(other.Bytes()[0])
	other.Release()
}

// form: buffer: the Buffer is used after Share
// hands on
func TestBufferAfterShare(t *testing.T) {
	defer begin(t)()
	b := buffers.Append()
	s := b.Share()
	b.WriteString("late")
	s.Release()
}

type keeper struct{ kept *buffer.Buffer }

func (k *keeper) log(b *buffer.Buffer) { k.kept = b }

// form: buffer: a logger keeps the Buffer and writes to it when it has a new owner
// hands on
func TestBufferKept(t *testing.T) {
	defer begin(t)()
	var k keeper
	b := buffers.Append()
	k.log(b)
	b.Release()
	c := buffers.Append()
	k.kept.WriteString("a line of the log")
	c.WriteString("an answer")
	c.Release()
}

// form: buffer: a reader of its Bytes is read after Release
// hands on
func TestBufferReaderKept(t *testing.T) {
	defer begin(t)()
	b := buffers.Append()
	b.WriteString("a body")
	body := bytes.NewReader(b.Bytes())
	b.Release()
	first, _ := body.ReadByte()
	sink = int(first)
}

// form: buffer: copied, and both are released
// hands on
func TestBufferCopied(t *testing.T) {
	defer begin(t)()
	b := buffers.Get(320)
	c := *b //nolint:govet
	b.Release()
	(&c).Release()
}

// form: buffer: never released
func TestBufferNoRelease(t *testing.T) {
	defer begin(t)()
	b := buffers.Get(100)
	sink = b.Len()
}

// form: buffer: one reference of a Shared is never released
func TestSharedNoRelease(t *testing.T) {
	defer begin(t)()
	b := buffers.Append()
	s := b.Share()
	sink = len(s.Retain().Bytes())
	s.Release()
}
