// Package mdns finds services on the local network and announces one's own: it
// is a querier and responder of Multicast DNS (RFC 6762) and DNS-Based Service
// Discovery (RFC 6763), on IPv4 and IPv6 and several interfaces.
//
//	node, err := mdns.Open(ctx, mdns.Config{})
//	if err != nil {
//		return err
//	}
//	defer node.Close()
//
//	for event, err := range node.Browse(ctx, "_http._tcp") {
//		...
//	}
//
//	reg, err := node.Register(ctx, mdns.Service{Instance: "My page", Type: "_http._tcp", Port: 8080})
//
// A [Node] has one reader for the packets of its sockets, which lends them to
// both roles; see package [transport] for who owns a packet's memory, and
// package [message] for reading and writing messages without allocating.
//
// # What is taken from the network
//
// A packet with a fault is ignored as a whole, and counted by reason. Of a
// response only those records are kept that somebody waits for, so that a flood
// of answers to nobody's question costs no memory; the cache has a bound
// besides. A packet that was sent to one of our own addresses is ignored if its
// sender is not on the link (RFC 6762, section 11). [Node.Stats] tells it all.
package mdns

import (
	"github.com/poolproof/poolproof/systems/mdns/message"
	"github.com/poolproof/poolproof/systems/mdns/transport"
)

// For the links in the package's comment.
var (
	_ message.Reader
	_ transport.Packet
)
