package mdnsreceive

import (
	"errors"
	"fmt"
	"sync"
	"testing"
)

// arm is an arm of the study as benchmarks and tests use it.
type arm struct {
	name   string
	open   func(*Conn) (Receiver, error)
	lends  bool // a packet is valid until deliver returns; otherwise it is its caller's
	shared bool // many goroutines may use one Receiver; otherwise each has its own
	slots  int  // packets that the lent memory of one Receiver holds; 1 where it is 0
	blind  bool // the interface of a packet is not told, and a packet that is too long is cut without a word
	conn   bool // the benchmarks give it a Conn of its own
}

// opens makes an arm's open of a constructor that cannot fail.
func opens[R Receiver](newReceiver func(*Conn) R) func(*Conn) (Receiver, error) {
	return func(c *Conn) (Receiver, error) { return newReceiver(c), nil }
}

var arms = append([]arm{
	{name: "make", open: opens(NewMake), shared: true},
	{name: "pool", open: opens(NewPool), shared: true},
	{name: "noclear", open: opens(NewPoolNoClear), shared: true},
	{name: "used", open: opens(NewPoolClearUsed), shared: true},
	{name: "querier", open: opens(NewQuerier), shared: true},
	{name: "fixed", open: opens(NewFixed), lends: true},
	{name: "locked", open: opens(NewLocked), lends: true, shared: true},
	{name: "msg", open: opens(NewMsg), lends: true},
	{name: "copy", open: opens(NewCopy)},
	{name: "counted", open: opens(NewCounted), lends: true, shared: true},
	{name: "readbatch", open: opens(NewReadBatch), lends: true, slots: batch},
	{name: "docmake", open: opens(NewDocMake), shared: true, blind: true},
	{name: "docpool", open: opens(NewDocPool), shared: true, blind: true},
}, append(systemArms, transportArm)...)

// transportArm is the last one: it has the socket tell more of each packet. Of
// its nine slots the socket has eight, and the reader one.
var transportArm = arm{name: "transport", lends: true, shared: true, slots: 9, conn: true, open: func(c *Conn) (Receiver, error) { return NewTransport(c) }}

// armNamed returns the arm of that name.
func armNamed(name string) (arm, error) {
	for _, a := range arms {
		if a.name == name {
			return a, nil
		}
	}
	return arm{}, errors.New("no arm " + name + " on this system")
}

// sizes are those of the published packets' kinds: one service, a host with
// printers, and nearly the largest that there may be.
var sizes = []int{145, 1433, 8900}

// operation is the number of packets of an operation of BenchmarkDrain. A slice
// of the engine, a millisecond, shall hold about one operation of the arm make,
// so that a collection which it starts is paid before the next packets are
// sent; and the packets shall fit into the receive buffer that Linux grants for
// askBuffer.
func operation(size int) int {
	if size > MTUPayload {
		return 448
	}
	return 512
}

// load is the packets of an operation, and what a Consumer of them ends as.
type load struct {
	packets [][]byte
	want    Consumer
}

// loadOf returns n packets of size bytes, all of them different.
func loadOf(size, n int) (load, error) {
	var l load
	for serial := range n {
		p, err := Response(size, serial)
		if err != nil {
			return load{}, err
		}
		l.packets = append(l.packets, p)
		l.want.Deliver(Packet{Data: p})
	}
	return l, nil
}

// loads are made once a process: the engine runs a benchmark's function for
// each slice.
var loads = func() map[int]func() (load, error) {
	m := map[int]func() (load, error){}
	for _, size := range sizes {
		m[size] = sync.OnceValues(func() (load, error) { return loadOf(size, operation(size)) })
	}
	return m
}()

// loopback is the Conn of all benchmarks of a process, but of the arms that have
// one of their own.
var loopback, ownLoopback = sync.OnceValues(Listen), sync.OnceValues(Listen)

// setUp returns what a benchmark of an arm needs.
func setUp(b *testing.B, name string, size int) (*Conn, load, arm) {
	b.Helper()
	a, err := armNamed(name)
	if err != nil {
		b.Skip(err)
	}
	listen := loopback
	if a.conn {
		listen = ownLoopback
	}
	c, err := listen()
	if err != nil {
		b.Fatal(err)
	}
	l, err := loads[size]()
	if err != nil {
		b.Fatal(err)
	}
	return c, l, a
}

// check reports packets that were not delivered, or not as they were sent.
func (l load) check(got Consumer) error {
	if got != l.want {
		return fmt.Errorf("packets were lost, altered or delivered twice: received %+v, sent %+v", got, l.want)
	}
	return nil
}
