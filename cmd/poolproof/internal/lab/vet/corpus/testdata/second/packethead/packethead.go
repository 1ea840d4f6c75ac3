// Package packethead decodes the heads of packets.
package packethead

import (
	"encoding/binary"
	"io"
	"sync"
)

// Head is the fixed part of a packet.
type Head struct {
	Version byte
	Kind    byte
	Len     uint16
	Seq     uint32
}

type packet struct {
	head Head
	raw  [1500]byte
	n    int
}

var packets = sync.Pool{New: func() any { return new(packet) }}

// Read reads one packet and returns its head.
func Read(r io.Reader) (Head, error) {
	p := packets.Get().(*packet)
	defer packets.Put(p)
	var err error
	if p.n, err = r.Read(p.raw[:]); err != nil {
		return Head{}, err
	}
	if p.n < 8 {
		return Head{}, io.ErrUnexpectedEOF
	}
	p.head.Version, p.head.Kind = p.raw[0], p.raw[1]
	p.head.Len = binary.BigEndian.Uint16(p.raw[2:])
	p.head.Seq = binary.BigEndian.Uint32(p.raw[4:])
	return p.head, nil
}
