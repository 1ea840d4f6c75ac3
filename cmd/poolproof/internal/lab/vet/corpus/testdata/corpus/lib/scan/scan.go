// Package scan looks at bytes: some of its results share memory with their
// argument, some do not.
package scan

import (
	"bytes"
	"hash/crc32"
)

// View describes a line. It shares memory with the bytes that were looked at.
type View struct {
	Key, Value []byte
	Line       int
}

// Look splits a line at its first colon.
func Look(line []byte, n int) View {
	key, value, _ := bytes.Cut(line, []byte(":"))
	return View{Key: key, Value: value, Line: n}
}

// Head returns the part before the first newline.
func Head(b []byte) []byte {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return b[:i]
	}
	return b
}

// Tail returns what follows it, nil if nothing does.
func Tail(b []byte) []byte {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return b[i+1:]
	}
	return nil
}

// Pair is a key and a value of its own.
type Pair struct{ Key, Value string }

// Parse splits a line as Look does, and copies.
func Parse(line []byte) Pair {
	key, value, _ := bytes.Cut(line, []byte(":"))
	return Pair{Key: string(key), Value: string(value)}
}

// Dup returns a copy.
func Dup(b []byte) []byte {
	c := make([]byte, len(b))
	copy(c, b)
	return c
}

// Sum returns a checksum.
func Sum(b []byte) uint32 { return crc32.ChecksumIEEE(b) }
