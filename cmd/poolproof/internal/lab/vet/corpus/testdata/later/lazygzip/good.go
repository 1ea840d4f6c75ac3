// Package lazygzip is right.
package lazygzip

import (
	"compress/gzip"
	"io"
	"net/http"
	"sync"
)

var writers = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

type writer struct {
	http.ResponseWriter
	gz *gzip.Writer
}

func (w *writer) Write(p []byte) (int, error) {
	if w.gz == nil {
		w.gz = writers.Get().(*gzip.Writer)
		w.gz.Reset(w.ResponseWriter)
	}
	return w.gz.Write(p)
}

func (w *writer) Close() error {
	if w.gz == nil {
		return nil
	}
	err := w.gz.Close()
	writers.Put(w.gz)
	w.gz = nil
	return err
}

func Handler(h http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w := &writer{ResponseWriter: rw}
		defer w.Close()
		h.ServeHTTP(w, r)
	})
}
