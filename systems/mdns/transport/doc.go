// Package transport sends and receives the packets of Multicast DNS: UDP port
// 5353 on IPv4 and IPv6, on several interfaces.
//
// A [Conn] is read in one of four forms, which differ in the owner of a
// packet's memory:
//
//	Serve         calls a function; the packet is lent until it returns
//	Packets       an iterator; the packet is lent until the next step
//	ReceiveOwned  a pooled packet that counts its owners, until their Release
//	ReceiveCopy   bytes that are the caller's for good: one allocation
//
// The first three allocate nothing per packet. [Conn.Receive] is ReceiveCopy
// with the signature that many transports have, []byte, net.Addr, error, for
// code that is written for it.
//
// # Where the memory is
//
// Each socket has a few packets of 9000 bytes, the largest of RFC 6762, section
// 17, into which the kernel writes. A lent packet is one of these. ReceiveOwned
// takes it out and puts another one of the pool in its place, so no byte is
// copied. A pool is needed for this form alone: one goroutine that reads a
// socket and lends its packets needs none.
//
// On Linux one system call, recvmmsg, fetches up to Config.Batch packets; other
// systems fetch one.
//
// # Concurrency
//
// All methods are safe for concurrent use, but a Conn has one reader at a time:
// calls of ReceiveOwned, ReceiveCopy and Receive wait for their turn, while
// Serve and Packets keep it, and all others then return [ErrBusy].
//
// A call that waits ends as soon as its context does or the Conn is closed.
// Nothing polls: a receiver sleeps until there is a packet. To wait with a
// context other than the last call's costs a few allocations, to wait with the
// same one costs none.
package transport
