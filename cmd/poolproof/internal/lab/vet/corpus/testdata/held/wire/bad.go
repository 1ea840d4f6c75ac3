package wire

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"net"

	"example.org/held/lib/buf"
	"example.org/held/lib/bytebuffer"
	"example.org/held/lib/quic"
)

// panjf2000/gnet issue 132: the codec returns memory of the buffer that resetting
// the connection has put.
func (c *conn) decode() ([]byte, error) {
	b := c.Read()
	if len(b) == 0 {
		return nil, nil
	}
	c.ResetBuffer()
	return b, nil // want "PV001|PV003"
}

// The same by the interface that codecs are given.
func decodeFrame(c frames) ([]byte, error) {
	b := c.Read()
	if i := bytes.IndexByte(b, '\n'); i < 0 {
		return nil, io.ErrUnexpectedEOF
	}
	c.ResetBuffer()
	return b, nil // want "PV001|PV003"
}

// quic-go issue 1807: each packet of a datagram releases the buffer of all.
func (s *session) handleCoalesced(r *quic.Received) {
	data := r.Data
	for len(data) > 0 {
		h, err := parseHeader(data)
		if err != nil {
			return
		}
		n := h.parsed + h.length
		s.handleOne(r, h, data[:n]) // want "PV001|PV002"
		data = data[n:]
	}
}

func (s *session) handleOne(r *quic.Received, h *header, data []byte) bool {
	defer r.Buffer.Release() // may "PV015"
	if !h.long {
		return false
	}
	s.streams[s.handled] = bytes.Clone(data)
	s.handled++
	return true
}

// The same where buffers had no count yet.
func (s *session) handleDatagram(d *quic.Datagram) {
	data := d.Data
	for len(data) > 0 {
		h, err := parseHeader(data)
		if err != nil {
			return
		}
		n := h.parsed + h.length
		s.handlePlain(d, h, data[:n]) // want "PV001|PV002"
		data = data[n:]
	}
}

func (s *session) handlePlain(d *quic.Datagram, h *header, data []byte) {
	defer d.Buffer.Release() // may "PV015"
	if h.long {
		s.streams[s.handled] = bytes.Clone(data)
		s.handled++
	}
}

// quic-go pull 2524: the datagram is released because nobody has taken it, and
// the reply is still made of it.
func (s *server) handlePacket(d *quic.Datagram) {
	if taken := s.dispatch(d); !taken {
		d.Buffer.Release() // want "PV001|PV004"
	}
}

func (s *server) dispatch(d *quic.Datagram) bool {
	h, err := parseHeader(d.Data)
	if err != nil {
		return false
	}
	if c, ok := s.sessions[d.From.String()]; ok {
		c <- d
		return true
	}
	if !s.tokens[string(h.token)] {
		go s.sendInvalidToken(d, h)
		return false
	}
	return false
}

// quic-go pull 2935: nobody puts the buffer of a packet that says goodbye.
func (s *server) sendClose(to net.Addr, code uint16) error {
	b := quic.GetPlain() // want "PV006"
	w := bytes.NewBuffer(b.Data[:0])
	w.WriteByte(0x1c)
	if err := binary.Write(w, binary.BigEndian, code); err != nil {
		return err
	}
	_, err := s.conn.WriteTo(w.Bytes(), to)
	return err
}

// v2fly/v2ray-core pull 3320: as many buffers as the stranger likes, until the
// sniffer returns.
func sniff(p []byte, open func(dst *buf.Buffer, p []byte) (int, error)) (int, error) {
	frames := 0
	for len(p) > 0 {
		cache := buf.New()
		defer cache.Release() // want "PV016"
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

// XTLS/Xray-core pull 6240, one: the message was not read to its end.
func readMessage(r io.Reader) (*buf.Buffer, error) {
	n, err := readSize(r)
	if err != nil {
		return nil, err
	}
	b := buf.New()
	if _, err := b.ReadFullFrom(r, n); err != nil {
		return nil, err // want "PV005"
	}
	return b, nil
}

// XTLS/Xray-core pull 6240, two: what the channel gave is copied and forgotten.
func (d *dispatcher) ReadFrom(p []byte) (int, net.Addr, error) {
	select {
	case packet := <-d.cache: // want "PV005|PV006"
		n := copy(p, packet.payload.Bytes())
		return n, packet.source, nil
	case <-d.done:
		return 0, nil, io.EOF
	}
}

// XTLS/Xray-core pull 6240, three: the buffers that were full already.
func readMulti(r io.Reader, n int) (buf.Multi, error) {
	var m buf.Multi
	for n > 0 {
		size := min(n, 8<<10)
		n -= size
		b := buf.New()
		if _, err := b.ReadFullFrom(r, size); err != nil {
			return nil, err // want "PV005"
		}
		m = append(m, b)
	}
	return m, nil
}

// facebook/dhcplb issue 3: one buffer for every error of the socket.
func (s *server) handleConnection() {
	b := s.packets.Get().([]byte)
	n, from, err := s.conn.ReadFrom(b)
	if err != nil {
		s.log("read: %v", err)
		return // want "PV005"
	}
	go func() {
		defer s.packets.Put(b) // may "PV008"
		s.relay(b[:n], from)
	}()
}

func (s *server) relay(p []byte, from net.Addr) {
	if _, err := s.conn.WriteTo(p, from); err != nil {
		s.log("relay: %v", err)
	}
}

type listener struct {
	in    net.PacketConn
	conns map[string]*bytebuffer.ByteBuffer
}

// pion/udp issue 94: a fresh buffer for every datagram, and none goes back.
func (l *listener) readLoop() {
	for {
		b := *(readBuffers.Get().(*[]byte)) // want "PV006"
		n, from, err := l.in.ReadFrom(b)
		if err != nil {
			return
		}
		c, ok := l.conns[from.String()]
		if !ok {
			c = new(bytebuffer.ByteBuffer)
			l.conns[from.String()] = c
		}
		c.Write(b[:n])
	}
}

// e2b-dev/infra pull 2395: the write is given up, and its payload is put while
// the disk still reads it.
func (d *device) cmdWrite(ctx context.Context, r io.Reader, handle uint64, off int64, n int) error {
	p := getPayload(n)
	if _, err := io.ReadFull(r, *p); err != nil {
		putPayload(p)
		return err
	}
	go func() {
		defer putPayload(p)
		d.acks(handle, d.write(ctx, off, *p)) // want "PV001|PV004"
	}()
	return nil
}

// apache/pulsar-client-go pull 300: the message is put when it is written, and
// waits for its receipt with the same buffer.
func (p *producer) send(payload []byte) error {
	b := bytebuffer.Get()
	b.Write(payload)
	p.next++
	p.pending = append(p.pending, &item{id: p.next, buffer: b}) // want "PV004"
	return p.link.writeNow(b)
}

// After a reconnect all that have no receipt go out again.
func (p *producer) resend() error {
	for _, it := range p.pending {
		if err := p.link.writeNow(it.buffer); err != nil { // want "PV002|PV015"
			return err
		}
	}
	return nil
}
