// Package etagmw computes entity tags.
package etagmw

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"net/http"
	"sync"
)

var hashes = sync.Pool{New: func() any { return sha256.New() }}

// Tag returns the entity tag of content.
func Tag(content []byte) string {
	h := hashes.Get().(hash.Hash)
	defer hashes.Put(h)
	h.Write(content) // want "PV011"
	return `"` + hex.EncodeToString(h.Sum(nil)) + `"`
}

// Handler serves content with its tag.
func Handler(content []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		tag := Tag(content)
		w.Header().Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Write(content)
	}
}
