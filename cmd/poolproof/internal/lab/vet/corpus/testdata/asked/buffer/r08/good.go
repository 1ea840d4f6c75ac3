// Right: handed over in a struct, whose Close releases
package r08

import (
	"fmt"
	"github.com/poolproof/poolproof/buffer"
	"io"
)

var buffers = buffer.New(buffer.Options{})

type message struct{ b *buffer.Buffer }

func newMessage(v any) *message {
	m := &message{b: buffers.Append()}
	fmt.Fprint(m.b, v)
	return m
}

func (m *message) Close() error {
	if m.b != nil {
		m.b.Release()
		m.b = nil
	}
	return nil
}

func Send(w io.Writer, v any) error {
	m := newMessage(v)
	defer m.Close()
	_, err := m.b.WriteTo(w)
	return err
}
