package transport

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// Errors of a Conn.
var (
	// ErrBusy is returned by a receiving call while Serve or Packets reads.
	ErrBusy = errors.New("transport: another reader has the connection")

	// ErrNoDestination is returned by Send without an address: it never means
	// "to the group".
	ErrNoDestination = errors.New("transport: no destination address")
)

// Conn is the sockets of a process on port 5353. It is made by [Listen] or
// [New], and must be closed.
type Conn struct {
	config     Config
	sockets    []*socket
	interfaces atomic.Pointer[[]net.Interface] // a new slice for each change
	refreshing sync.Mutex                      // held by Refresh

	turn    chan struct{}  // holds one element while a goroutine reads
	serving atomic.Bool    // Serve or Packets has the turn
	ready   chan *socket   // from the pumps, if there are several sockets
	helpers sync.WaitGroup // the pumps, and the wake of a context that has ended
	closed  chan struct{}
	closing sync.Once

	// Of the goroutine that has the turn:
	current *socket         // whose packets are handed out
	armed   <-chan struct{} // the Done of the context that wakes the reader
	disarm  func() bool
	pumping bool
	freed   bool

	gets atomic.Uint64 // packets that got an owner
	puts atomic.Uint64 // packets that lost their last owner
}

// New returns a Conn that reads and writes sockets, which are bound and have
// joined their groups already: those that a supervisor has passed, or that a
// test has made. There is one socket of each family at most. Close closes them.
// New asks the kernel for what [Meta] has.
func New(config Config, sockets ...*net.UDPConn) (*Conn, error) {
	interfaces, err := choose(config.Interfaces)
	if err != nil {
		return nil, err
	}
	return attach(config, interfaces, sockets)
}

func attach(config Config, interfaces []net.Interface, sockets []*net.UDPConn) (*Conn, error) {
	if len(sockets) == 0 {
		return nil, errors.New("transport: a connection needs a socket")
	}
	if !multiHomed && len(interfaces) != 1 {
		return nil, fmt.Errorf("transport: this system does not say on which interface a packet came in, so a connection has one: name it in Config.Interfaces (there are %d)", len(interfaces))
	}
	c := &Conn{
		config: config.filled(),
		turn:   make(chan struct{}, 1),
		ready:  make(chan *socket),
		closed: make(chan struct{}),
	}
	c.interfaces.Store(&interfaces)
	for _, udp := range sockets {
		if c.socket(isIPv6(udp)) != nil {
			c.tryFree()
			return nil, fmt.Errorf("transport: socket on %v: there is one of its family already", udp.LocalAddr())
		}
		s, err := newSocket(c, udp)
		if err != nil {
			c.tryFree()
			return nil, fmt.Errorf("transport: socket on %v: %w", udp.LocalAddr(), err)
		}
		c.sockets = append(c.sockets, s)
	}
	return c, nil
}

// socket returns the socket of a family, nil if there is none.
func (c *Conn) socket(v6 bool) *socket {
	for _, s := range c.sockets {
		if s.v6 == v6 {
			return s
		}
	}
	return nil
}

// Families reports which families the Conn has a socket of.
func (c *Conn) Families() (ipv4, ipv6 bool) { return c.socket(false) != nil, c.socket(true) != nil }

// LocalAddr returns the address of the Conn's first socket.
func (c *Conn) LocalAddr() netip.AddrPort {
	return c.sockets[0].udp.LocalAddr().(*net.UDPAddr).AddrPort()
}

// Close closes the sockets and ends all calls that wait. Once they have returned,
// no goroutine works for the Conn. Packets that have an owner stay valid until
// their Release. Close may be called more than once, and from a function that
// Serve has called.
func (c *Conn) Close() (err error) {
	c.closing.Do(func() {
		close(c.closed)
		for _, s := range c.sockets {
			err = errors.Join(err, s.close())
		}
		c.tryFree()
	})
	return err
}

// tryFree gives all memory back, unless a goroutine has the turn: it calls
// tryFree when it leaves.
func (c *Conn) tryFree() {
	select {
	case c.turn <- struct{}{}:
	default:
		return
	}
	if !c.freed {
		c.freed = true
		c.rest()
		c.helpers.Wait()
		for _, s := range c.sockets {
			s.free()
		}
	}
	<-c.turn
}

// Stats holds the counts of a Conn since it was made. While it is in use the
// numbers are each exact, but read one after the other.
type Stats struct {
	Received  uint64 // packets, those that were truncated among them
	Truncated uint64 // longer than BufferSize
	Dropped   uint64 // by the kernel for want of buffer, up to the last packet received; Linux only

	Gets uint64 // packets that ReceiveOwned handed out
	Puts uint64 // of these, those whose last owner has released them
	Live int64  // of these, those that have an owner now

	// RecvBuffer is the size of the smallest socket's receive buffer in bytes,
	// as the kernel counts it: on Linux twice what was granted, because it
	// counts its own bookkeeping too. 0 where the system does not tell.
	RecvBuffer int
}

// Stats returns what c has counted.
func (c *Conn) Stats() Stats {
	s := Stats{Puts: c.puts.Load(), Gets: c.gets.Load()}
	s.Live = int64(s.Gets - s.Puts)
	for i, socket := range c.sockets {
		s.Received += socket.received.Load()
		s.Truncated += socket.truncated.Load()
		s.Dropped += socket.dropped.Load()
		if i == 0 || socket.granted < s.RecvBuffer {
			s.RecvBuffer = socket.granted
		}
	}
	return s
}

