// Package signdoc signs documents.
package signdoc

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"

	"github.com/poolproof/poolproof/buffer"
	"github.com/poolproof/poolproof/pool"
)

var (
	buffers = buffer.New(buffer.Options{Zero: buffer.ZeroUsed})
	scratch = pool.New(pool.Options[bytes.Buffer]{Reset: (*bytes.Buffer).Reset})
)

// Envelope returns the document with its length and its signature.
func Envelope(doc, key []byte) []byte {
	b := buffers.Append()
	defer b.Release()
	fmt.Fprintf(b, "%d\n", len(doc))
	b.Write(doc)
	m := hmac.New(sha256.New, key)
	m.Write(b.Bytes())
	b.Write(m.Sum(nil))
	return b.Bytes() // want "PV003"
}

// Report sends a line to each of the sinks.
func Report(sinks []chan string, format string, args ...any) {
	scratch.With(func(b *bytes.Buffer) {
		fmt.Fprintf(b, format, args...)
		for _, s := range sinks {
			go func() { s <- b.String() }() // want "PV014"
		}
	})
}
