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

// Run forwards until Stop, or until the server cannot be reached.
func (r *Relay) Run() (err error) {
	d := datagrams.Get().(*[2048]byte)
loop:
	for {
		select {
		case <-r.quit:
			break loop
		default:
		}
		r.from.SetReadDeadline(time.Now().Add(time.Second))
		var n int
		n, err = r.from.Read(d[:])
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			err = nil
			continue
		case err != nil:
			break loop
		case n < 4:
			r.skipped++
			continue
		}
		if _, err = r.to.Write(d[:n]); err != nil {
			break loop
		}
	}
	datagrams.Put(d)
	return err
}
