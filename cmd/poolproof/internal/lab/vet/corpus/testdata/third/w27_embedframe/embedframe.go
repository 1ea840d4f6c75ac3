// Package embedframe dispatches the frames of a multiplexed connection to its streams.
package embedframe

import (
	"encoding/binary"
	"io"
	"log"
	"sync"
)

type payload struct {
	data []byte
}

var payloads = sync.Pool{New: func() any { return &payload{make([]byte, 0, 4096)} }}

func (p *payload) release() { payloads.Put(p) }

type frame struct {
	*payload
	stream uint32
	kind   byte
}

const (
	kindData byte = iota
	kindGoAway
)

func readFrame(r io.Reader) (frame, error) {
	var h [7]byte
	if _, err := io.ReadFull(r, h[:]); err != nil {
		return frame{}, err
	}
	f := frame{payloads.Get().(*payload), binary.BigEndian.Uint32(h[2:]), h[6]}
	n := int(binary.BigEndian.Uint16(h[:]))
	if cap(f.data) < n {
		f.data = make([]byte, n)
	}
	f.data = f.data[:n]
	if _, err := io.ReadFull(r, f.data); err != nil {
		f.release()
		return frame{}, err
	}
	return f, nil
}

// Dispatch calls deliver with the data of each frame until the peer says goodbye. deliver must not
// keep the data.
func Dispatch(r io.Reader, deliver func(stream uint32, data []byte)) error {
	for {
		f, err := readFrame(r)
		if err != nil {
			return err
		}
		if f.kind == kindData {
			deliver(f.stream, f.data)
		}
		f.release()
		if f.kind == kindGoAway {
			log.Printf("peer ends: %s", f.data) // want PV001
			return nil
		}
	}
}
