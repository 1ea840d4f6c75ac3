// Package bufferclasses is the study of how to keep byte buffers of many sizes:
// one pool for all, one pool that drops what is large, or size classes to which
// memory returns when a buffer has grown.
//
// A use takes a buffer, writes a file's worth of bytes into it in chunks of 512,
// as an encoder or a copy would, and reads one word of each chunk. The sizes are
// those of the files of the Go distribution. So many buffers are in flight that
// each new use replaces the oldest of them. There is one file for each way of
// keeping buffers, and each is an arm of the study:
//
//	make     no pool
//	single   a sync.Pool of *[]byte
//	drop64k  the same, which drops buffers above 64 KiB, as many programs do
//	classes  a buffer.Pool
//	reserve  a buffer.Pool with a reserve that survives collections
//
// What varies is the number of buffers in flight (1 or 16), whether the size is
// known before the bytes are written, and how often a buffer is used.
//
// study.toml holds the question and what is expected, VERDICT.md the answer.
package bufferclasses
