// Package gzipresp sends files compressed to clients that accept it.
package gzipresp

import (
	"compress/gzip"
	"io"
	"io/fs"
	"log"
	"net/http"
	"strings"
	"sync"
)

var zips = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

// Handler serves the files of FS.
type Handler struct {
	FS fs.FS
}

func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f, err := h.FS.Open(strings.TrimPrefix(r.URL.Path, "/"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	defer f.Close()
	if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		io.Copy(w, f)
		return
	}
	w.Header().Set("Content-Encoding", "gzip")
	if err := compress(w, f); err != nil {
		log.Printf("%s: %v", r.URL.Path, err)
	}
}

func compress(w io.Writer, r io.Reader) (err error) {
	zw := zips.Get().(*gzip.Writer)
	zw.Reset(w)
	defer func() {
		if e := zw.Close(); err == nil {
			err = e
		}
		zw.Reset(io.Discard)
		zips.Put(zw)
	}()
	_, err = io.Copy(zw, r)
	return err
}