// enter waits for the turn to read.
func (c *Conn) enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if c.isClosed() {
		return net.ErrClosed
	}
	if c.serving.Load() {
		return ErrBusy
	}
	select {
	case c.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	case <-c.closed:
		return net.ErrClosed
	}
	if c.isClosed() { // the select may choose any
		c.leave()
		return net.ErrClosed
	}
	return nil
}

// leave gives the turn up.
func (c *Conn) leave() {
	<-c.turn
	if c.isClosed() {
		c.tryFree()
	}
}

func (c *Conn) isClosed() bool {
	select {
	case <-c.closed:
		return true
	default:
		return false
	}
}

// await returns a socket that has a packet to hand out. The caller has the
// turn.
func (c *Conn) await(ctx context.Context) (*socket, error) {
	s := c.current
	if s != nil && s.next < s.n {
		return s, nil
	}
	if len(c.sockets) == 1 {
		s = c.sockets[0]
		c.current = s
		return s, c.waitForOne(ctx, s)
	}
	if s != nil {
		c.current = nil
		s.resume <- struct{}{}
	}
	return c.waitForAny(ctx)
}

// waitForOne reads s itself. The context ends the wait by a deadline in the
// past, which is the socket's and not the caller's: a reader that is woken by it
// looks whether it was meant.
func (c *Conn) waitForOne(ctx context.Context, s *socket) error {
	c.arm(ctx)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := s.fill()
		switch {
		case err == nil:
			return nil
		case c.isClosed():
			return net.ErrClosed
		case !isTimeout(err):
			return fmt.Errorf("transport: receiving by %s: %w", s.family(), err)
		}
		// A context ends before it wakes, so if this clears a deadline that was
		// meant for us, the next look at ctx sees it.
		if err := s.udp.SetReadDeadline(time.Time{}); err != nil && !c.isClosed() {
			return err
		}
	}
}

func isTimeout(err error) bool {
	var e net.Error
	return errors.As(err, &e) && e.Timeout()
}

// arm has the end of ctx wake the reader. Of contexts with one Done channel,
// the first stays armed for all calls.
func (c *Conn) arm(ctx context.Context) {
	done := ctx.Done()
	if done == c.armed {
		return
	}
	c.rest()
	if c.armed = done; done != nil {
		c.helpers.Add(1)
		c.disarm = context.AfterFunc(ctx, c.wakeOnce)
	}
}

// rest takes back what arm has done. A wake that has begun ends by itself.
func (c *Conn) rest() {
	if c.disarm != nil && c.disarm() {
		c.helpers.Done()
	}
	c.disarm = nil
}

func (c *Conn) wakeOnce() {
	defer c.helpers.Done()
	c.wake()
}

// wake ends the wait of the reader.
func (c *Conn) wake() { c.sockets[0].udp.SetReadDeadline(time.Unix(1, 0)) }

// waitForAny waits for a pump.
func (c *Conn) waitForAny(ctx context.Context) (*socket, error) {
	if !c.pumping {
		c.pumping = true
		for _, s := range c.sockets {
			c.helpers.Add(1)
			go s.pump()
		}
	}
	select {
	case s := <-c.ready:
		c.current = s
		if err := s.err; err != nil {
			s.err = nil
			return nil, fmt.Errorf("transport: receiving by %s: %w", s.family(), err)
		}
		return s, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-c.closed:
		return nil, net.ErrClosed
	}
}

// pump reads one of several sockets until the Conn is closed: it hands over a
// batch, and waits until that was handed out.
func (s *socket) pump() {
	c := s.conn
	defer c.helpers.Done()
	for {
		s.err = s.fill()
		select {
		case c.ready <- s:
		case <-c.closed:
			return
		}
		select {
		case <-s.resume:
		case <-c.closed:
			return
		}
	}
}

// socket is one UDP socket and the packets that were read from it. All but the
// counters belong to the goroutine that reads: the one that has the Conn's turn,
// or the socket's pump.
type socket struct {
	conn    *Conn
	udp     *net.UDPConn
	v6      bool
	granted int // bytes of the receive buffer, 0 where the system does not tell

	// routes are the control bytes that send from an interface, by its index: of
	// the interfaces that the group is joined on. A new map for each change.
	routes atomic.Pointer[map[int][]byte]

	// Of Listen and Refresh, under the Conn's lock for them: who is a member of the
	// group on an interface, by its index, and those that are not the socket itself.
	joined  map[int]member
	holders []*holder

	slots   []*Owned // the kernel writes into these
	next, n int      // slots[next:n] were received and not handed out
	read    func() error
	batched bool // packets are described when they are handed out
	batch   batchReader
	room    [controlSize]byte // for the control bytes of one packet

	err    error         // of the pump's last read
	resume chan struct{} // tells the pump that all packets were handed out

	received  atomic.Uint64
	truncated atomic.Uint64
	dropped   atomic.Uint64 // by the kernel, as its last packet told
}

// family is the socket's family in errors.
func (s *socket) family() string { return familyName(s.v6) }
