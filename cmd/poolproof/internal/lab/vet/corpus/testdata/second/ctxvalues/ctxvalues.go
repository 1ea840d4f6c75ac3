// Package ctxvalues has scratch memory for each request.
package ctxvalues

import (
	"bytes"
	"context"
	"net/http"
	"sync"
)

type key struct{}

// Scratch is memory for one request.
type Scratch struct{ Buf bytes.Buffer }

var pool = sync.Pool{New: func() any { return new(Scratch) }}

// From returns the Scratch of the request.
func From(r *http.Request) *Scratch { s, _ := r.Context().Value(key{}).(*Scratch); return s }

// Handler serves next with a Scratch.
func Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s := pool.Get().(*Scratch)
		defer pool.Put(s)
		s.Buf.Reset()
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), key{}, s)))
	})
}
