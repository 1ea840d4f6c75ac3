// Package wire has the bugs of programs that move packets: event loops, proxies,
// QUIC, relays, message brokers. Each was published; its comment says where.
package wire

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"sync"

	"example.org/held/lib/buf"
	"example.org/held/lib/bytebuffer"
	"example.org/held/lib/quic"
)

var errToken = errors.New("wire: token")

// conn keeps what has arrived and was no frame yet.
type conn struct {
	now     []byte
	pending []byte
	whole   *bytebuffer.ByteBuffer
}

// Read returns all that has arrived, in one piece.
func (c *conn) Read() []byte {
	if len(c.pending) == 0 {
		return c.now
	}
	c.whole = bytebuffer.Get()
	c.whole.Write(c.pending)
	c.whole.Write(c.now)
	return c.whole.Bytes()
}

// ResetBuffer forgets all that has arrived.
func (c *conn) ResetBuffer() {
	c.now = c.now[:0]
	c.pending = c.pending[:0]
	bytebuffer.Put(c.whole)
	c.whole = nil
}

// frames is what a codec sees of a connection.
type frames interface {
	Read() []byte
	ResetBuffer()
}

type header struct {
	parsed, length int
	long           bool
	token          []byte
}

func parseHeader(p []byte) (*header, error) {
	if len(p) < 4 {
		return nil, io.ErrUnexpectedEOF
	}
	n := int(binary.BigEndian.Uint16(p))
	return &header{parsed: 4, length: min(n, len(p)-4), long: p[2]&1 != 0, token: p[2:4]}, nil
}

type session struct {
	conn    net.PacketConn
	streams map[int][]byte
	handled int
}

type server struct {
	conn     net.PacketConn
	sessions map[string]chan *quic.Datagram
	tokens   map[string]bool
	log      func(string, ...any)
	packets  sync.Pool
	readers  *sync.Pool
}

func newServer(c net.PacketConn) *server {
	s := &server{conn: c, sessions: map[string]chan *quic.Datagram{}, tokens: map[string]bool{}}
	s.packets.New = func() any { return make([]byte, 1500) }
	s.readers = &sync.Pool{New: func() any {
		b := make([]byte, 1500)
		return &b
	}}
	return s
}

func (s *server) sendInvalidToken(d *quic.Datagram, h *header) {
	reply := append([]byte{0, 0}, d.Data[:h.parsed]...)
	if _, err := s.conn.WriteTo(reply, d.From); err != nil {
		s.log("invalid token: %v", err)
	}
}

var readBuffers = sync.Pool{New: func() any {
	b := make([]byte, 8192)
	return &b
}}

func readSize(r io.Reader) (int, error) {
	var b [2]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return 0, err
	}
	return int(binary.BigEndian.Uint16(b[:])), nil
}

// packet is what a dispatcher gives to whoever reads from it.
type packet struct {
	payload *buf.Buffer
	source  net.Addr
}

type dispatcher struct {
	cache chan *packet
	done  chan struct{}
}

// store is the slow disk behind a block device.
type store interface {
	WriteAt(p []byte, off int64) (int, error)
}

type device struct {
	store store
	fatal chan error
	acks  func(handle uint64, err error)
}

func getPayload(n int) *[]byte {
	b := readBuffers.Get().(*[]byte)
	if cap(*b) < n {
		*b = make([]byte, n)
	}
	*b = (*b)[:n]
	return b
}

func putPayload(b *[]byte) {
	if cap(*b) > 1<<20 {
		return
	}
	readBuffers.Put(b)
}

// write gives up when ctx is done. The disk does not.
func (d *device) write(ctx context.Context, off int64, p []byte) error {
	written := make(chan error, 1)
	go func() {
		_, err := d.store.WriteAt(p, off)
		written <- err
	}()
	select {
	case err := <-written:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// writeJoined waits for the disk, whatever ctx says.
func (d *device) writeJoined(ctx context.Context, off int64, p []byte) error {
	written := make(chan error, 1)
	go func() {
		_, err := d.store.WriteAt(p, off)
		written <- err
	}()
	select {
	case err := <-written:
		return err
	case <-ctx.Done():
		<-written
		return ctx.Err()
	}
}

// link is a connection to a broker, and what waits to be written to it.
type link struct {
	out    net.Conn
	writes chan *bytebuffer.ByteBuffer
}

func (l *link) enqueue(b *bytebuffer.ByteBuffer) { l.writes <- b }

// writeNow writes b, and that is the end of b.
func (l *link) writeNow(b *bytebuffer.ByteBuffer) error {
	_, err := b.WriteTo(l.out)
	bytebuffer.Put(b)
	return err
}

// writeKept writes b, which stays its owner's.
func (l *link) writeKept(b *bytebuffer.ByteBuffer) error {
	_, err := b.WriteTo(l.out)
	return err
}

type item struct {
	id     uint64
	buffer *bytebuffer.ByteBuffer
}

type producer struct {
	link    *link
	pending []*item
	next    uint64
}
