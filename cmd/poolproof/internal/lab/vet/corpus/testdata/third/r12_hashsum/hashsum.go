// Package hashsum names blobs by a hash of their tenant and content.
package hashsum

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"os"
	"path/filepath"
	"sync"
)

var sums = sync.Pool{New: func() any { return sha256.New() }}

func withHash(f func(h hash.Hash) error) (string, error) {
	h := sums.Get().(hash.Hash)
	defer sums.Put(h)
	h.Reset()
	if err := f(h); err != nil {
		return "", err
	}
	var sum [sha256.Size]byte
	return hex.EncodeToString(h.Sum(sum[:0])), nil
}

// Blobs is a folder of blobs.
type Blobs struct {
	Dir string
}

// Store writes body, unless there is one with this content, and returns its name.
func (s *Blobs) Store(tenant string, body io.ReadSeeker) (string, error) {
	name, err := withHash(func(h hash.Hash) error {
		io.WriteString(h, tenant)
		h.Write([]byte{0})
		_, err := io.Copy(h, body)
		return err
	})
	if err != nil {
		return "", err
	}
	file := filepath.Join(s.Dir, name)
	if _, err := os.Stat(file); err == nil {
		return name, nil
	}
	if _, err := body.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	f, err := os.Create(file)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(f, body)
	if e := f.Close(); err == nil {
		err = e
	}
	return name, err
}
