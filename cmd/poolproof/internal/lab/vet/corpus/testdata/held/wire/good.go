package wire

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"

	"example.org/held/lib/buf"
	"example.org/held/lib/bytebuffer"
	"example.org/held/lib/quic"
)

func (c *conn) decodeCopy() ([]byte, error) {
	b := bytes.Clone(c.Read())
	if len(b) == 0 {
		return nil, nil
	}
	c.ResetBuffer()
	return b, nil // fine "PV001|PV003" a clone
}

// The frame is the caller's until the next call.
func (c *conn) decodeView() []byte {
	if c.whole != nil {
		c.ResetBuffer()
	}
	return c.Read() // fine "PV001|PV003" what was put is of the last call
}

func decodeFrameCopy(c frames) ([]byte, error) {
	b := c.Read()
	line, _, ok := bytes.Cut(b, []byte{'\n'})
	if !ok {
		return nil, io.ErrUnexpectedEOF
	}
	out := append([]byte(nil), line...)
	c.ResetBuffer()
	return out, nil // fine "PV001|PV003" copied before
}

// Each packet but the first asks for a reference of its own.
func (s *session) handleSplit(r *quic.Received) {
	data := r.Data
	for n := 0; len(data) > 0; n++ {
		h, err := parseHeader(data)
		if err != nil {
			if n == 0 {
				r.Buffer.Release()
			}
			return
		}
		if n > 0 {
			r.Buffer.Split()
		}
		size := h.parsed + h.length
		rest := data[size:]
		if len(rest) == 0 {
			s.handleLast(r, data[:size])
			return
		}
		r.Buffer.Split()
		s.handleLast(r, data[:size]) // fine "PV001|PV002" the reference of this packet
		data = rest
	}
}

func (s *session) handleLast(r *quic.Received, data []byte) {
	defer r.Buffer.Release()
	s.streams[s.handled] = bytes.Clone(data)
	s.handled++
}

// The buffer goes when all packets are done.
func (s *session) handleAll(d *quic.Datagram) {
	defer d.Buffer.Release()
	data := d.Data
	for len(data) > 0 {
		h, err := parseHeader(data)
		if err != nil {
			return
		}
		n := h.parsed + h.length
		s.handleBorrowed(h, data[:n]) // fine "PV001|PV002" only borrowed
		data = data[n:]
	}
}

func (s *session) handleBorrowed(h *header, data []byte) {
	if h.long {
		s.streams[s.handled] = bytes.Clone(data)
		s.handled++
	}
}

func (s *server) handlePacketOwned(d *quic.Datagram) {
	if taken := s.dispatchOwned(d); !taken {
		d.Buffer.Release() // fine "PV001|PV002|PV004" only where nobody has taken it
	}
}

func (s *server) dispatchOwned(d *quic.Datagram) bool {
	h, err := parseHeader(d.Data)
	if err != nil {
		return false
	}
	if c, ok := s.sessions[d.From.String()]; ok {
		c <- d
		return true
	}
	if !s.tokens[string(h.token)] {
		go func() {
			defer d.Buffer.Release()
			s.sendInvalidToken(d, h)
		}()
		return true
	}
	return false
}

func (s *server) sendCloseReleased(to net.Addr, code uint16) error {
	b := quic.GetPlain()
	defer b.Release() // fine "PV005|PV006" whatever happens
	w := bytes.NewBuffer(b.Data[:0])
	w.WriteByte(0x1c)
	if err := binary.Write(w, binary.BigEndian, code); err != nil {
		return err
	}
	_, err := s.conn.WriteTo(w.Bytes(), to)
	return err
}

// One buffer, made empty for each packet.
func sniffOne(p []byte, open func(dst *buf.Buffer, p []byte) (int, error)) (int, error) {
	cache := buf.New()
	defer cache.Release()
	frames := 0
	for len(p) > 0 {
		cache.Clear() // fine "PV001|PV016" one buffer, one put
		n, err := open(cache, p)
		if err != nil {
			return frames, err
		}
		if n == 0 {
			break
		}
		p = p[n:]
		frames++
	}
	return frames, nil
}

