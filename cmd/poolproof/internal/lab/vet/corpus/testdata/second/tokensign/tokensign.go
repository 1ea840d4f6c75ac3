// Package tokensign signs tokens.
package tokensign

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"io"
	"sync"

	"github.com/poolproof/poolproof/buffer"
	"github.com/poolproof/poolproof/pool"
)

var (
	buffers = buffer.New(buffer.Options{Zero: buffer.ZeroUsed})
	scratch = pool.New(pool.Options[bytes.Buffer]{Reset: (*bytes.Buffer).Reset})
)

// Token returns the claims with a signature.
func Token(claims, key []byte) []byte {
	b := buffers.Append()
	b.Write(claims)
	m := hmac.New(sha256.New, key)
	m.Write(b.Bytes())
	b.WriteByte('.')
	b.Write(m.Sum(nil))
	return b.CopyAndRelease()
}

// Key reads a key of n bytes, which is the caller's for good.
func Key(r io.Reader, n int) ([]byte, error) {
	b := buffers.Get(n)
	if _, err := b.Fill(r.Read); err != nil {
		b.Release()
		return nil, err
	}
	return b.Take(), nil
}

// Lines sends a line to all sinks at once, and waits.
func Lines(sinks []chan string, format string, args ...any) {
	scratch.With(func(b *bytes.Buffer) {
		fmt.Fprintf(b, format, args...)
		var wg sync.WaitGroup
		for _, s := range sinks {
			wg.Go(func() { s <- b.String() })
		}
		wg.Wait()
	})
}
