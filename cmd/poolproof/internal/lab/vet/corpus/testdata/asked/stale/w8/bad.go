// Wrong: stale bytes of a hash behind an interface variable
package w8

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"sync"
)

var hashes = sync.Pool{New: func() any { return sha256.New() }}

func Sum(parts ...[]byte) string {
	var h hash.Hash
	h = hashes.Get().(hash.Hash)
	defer hashes.Put(h)
	for _, p := range parts {
		h.Write(p)
	}
	return hex.EncodeToString(h.Sum(nil)) // want "PV011" with what the last user wrote
}
