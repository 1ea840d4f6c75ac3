// Package gzipresponse compresses responses.
package gzipresponse

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
	gz *gzip.Writer
}

func (r *response) Write(p []byte) (int, error) { return r.gz.Write(p) }

func (r *response) Close() error {
	err := r.gz.Close()
	writers.Put(r.gz) // want "PV002|PV015"
	return err
}

func Handler(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if !strings.Contains(q.Header.Get("Accept-Encoding"), "gzip") {
			h.ServeHTTP(w, q)
			return
		}
		gz := writers.Get().(*gzip.Writer)
		gz.Reset(w)
		r := &response{ResponseWriter: w, gz: gz}
		defer r.Close()
		h.ServeHTTP(r, q)
		if err := r.Close(); err != nil { // want "PV002|PV001"
			http.Error(w, err.Error(), 500)
		}
	})
}

func Compress(dst io.Writer, src io.Reader) (err error) {
	gz := writers.Get().(*gzip.Writer)
	gz.Reset(dst)
	defer func() {
		if err != nil {
			writers.Put(gz)
		}
	}()
	if _, err = io.Copy(gz, src); err != nil {
		writers.Put(gz) // want "PV002|PV001"
		return err
	}
	if err = gz.Close(); err != nil {
		return err
	}
	writers.Put(gz)
	return nil
}
