// Package udprelay forwards datagrams of clients to a server, until it is told to stop.
package udprelay

import (
	"errors"
	"net"
	"os"
	"sync"
	"time"
)

var datagrams = sync.Pool{New: func() any { return new([2048]byte) }}

// Relay forwards from one socket to another.
type Relay struct {
	from, to *net.UDPConn
	quit     chan struct{}
	skipped  int
}

// Stop makes Run return.
func (r *Relay) Stop() { close(r.quit) }

func (r *Relay) stopped() bool {
	select {
	case <-r.quit:
		return true
	default:
		return false
	}
}

// Run forwards until Stop, or until the server cannot be reached.
func (r *Relay) Run() error {
	for !r.stopped() {
		r.from.SetReadDeadline(time.Now().Add(time.Second))
		d := datagrams.Get().(*[2048]byte)
		n, err := r.from.Read(d[:])
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			datagrams.Put(d)
			continue
		case err != nil:
			datagrams.Put(d)
			return err
		case n < 4:
			r.skipped++
			continue // want PV005
		}
		_, err = r.to.Write(d[:n])
		datagrams.Put(d)
		if err != nil {
			return err
		}
	}
	return nil
}
