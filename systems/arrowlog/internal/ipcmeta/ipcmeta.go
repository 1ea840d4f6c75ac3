// Package ipcmeta checks the metadata of Arrow IPC streams and files before
// arrow-go reads them. arrow-go 18.8.0 believes the counts and lengths that it
// finds: a damaged file of 3 KB makes it ask for 300 GB, which ends the process.
// Arrow's C++ and Java readers verify the metadata in the same way.
//
// The format is described in https://arrow.apache.org/docs/format/Columnar.html,
// section "Serialization and Interprocess Communication (IPC)".
package ipcmeta

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

const (
	continuation = 0xffffffff
	magic        = "ARROW1"
	magicPadded  = 8 // at the beginning of a file
	// maxMetadata bounds what is read of one message. A schema of 100,000 columns
	// needs some 20 MB.
	maxMetadata = 256 << 20
)

// Stream checks the messages of a stream that is the size bytes of r. A stream
// that ends without its end mark is one that was cut off between two messages,
// which readers accept.
func Stream(r io.ReaderAt, size int64) error {
	for at := int64(0); at < size; {
		var head [8]byte
		n, err := r.ReadAt(head[:min(8, size-at)], at)
		if n < 8 {
			if n == 4 && binary.LittleEndian.Uint32(head[:]) == 0 {
				return nil // the end mark of old streams
			}
			return fmt.Errorf("message at byte %d: %w", at, unexpected(err))
		}
		if binary.LittleEndian.Uint32(head[:]) != continuation {
			return fmt.Errorf("message at byte %d begins with % x, not with a continuation mark", at, head[:4])
		}
		length := int64(binary.LittleEndian.Uint32(head[4:]))
		if length == 0 {
			return nil
		}
		body, err := checkMessage(r, size, at+8, length)
		if err != nil {
			return fmt.Errorf("message at byte %d: %w", at, err)
		}
		at += 8 + length + body
	}
	return nil
}

// File checks the footer of a file that is the size bytes of r, and the messages
// that the footer names.
func File(r io.ReaderAt, size int64) error {
	tail := int64(4 + len(magic))
	if size < magicPadded+tail {
		return fmt.Errorf("the file has %d bytes, an Arrow file has %d at least", size, magicPadded+tail)
	}
	end := make([]byte, tail)
	if _, err := r.ReadAt(end, size-tail); err != nil && err != io.EOF {
		return err
	}
	if string(end[4:]) != magic {
		return fmt.Errorf("the file ends with %q, not with %q: it was cut off", end[4:], magic)
	}
	length := int64(int32(binary.LittleEndian.Uint32(end)))
	if length <= 0 || length > size-tail-magicPadded {
		return fmt.Errorf("the footer has %d bytes by its length, the file has %d", length, size)
	}
	v, err := read(r, size-tail-length, length)
	if err != nil {
		return fmt.Errorf("footer: %w", err)
	}
	root, err := v.root(footer(), "footer")
	if err != nil {
		return err
	}
	for _, slot := range []int{2, 3} {
		blocks := v.elements(root, slot, blockSize)
		for i := 0; i < len(blocks); i += blockSize {
			at := int64(binary.LittleEndian.Uint64(blocks[i:]))
			metadata := int64(int32(binary.LittleEndian.Uint32(blocks[i+8:])))
			if at < 0 || metadata < 8 || at > size-metadata {
				return fmt.Errorf("footer: block %d of %d bytes at %d lies outside of the file of %d bytes", i/blockSize, metadata, at, size)
			}
			if err := checkBlock(r, size, at, metadata); err != nil {
				return fmt.Errorf("message at byte %d: %w", at, err)
			}
		}
	}
	return nil
}

// checkBlock checks a message of a file. Its metadata begins with a continuation
// mark and a length, in old files with a length only.
func checkBlock(r io.ReaderAt, size, at, metadata int64) error {
	var head [8]byte
	if _, err := r.ReadAt(head[:], at); err != nil {
		return unexpected(err)
	}
	length, prefix := int64(binary.LittleEndian.Uint32(head[4:])), int64(8)
	if binary.LittleEndian.Uint32(head[:]) != continuation {
		length, prefix = int64(binary.LittleEndian.Uint32(head[:])), 4
	}
	if length > metadata-prefix {
		return fmt.Errorf("metadata of %d bytes in a block of %d", length, metadata)
	}
	_, err := checkMessage(r, size, at+prefix, length)
	return err
}

