// Package hashfile is right.
package hashfile

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"os"
	"sync"
)

var hashes = sync.Pool{New: func() any { return sha256.New() }}
var blocks = sync.Pool{New: func() any { return new([64 << 10]byte) }}

func File(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := hashes.Get().(hash.Hash)
	defer hashes.Put(h)
	h.Reset()
	b := blocks.Get().(*[64 << 10]byte)
	defer blocks.Put(b)
	for {
		n, err := f.Read(b[:])
		h.Write(b[:n])
		if err == io.EOF {
			break
		}
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
