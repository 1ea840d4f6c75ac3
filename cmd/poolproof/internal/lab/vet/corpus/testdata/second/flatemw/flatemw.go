// Package flatemw compresses answers with deflate.
package flatemw

import (
	"compress/flate"
	"io"
	"net/http"
	"sync"
)

var writers = sync.Pool{New: func() any {
	w, _ := flate.NewWriter(io.Discard, flate.BestSpeed)
	return w
}}

type response struct {
	http.ResponseWriter
	io.Writer
}

func (r response) Write(p []byte) (int, error) { return r.Writer.Write(p) }

// Handler compresses what next writes.
func Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fw := writers.Get().(*flate.Writer)
		defer writers.Put(fw)
		fw.Reset(w)
		defer fw.Close()
		w.Header().Set("Content-Encoding", "deflate")
		next.ServeHTTP(response{w, fw}, r)
	})
}