// checkMessage checks the metadata of length bytes and the bounds of its body,
// and returns the length of the body.
func checkMessage(r io.ReaderAt, size, at, length int64) (body int64, err error) {
	if length > size-at {
		return 0, fmt.Errorf("metadata of %d bytes, the file has %d more", length, size-at)
	}
	v, err := read(r, at, length)
	if err != nil {
		return 0, err
	}
	root, err := v.root(message(), "message")
	if err != nil {
		return 0, err
	}
	body = v.int64At(root, 3)
	if body < 0 || body > size-at-length {
		return 0, fmt.Errorf("a body of %d bytes, the file has %d more", body, size-at-length)
	}
	batch := -1
	if p := v.slot(root, 1); p != 0 {
		switch v.b[p] {
		case headerRecord:
			batch = v.tableAt(root, 2)
		case headerDictionary:
			if d := v.tableAt(root, 2); d >= 0 {
				batch = v.tableAt(d, 1)
			}
		}
	}
	if batch >= 0 {
		err = checkBatch(v, batch, r, at+length, body)
	}
	return body, err
}

// checkBatch checks the nodes and the buffers of a record batch whose body begins
// at a byte of r.
func checkBatch(v *verifier, batch int, r io.ReaderAt, start, body int64) error {
	rows := v.int64At(batch, 0)
	if rows < 0 || rows > math.MaxInt32 {
		return fmt.Errorf("a batch of %d rows", rows)
	}
	nodes := v.elements(batch, 1, nodeSize)
	for i := 0; i < len(nodes); i += nodeSize {
		length, nulls := int64(binary.LittleEndian.Uint64(nodes[i:])), int64(binary.LittleEndian.Uint64(nodes[i+8:]))
		if length < 0 || nulls < 0 || nulls > length {
			return fmt.Errorf("node %d has %d values and %d nulls", i/nodeSize, length, nulls)
		}
	}
	compressed := v.tableAt(batch, 3) >= 0
	unpacked := int64(0)
	buffers := v.elements(batch, 2, bufferSize)
	for i := 0; i < len(buffers); i += bufferSize {
		at, length := int64(binary.LittleEndian.Uint64(buffers[i:])), int64(binary.LittleEndian.Uint64(buffers[i+8:]))
		if at < 0 || length < 0 || at > body-length {
			return fmt.Errorf("buffer %d of %d bytes at %d lies outside of the body of %d bytes", i/bufferSize, length, at, body)
		}
		if !compressed || length == 0 {
			continue
		}
		n, err := checkCompressed(r, start+at, length)
		if err != nil {
			return fmt.Errorf("buffer %d: %w", i/bufferSize, err)
		}
		if unpacked += n; unpacked > max(maxUnpacked, usualRatio*body) {
			return fmt.Errorf("%d compressed bytes say that they are more than %d", body, unpacked)
		}
	}
	return nil
}

// largestRatio is how many bytes one byte of zstd can stand for at most: a block
// of 128 KiB that repeats one byte takes four. LZ4 stays far below it.
const largestRatio = 128 << 10 / 4

// A batch may be larger than maxUnpacked without compression only if it is not more
// than usualRatio times as large as its body.
const (
	maxUnpacked = 1 << 30
	usualRatio  = 32
)

// checkCompressed checks the length that stands before a compressed buffer, and
// returns it. It is -1 where the buffer is not compressed.
func checkCompressed(r io.ReaderAt, at, length int64) (int64, error) {
	var head [8]byte
	if length < 8 {
		return 0, fmt.Errorf("%d bytes, too few for the length of what is compressed", length)
	}
	if _, err := r.ReadAt(head[:], at); err != nil {
		return 0, unexpected(err)
	}
	n := int64(binary.LittleEndian.Uint64(head[:]))
	if n < -1 || n > 0 && n/largestRatio > length {
		return 0, fmt.Errorf("%d compressed bytes say that they are %d", length-8, n)
	}
	return max(n, 0), nil
}

func read(r io.ReaderAt, at, length int64) (*verifier, error) {
	if length < 8 || length > maxMetadata {
		return nil, fmt.Errorf("metadata of %d bytes, want 8 to %d", length, maxMetadata)
	}
	b := make([]byte, length)
	if _, err := r.ReadAt(b, at); err != nil && err != io.EOF {
		return nil, err
	}
	return &verifier{b: b}, nil
}

func unexpected(err error) error {
	if err == nil || err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
