// Package mdnspublished re-creates the benchmark on which "pooled receive
// buffers cut 9000 bytes a packet to 48" was published, so that poolproof can
// be seen to reject it.
//
// The benchmark calls Receive in a loop with one context, made before the loop,
// whose timeout is a millisecond; nobody sends. The first call waits for the
// timeout. From then on the context has ended, and Receive returns before it
// asks for a buffer. What was published as the memory of the pooled path, 48
// bytes in one allocation, is the error that says so; with a new buffer for
// each packet in place of the pool the same is measured. The 9000 bytes to
// which it was compared are the buffer's size, and were not measured.
//
// The published code was not kept; this is our own, from its description and
// its counters. The study mdns-receive asks the same question with packets.
package mdnspublished
