package mdnsreceive

import "net/netip"

// BufferSize is the size of a receive buffer in bytes, as published: what a
// packet may have with its IP and UDP headers (RFC 6762, section 17).
const BufferSize = 9000

// Packet is one datagram and what a responder must know of it. Whose memory
// Data is, and until when, is said by the Receiver that delivers it.
type Packet struct {
	Data    []byte
	Src     netip.AddrPort
	IfIndex int // of the interface on which it came in
}

// Receiver takes packets off a socket: an arm of the study.
type Receiver interface {
	// Receive takes n packets, waiting for those that are not there yet, and
	// calls deliver with each. It returns how many it delivered, and an error
	// if these are fewer than n.
	Receive(n int, deliver func(Packet)) (took int, err error)
}
