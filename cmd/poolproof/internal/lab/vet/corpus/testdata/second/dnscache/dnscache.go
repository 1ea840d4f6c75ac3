// Package dnscache decodes answers of a name server.
package dnscache

import (
	"encoding/binary"
	"errors"
	"strings"
	"sync"
)

type message struct {
	id    uint16
	names []string
}

var messages = sync.Pool{New: func() any { return new(message) }}

func decode(p []byte, m *message) error {
	if len(p) < 2 {
		messages.Put(m)
		return errors.New("short message")
	}
	m.id = binary.BigEndian.Uint16(p)
	m.names = append(m.names[:0], strings.Split(string(p[2:]), "\x00")...)
	return nil
}

// First returns the first name of the message.
func First(p []byte) (string, error) {
	m := messages.Get().(*message)
	if err := decode(p, m); err != nil {
		messages.Put(m) // want "PV002"
		return "", err
	}
	name := m.names[0]
	messages.Put(m)
	return name, nil
}

// Names returns all names of the message.
func Names(p []byte) ([]string, error) {
	m := messages.Get().(*message)
	if err := decode(p, m); err != nil {
		return nil, err
	}
	defer messages.Put(m)
	return m.names, nil // want "PV003"
}
