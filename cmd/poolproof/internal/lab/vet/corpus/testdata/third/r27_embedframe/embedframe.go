// Package embedframe broadcasts the frames of one connection to many, and counts their users.
package embedframe

import (
	"encoding/binary"
	"io"
	"sync"
	"sync/atomic"
)

type payload struct {
	data []byte
	refs atomic.Int32
}

var payloads = sync.Pool{New: func() any { return &payload{data: make([]byte, 0, 4096)} }}

func (p *payload) retain(n int) { p.refs.Add(int32(n)) }

func (p *payload) release() {
	if p.refs.Add(-1) == 0 {
		payloads.Put(p)
	}
}

type frame struct {
	*payload
	stream uint32
}

func readFrame(r io.Reader) (frame, error) {
	var h [6]byte
	if _, err := io.ReadFull(r, h[:]); err != nil {
		return frame{}, err
	}
	f := frame{payloads.Get().(*payload), binary.BigEndian.Uint32(h[2:])}
	f.refs.Store(1)
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

type peer struct {
	w     io.Writer
	queue chan frame
}

func (p *peer) run() {
	for f := range p.queue {
		p.w.Write(f.data)
		f.release()
	}
}

// Broadcast copies the frames of r to all writers, until r ends.
func Broadcast(r io.Reader, writers ...io.Writer) error {
	var peers []*peer
	var wg sync.WaitGroup
	for _, w := range writers {
		p := &peer{w, make(chan frame, 16)}
		peers = append(peers, p)
		wg.Go(p.run)
	}
	defer wg.Wait()
	for {
		f, err := readFrame(r)
		if err != nil {
			for _, p := range peers {
				close(p.queue)
			}
			return err
		}
		f.retain(len(peers))
		for _, p := range peers {
			p.queue <- f
		}
		f.release()
	}
}
