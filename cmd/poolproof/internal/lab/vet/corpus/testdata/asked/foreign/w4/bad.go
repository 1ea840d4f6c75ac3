// Wrong: the address of a field of a living struct is put
package w4

import (
	"bytes"
	"io"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuf() *bytes.Buffer {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func putBuf(b *bytes.Buffer) { bufs.Put(b) }

type session struct {
	out  bytes.Buffer
	name string
}

func (s *session) flush(w io.Writer) error {
	_, err := s.out.WriteTo(w)
	putBuf(&s.out) // want "PV021" the session lives on with its field
	return err
}

func (s *session) Say(w io.Writer, text string) error {
	s.out.WriteString(text)
	return s.flush(w)
}
