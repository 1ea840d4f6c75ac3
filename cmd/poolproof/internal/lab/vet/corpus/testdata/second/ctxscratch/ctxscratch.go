// Package ctxscratch gives each request scratch memory.
package ctxscratch

import (
	"bytes"
	"context"
	"net/http"
	"sync"
)

type key struct{}

// Scratch is memory for one request.
type Scratch struct {
	Buf  bytes.Buffer
	Tags []string
}

var pool = sync.Pool{New: func() any { return new(Scratch) }}

// With returns a context that has a Scratch.
func With(ctx context.Context) context.Context {
	s := pool.Get().(*Scratch)
	defer pool.Put(s)
	s.Buf.Reset()
	s.Tags = s.Tags[:0]
	return context.WithValue(ctx, key{}, s) // want "PV003|PV004"
}

// From returns the Scratch of ctx.
func From(ctx context.Context) *Scratch {
	s, _ := ctx.Value(key{}).(*Scratch)
	return s
}

// Handler serves next with a Scratch.
func Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(With(r.Context())))
	})
}
