package mdnsreceive

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"net"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/net/ipv4"

	"github.com/poolproof/poolproof/systems/mdns/transport"
)

// Conn is a UDP socket on the loopback interface and a second one that sends
// to it. All arms read this socket. Its methods may be called by several
// goroutines at once.
type Conn struct {
	udp     *net.UDPConn
	packets *ipv4.PacketConn // udp as x/net reads it
	sender  *net.UDPConn
	granted int // bytes of the receive buffer

	attaching sync.Mutex
	transport *transport.Conn // on udp, once there is one; guarded by attaching

	limit limit // for the transport
}

const (
	// askBuffer is the size asked for as receive buffer, in bytes. Linux grants
	// the least of this and net.core.rmem_max, doubled for its own needs.
	askBuffer = 4 << 20

	// lossTimeout is how long a packet is waited for before it counts as lost.
	// On loopback a packet is there when it is sent.
	lossTimeout = 5 * time.Second
)

// Listen opens the sockets. The caller closes the Conn.
func Listen() (*Conn, error) {
	c := &Conn{limit: newLimit()}
	var err error
	if c.udp, err = net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.MustParseAddrPort("127.0.0.1:0"))); err != nil {
		return nil, fmt.Errorf("no socket to receive on: %w; this study needs UDP on 127.0.0.1", err)
	}
	if c.sender, err = net.DialUDP("udp4", nil, c.udp.LocalAddr().(*net.UDPAddr)); err != nil {
		c.Close()
		return nil, fmt.Errorf("no socket to send from: %w; this study needs UDP on 127.0.0.1", err)
	}
	c.packets = ipv4.NewPacketConn(c.udp)
	if err := c.packets.SetControlMessage(ipv4.FlagInterface, true); err != nil {
		c.Close()
		return nil, fmt.Errorf("the interface of a packet is not told here: %w; this study runs on Linux and macOS", err)
	}
	if err := c.udp.SetReadBuffer(askBuffer); err != nil {
		c.Close()
		return nil, fmt.Errorf("receive buffer of %d bytes: %w", askBuffer, err)
	}
	if c.granted, err = receiveBuffer(c.udp); err != nil {
		c.Close()
		return nil, fmt.Errorf("size of the receive buffer: %w", err)
	}
	return c, nil
}

// Close closes both sockets.
func (c *Conn) Close() error {
	c.limit.end()
	var errs []error
	for _, s := range []*net.UDPConn{c.udp, c.sender} {
		if s != nil {
			errs = append(errs, s.Close())
		}
	}
	return errors.Join(errs...)
}

// Source is the address from which Fill sends.
func (c *Conn) Source() netip.AddrPort { return c.sender.LocalAddr().(*net.UDPAddr).AddrPort() }

// Capacity is how many packets of size bytes the receive buffer holds for
// certain. Linux counts what a packet occupies: its bytes, headers and
// bookkeeping rounded up to a power of two, and its descriptor. A guess that is
// too large is no danger: a packet that is lost is noticed.
func (c *Conn) Capacity(size int) int {
	occupied := 1<<bits.Len(uint(size+512-1)) + 512
	return max(1, c.granted/occupied)
}

// Fill sends packets, which then wait in the receive buffer if they are no more
// than its Capacity. From now on receivers give up when a packet does not come
// for lossTimeout.
func (c *Conn) Fill(packets [][]byte) error {
	if err := c.udp.SetReadDeadline(time.Now().Add(lossTimeout)); err != nil {
		return err
	}
	c.limit.extend()
	for i, p := range packets {
		if _, err := c.sender.Write(p); err != nil {
			return fmt.Errorf("packet %d of %d could not be sent: %w", i+1, len(packets), err)
		}
	}
	return nil
}

// Stop ends the calls that wait for a packet, and those that will, until the
// next Fill.
func (c *Conn) Stop() error {
	c.limit.end()
	return c.udp.SetReadDeadline(time.Unix(1, 0))
}

// waiting is the context in which the transport waits.
func (c *Conn) waiting() context.Context { return c.limit.context() }

// Lost describes the error err with which receiving ended after took of n
// packets of size bytes.
func (c *Conn) Lost(took, n, size int, err error) error {
	return fmt.Errorf("received %d of %d packets of %d bytes: %w; the socket's buffer has %d bytes and should hold %d such packets: if it does not, raise net.core.rmem_max",
		took, n, size, err, c.granted, c.Capacity(size))
}

// ReceiveError is the published form of an error: what was tried, why it
// failed, and words for people.
type ReceiveError struct {
	Operation string
	Err       error
	Details   string
}

func (e *ReceiveError) Error() string { return e.Operation + ": " + e.Details + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *ReceiveError) Unwrap() error { return e.Err }

// Obey is how each published call begins: it refuses a context that has ended,
// and makes the context's deadline, if it has one, the socket's. There it stays
// when the call is over, for all who use the socket.
func (c *Conn) Obey(ctx context.Context) error {
	select {
	case <-ctx.Done(): // a new context allocates this channel now
		return &ReceiveError{"receive", ctx.Err(), "the context has ended"}
	default:
	}
	deadline, ok := ctx.Deadline()
	if !ok {
		return nil
	}
	return c.udp.SetReadDeadline(deadline)
}

// errNoInterface: the kernel did not say on which interface a packet came in,
// though it was asked to.
var errNoInterface = errors.New("packet without the interface on which it came in")

// errTruncated: the packet was longer than the buffer.
var errTruncated = fmt.Errorf("packet of more than %d bytes", BufferSize)

// ReadFrom reads one packet into buf by x/net, the published way, which
// allocates for the buffer list, the control bytes, the address and more. A
// packet longer than buf is cut without a word.
func (c *Conn) ReadFrom(buf []byte) (n int, src netip.AddrPort, ifIndex int, err error) {
	n, control, from, err := c.packets.ReadFrom(buf)
	if err != nil {
		return 0, netip.AddrPort{}, 0, err
	}
	if control == nil {
		return 0, netip.AddrPort{}, 0, errNoInterface
	}
	return n, addrPort(from), control.IfIndex, nil
}

// controlSize has room for the control bytes of a packet: 32 on 64-bit
// machines, for the interface alone.
const controlSize = 128

// ReadMsg reads one packet into buf by package net, with control, of
// controlSize bytes, for what the kernel says of it. It allocates nothing on
// Linux.
func (c *Conn) ReadMsg(buf, control []byte) (n int, src netip.AddrPort, ifIndex int, err error) {
	n, controlled, flags, src, err := c.udp.ReadMsgUDPAddrPort(buf, control)
	if err != nil {
		return 0, netip.AddrPort{}, 0, err
	}
	if flags&flagTruncated != 0 {
		return 0, netip.AddrPort{}, 0, errTruncated
	}
	ifIndex, err = interfaceOf(control[:controlled])
	return n, src, ifIndex, err
}

// addrPort is the address of a UDP packet as x/net returns it.
func addrPort(from net.Addr) netip.AddrPort {
	a := from.(*net.UDPAddr).AddrPort()
	return netip.AddrPortFrom(a.Addr().Unmap(), a.Port())
}
