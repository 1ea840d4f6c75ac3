// Package mdns finds services on the local network and announces services of the
// program. It is a querier and a responder for Multicast DNS (RFC 6762) and
// DNS-Based Service Discovery (RFC 6763), on IPv4 and IPv6 and several interfaces.
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
// A service may belong to another host, whose name and addresses the node then
// announces ([Service].Host), and a node may have other host names beside its own
// ([Node.RegisterHost]).
//
// A [Node] has one reader for the packets of its sockets, which lends them to
// both roles. Package [transport] defines the owner of a packet's memory. Package
// [message] reads and writes messages without allocating.
//
// # Packets from the network
//
// A node ignores a packet with a fault as a whole, and counts it by reason. Of a
// response it keeps only the records that a caller waits for, and those that
// concern what is known, so that a flood of unwanted answers costs no memory. The
// cache also has a bound: if it is reached, pointers to services that do not answer
// make room, the oldest first. Of the replies that wait there is a bound, too, and
// names are defended at once. It ignores a packet
// to one of its own addresses if the sender is not on the link (RFC 6762, section
// 11). [Node.Stats] returns the counts.
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
