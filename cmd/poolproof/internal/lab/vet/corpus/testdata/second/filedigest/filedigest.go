// Package filedigest computes digests.
package filedigest

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"sync"
)

var hashes = sync.Pool{New: func() any { return sha256.New() }}

// Digest returns the digest of what r has.
func Digest(r io.Reader) (sum [sha256.Size]byte, err error) {
	h := hashes.Get().(hash.Hash)
	defer hashes.Put(h)
	h.Reset()
	if _, err := io.Copy(h, r); err != nil {
		return sum, err
	}
	h.Sum(sum[:0])
	return sum, nil
}

// Name returns a file name for content.
func Name(content []byte) string {
	h := hashes.Get().(hash.Hash)
	h.Reset()
	h.Write(content)
	s := hex.EncodeToString(h.Sum(nil))
	hashes.Put(h)
	return s + ".blob"
}
