// Package mdnsreceive is the study of one question: where do the bytes go that
// a receiver of multicast DNS allocates for each packet, and does a pool of
// receive buffers save them?
//
// The path is the published one, written anew: a UDP socket is read through
// golang.org/x/net's ipv4.PacketConn, because a responder must know on which
// interface a packet came in, into a buffer of 9000 bytes, the largest packet
// of RFC 6762, section 17. Each arm of the study reads the same socket and
// delivers the same: the bytes, the source, the interface. The first group
// differs in the buffer alone:
//
//	make      a new buffer for each packet, as it was before the pool
//	pool      the published way: pooled buffer, copied on return, cleared on Put
//	noclear   the same without clearing
//	used      the same, only the bytes that were received are cleared
//	querier   pool, called with a timeout of its own for each packet
//	fixed     one buffer for each receiver
//	locked    one buffer for all receivers, behind a mutex
//
// The second group leaves x/net's ReadFrom, which allocates 15 times a packet:
//
//	msg       net's ReadMsgUDPAddrPort into one buffer for each receiver
//	copy      the same, and a copy for the caller
//	counted   the same into a pooled object that counts its owners
//	readbatch x/net's ReadBatch, up to 64 packets a system call
//	recvmmsg  the system call itself, up to 64 packets (Linux)
//
// # Ownership
//
// A Packet's bytes are the caller's for good where they are new (make) or
// copied (pool, noclear, used, querier, copy). All other arms lend them: until
// deliver returns, because the same memory holds a later packet. Of the arm
// counted a caller can keep them longer, by Retain, until its Release.
//
// # What is timed
//
// BenchmarkDrain times receiving alone: packets are put into the socket's
// queue while the timer stands, then all of them are received. Sending would
// hide it: in the profiles of the arms that allocate nothing, most of the
// process's time is spent there, and a real receiver has its sender elsewhere.
// An operation is about as long as a slice of the engine, so a collection that
// it starts is paid before the next packets are sent. BenchmarkReceivers does
// the same with many goroutines on one socket. BenchmarkRate has nothing
// outside of its timer: the receiver waits in the poller, a packet is sent, the
// receiver wakes and reads it.
// BenchmarkBuffer is the buffer alone, without a socket.
//
// Every packet is counted, and its bytes enter a checksum, in the consumer. A
// packet that is lost, altered or delivered twice fails the benchmark.
//
// study.toml holds the question and what is expected, VERDICT.md the answer.
// The folder clearing asks the second question, what clearing costs, of the
// same benchmarks.
package mdnsreceive
