package transport_test

import (
	"context"
	"fmt"
	"net"
	"net/netip"

	"github.com/poolproof/poolproof/systems/mdns/transport"
)

// loopbackConn is a Conn for an example. Programs call Listen.
func loopbackConn() *transport.Conn {
	udp, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.MustParseAddrPort("127.0.0.1:0")))
	if err != nil {
		panic(err)
	}
	lo, err := net.InterfaceByIndex(1)
	if err != nil {
		panic(err)
	}
	c, err := transport.New(transport.Config{Interfaces: []net.Interface{*lo}}, udp)
	if err != nil {
		panic(err)
	}
	return c
}

// A packet that is lent is valid until the next step: its bytes are copied here
// by the conversion.
func ExampleConn_Packets() {
	c := loopbackConn()
	defer c.Close()
	if err := c.Send(1, c.LocalAddr(), []byte("hello")); err != nil {
		panic(err)
	}
	for p, err := range c.Packets(context.Background()) {
		if err != nil {
			panic(err)
		}
		fmt.Println(string(p.Data), p.Src == c.LocalAddr())
		break
	}
	// Output: hello true
}

// Two goroutines own one packet; its memory is used again when both have
// released it.
func ExampleConn_ReceiveOwned() {
	c := loopbackConn()
	defer c.Close()
	if err := c.Send(1, c.LocalAddr(), []byte("hello")); err != nil {
		panic(err)
	}
	p, err := c.ReceiveOwned(context.Background())
	if err != nil {
		panic(err)
	}
	defer p.Release()
	done := make(chan int)
	go func(p *transport.Owned) {
		defer p.Release()
		done <- len(p.Data)
	}(p.Retain())
	fmt.Println(<-done, "bytes for the other goroutine")
	fmt.Println(string(p.Data))
	// Output:
	// 5 bytes for the other goroutine
	// hello
}
