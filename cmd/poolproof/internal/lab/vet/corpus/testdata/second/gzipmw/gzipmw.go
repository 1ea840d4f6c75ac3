// Package gzipmw compresses answers.
package gzipmw

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"sync"
)

var writers = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

type response struct {
	http.ResponseWriter
	zw *gzip.Writer
}

func (r *response) Write(p []byte) (int, error) { return r.zw.Write(p) }

// Handler compresses what next writes, if the client accepts it.
func Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			next.ServeHTTP(w, r)
			return
		}
		zw := writers.Get().(*gzip.Writer)
		zw.Reset(w)
		defer zw.Close() // want "PV001"
		defer writers.Put(zw)
		w.Header().Set("Content-Encoding", "gzip")
		next.ServeHTTP(&response{ResponseWriter: w, zw: zw}, r)
	})
}
