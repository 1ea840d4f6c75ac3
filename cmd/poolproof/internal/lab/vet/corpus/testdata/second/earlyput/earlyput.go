// Package earlyput gives its buffer back before it waits.
package earlyput

import (
	"bufio"
	"bytes"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Ask sends a question and waits for the answer.
func Ask(rw *bufio.ReadWriter, q string) (string, error) {
	buf := bufs.Get().(*bytes.Buffer)
	defer func() {
		if buf != nil {
			bufs.Put(buf)
		}
	}()
	buf.Reset()
	buf.WriteString(q)
	buf.WriteByte('\n')
	if _, err := rw.Write(buf.Bytes()); err != nil {
		return "", err
	}
	if err := rw.Flush(); err != nil {
		return "", err
	}
	bufs.Put(buf)
	buf = nil
	return rw.ReadString('\n')
}