func readMessageReleased(r io.Reader) (*buf.Buffer, error) {
	n, err := readSize(r)
	if err != nil {
		return nil, err
	}
	b := buf.New()
	if _, err := b.ReadFullFrom(r, n); err != nil {
		b.Release()
		return nil, err // fine "PV001|PV005" released
	}
	return b, nil
}

func (d *dispatcher) ReadFromReleased(p []byte) (int, net.Addr, error) {
	select {
	case packet := <-d.cache:
		defer packet.payload.Release()
		n := copy(p, packet.payload.Bytes())
		return n, packet.source, nil // fine "PV003|PV005" a number, and an address of its own
	case <-d.done:
		return 0, nil, io.EOF
	}
}

func readMultiReleased(r io.Reader, n int) (buf.Multi, error) {
	var m buf.Multi
	for n > 0 {
		size := min(n, 8<<10)
		n -= size
		b := buf.New()
		if _, err := b.ReadFullFrom(r, size); err != nil {
			b.Release()
			buf.ReleaseMulti(m)
			return nil, err // fine "PV001|PV002|PV005" both are released
		}
		m = append(m, b)
	}
	return m, nil // fine "PV005" the caller's
}

func (s *server) handleConnectionPut() {
	b := s.readers.Get().(*[]byte)
	n, from, err := s.conn.ReadFrom(*b)
	if err != nil {
		s.readers.Put(b)
		s.log("read: %v", err)
		return // fine "PV005" put above
	}
	go func() { // fine "PV004" the goroutine owns it now
		defer s.readers.Put(b)
		s.relay((*b)[:n], from)
	}()
}

func (l *listener) readLoopOne() {
	p := readBuffers.Get().(*[]byte)
	defer readBuffers.Put(p)
	b := *p
	for {
		n, from, err := l.in.ReadFrom(b)
		if err != nil {
			return
		}
		c, ok := l.conns[from.String()]
		if !ok {
			c = new(bytebuffer.ByteBuffer)
			l.conns[from.String()] = c
		}
		c.Write(b[:n]) // fine "PV004" Write copies
	}
}

func (d *device) cmdWriteJoined(ctx context.Context, r io.Reader, handle uint64, off int64, n int) error {
	p := getPayload(n)
	if _, err := io.ReadFull(r, *p); err != nil {
		putPayload(p)
		return err
	}
	go func() {
		defer putPayload(p) // fine "PV001|PV004" the inner goroutine has ended by then
		d.acks(handle, d.writeJoined(ctx, off, *p))
	}()
	return nil
}

// The buffer belongs to the item until its receipt.
func (p *producer) sendOwned(payload []byte) error {
	b := bytebuffer.Get()
	b.Write(payload)
	p.next++
	p.pending = append(p.pending, &item{id: p.next, buffer: b}) // fine "PV004|PV005" the list owns it
	return p.link.writeKept(b)
}

func (p *producer) receipt(id uint64) error {
	if len(p.pending) == 0 || p.pending[0].id != id {
		return errors.New("wire: receipt out of order")
	}
	it := p.pending[0]
	p.pending = p.pending[1:]
	bytebuffer.Put(it.buffer) // fine "PV002|PV015" out of the list, once
	it.buffer = nil
	return nil
}

// All fail, and none goes out again.
func (p *producer) failAll(fail func(uint64)) {
	for _, it := range p.pending {
		fail(it.id)
		bytebuffer.Put(it.buffer) // fine "PV001|PV002" another each time
		it.buffer = nil
	}
	p.pending = p.pending[:0]
}

// The writer goroutine is the last that has it.
func (l *link) run() error {
	for b := range l.writes {
		if err := l.writeNow(b); err != nil { // fine "PV001|PV002" each is received once
			return err
		}
	}
	return nil
}

func (p *producer) sendLater(payload []byte) {
	b := bytebuffer.Get()
	b.Write(payload)
	p.link.enqueue(b) // fine "PV005|PV006" whoever receives it puts it
}
