package mdnsreceive

import (
	"context"
	"errors"
	"net"
	"os"

	"github.com/poolproof/poolproof/systems/mdns/transport"
)

// Transport is the arm transport: the receive path of systems/mdns, a real
// querier and responder. Its ReceiveOwned takes packets, up to eight a system
// call, into pooled objects that count their owners. A packet is valid until
// deliver returns.
type Transport struct {
	c    *Conn
	conn *transport.Conn
}

// NewTransport returns a Receiver that any number of goroutines may use. The
// socket of c tells more of each packet from then on, for all who read it.
func NewTransport(c *Conn) (*Transport, error) {
	c.attaching.Lock()
	defer c.attaching.Unlock()
	if c.transport == nil {
		loopback, err := net.InterfaceByIndex(1)
		if err != nil {
			return nil, err
		}
		// The Conn closes the socket; what the transport keeps ends with it.
		if c.transport, err = transport.New(transport.Config{Interfaces: []net.Interface{*loopback}}, c.udp); err != nil {
			return nil, err
		}
	}
	return &Transport{c, c.transport}, nil
}

// Receive implements Receiver.
func (t *Transport) Receive(n int, deliver func(Packet)) (took int, err error) {
	for ; took < n; took++ {
		if err := t.one(deliver); err != nil {
			return took, err
		}
	}
	return took, nil
}

// one delivers one packet. The transport's own end of waiting is a context, the
// Conn's is a deadline of its socket.
func (t *Transport) one(deliver func(Packet)) error {
	o, err := t.conn.ReceiveOwned(t.c.waiting())
	if errors.Is(err, context.Canceled) {
		return os.ErrDeadlineExceeded
	}
	if err != nil {
		return err
	}
	defer o.Release()
	switch {
	case o.Truncated:
		return errTruncated
	case o.IfIndex == 0:
		return errNoInterface
	}
	deliver(Packet{Data: o.Data, Src: o.Src, IfIndex: o.IfIndex})
	return nil
}
