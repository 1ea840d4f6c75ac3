// Package dnspack writes names of DNS messages, each suffix once.
package dnspack

import (
	"encoding/binary"
	"errors"
	"strings"
	"sync"
)

type packer struct {
	offsets map[string]uint16
	labels  []string
}

var packers = sync.Pool{New: func() any { return &packer{offsets: make(map[string]uint16)} }}

var errLabel = errors.New("dnspack: label too long or empty")

// Message is what is packed.
type Message struct {
	ID    uint16
	Names []string
}

// Append appends m to dst. If it fails, dst comes back as it was.
func (m *Message) Append(dst []byte) ([]byte, error) {
	p := packers.Get().(*packer)
	defer p.done()
	start := len(dst)
	out := binary.BigEndian.AppendUint16(dst, m.ID)
	for _, name := range m.Names {
		var err error
		if out, err = p.name(out, start, name); err != nil {
			return dst, err
		}
	}
	return out, nil
}

func (p *packer) done() {
	clear(p.offsets)
	clear(p.labels)
	p.labels = p.labels[:0]
	packers.Put(p)
}

func (p *packer) name(dst []byte, start int, name string) ([]byte, error) {
	name = strings.TrimSuffix(name, ".")
	p.labels = append(p.labels[:0], strings.Split(name, ".")...)
	for _, label := range p.labels {
		if at, ok := p.offsets[name]; ok {
			return binary.BigEndian.AppendUint16(dst, 0xc000|at), nil
		}
		if label == "" || len(label) > 63 {
			return dst, errLabel
		}
		if at := len(dst) - start; at < 1<<14 {
			p.offsets[name] = uint16(at)
		}
		dst = append(append(dst, byte(len(label))), label...)
		_, name, _ = strings.Cut(name, ".")
	}
	return append(dst, 0), nil
}
