// Package tailwriter prefixes each line that a child process prints with its name.
package tailwriter

import (
	"bytes"
	"io"
	"os/exec"
	"sync"
	"sync/atomic"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type lineWriter struct {
	name string
	out  io.Writer
	part atomic.Pointer[bytes.Buffer]
}

func newLineWriter(name string, out io.Writer) *lineWriter {
	w := &lineWriter{name: name, out: out}
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	w.part.Store(b)
	return w
}

func (w *lineWriter) Write(p []byte) (int, error) {
	b := w.part.Load()
	if b == nil {
		return 0, io.ErrClosedPipe
	}
	n := len(p)
	for len(p) > 0 {
		line, rest, whole := bytes.Cut(p, []byte{'\n'})
		p = rest
		if b.Len() == 0 {
			b.WriteString(w.name)
			b.WriteString(": ")
		}
		b.Write(line)
		if !whole {
			break
		}
		b.WriteByte('\n')
		_, err := w.out.Write(b.Bytes())
		b.Reset()
		if err != nil {
			return 0, err
		}
	}
	return n, nil
}

// Close writes what has no line end. It comes after the last Write, and does nothing when it is
// called again.
func (w *lineWriter) Close() error {
	b := w.part.Swap(nil)
	if b == nil {
		return nil
	}
	defer bufs.Put(b)
	if b.Len() == 0 {
		return nil
	}
	b.WriteByte('\n')
	_, err := w.out.Write(b.Bytes())
	return err
}

// Run runs a command and copies what it prints.
func Run(cmd *exec.Cmd, name string, out io.Writer) error {
	w := newLineWriter(name, out)
	defer w.Close()
	cmd.Stdout = w
	if err := cmd.Run(); err != nil {
		return err
	}
	return w.Close()
}
