// Package encode writes a log entry as one line of logfmt, in four ways that differ
// only in where the bytes live. It is the question that README.md asks first: does a
// pool pay in a function that returns what it has encoded?
//
//	poolproof try -vary way -bench BenchmarkEncode ./examples/encode
package encode

import (
	"bytes"
	"strconv"
	"sync"
	"time"
)

// Entry describes one request.
type Entry struct {
	Time     time.Time
	Method   string
	Path     string
	Status   int
	Duration time.Duration
	User     string
}

// Fresh encodes into a new buffer and returns its bytes, which belong to the caller.
func Fresh(e *Entry) []byte {
	var b bytes.Buffer
	e.write(&b)
	return b.Bytes()
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Pooled encodes into a buffer from a pool and returns a copy, which belongs to the
// caller. Without the copy the next user of the buffer would overwrite the result.
func Pooled(e *Entry) []byte {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	e.write(b)
	return bytes.Clone(b.Bytes())
}

// Sized encodes into a slice that is large enough from the start. The slice belongs
// to the caller.
func Sized(e *Entry) []byte {
	return e.Append(make([]byte, 0, e.size()))
}

// Append appends the encoded entry to dst and returns the longer slice, so that the
// caller decides which memory is used, and used again.
func (e *Entry) Append(dst []byte) []byte {
	dst = append(dst, `time=`...)
	dst = e.Time.AppendFormat(dst, time.RFC3339Nano)
	dst = append(dst, ` method=`...)
	dst = strconv.AppendQuote(dst, e.Method)
	dst = append(dst, ` path=`...)
	dst = strconv.AppendQuote(dst, e.Path)
	dst = append(dst, ` status=`...)
	dst = strconv.AppendInt(dst, int64(e.Status), 10)
	dst = append(dst, ` ms=`...)
	dst = strconv.AppendFloat(dst, e.Duration.Seconds()*1e3, 'f', 3, 64)
	dst = append(dst, ` user=`...)
	dst = strconv.AppendQuote(dst, e.User)
	return append(dst, '\n')
}

// write writes the entry part by part, as an encoder does that is given an
// io.Writer.
func (e *Entry) write(b *bytes.Buffer) {
	b.WriteString(`time=`)
	b.Write(e.Time.AppendFormat(b.AvailableBuffer(), time.RFC3339Nano))
	b.WriteString(` method=`)
	b.Write(strconv.AppendQuote(b.AvailableBuffer(), e.Method))
	b.WriteString(` path=`)
	b.Write(strconv.AppendQuote(b.AvailableBuffer(), e.Path))
	b.WriteString(` status=`)
	b.Write(strconv.AppendInt(b.AvailableBuffer(), int64(e.Status), 10))
	b.WriteString(` ms=`)
	b.Write(strconv.AppendFloat(b.AvailableBuffer(), e.Duration.Seconds()*1e3, 'f', 3, 64))
	b.WriteString(` user=`)
	b.Write(strconv.AppendQuote(b.AvailableBuffer(), e.User))
	b.WriteByte('\n')
}

// size is at least the length of the entry when no character of it needs an escape.
func (e *Entry) size() int {
	const words = len(`time=2006-01-02T15:04:05.999999999-07:00 method="" path="" status=1000 ms=1000000.000 user=""`) + 1
	return words + len(e.Method) + len(e.Path) + len(e.User)
}
