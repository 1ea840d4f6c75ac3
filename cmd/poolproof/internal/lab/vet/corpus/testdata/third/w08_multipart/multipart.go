// Package multipart stores the files of an upload form.
package multipart

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"sync"
)

var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Uploads writes to a folder.
type Uploads struct {
	Dir string
	Max int64
}

func (u *Uploads) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n, err := u.store(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	fmt.Fprintf(w, "%d files\n", n)
}

func (u *Uploads) store(r *http.Request) (n int, err error) {
	parts, err := r.MultipartReader()
	if err != nil {
		return 0, err
	}
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		if part.FileName() == "" {
			continue
		}
		b := bodies.Get().(*bytes.Buffer)
		defer bodies.Put(b) // want PV016
		b.Reset()
		if _, err := b.ReadFrom(io.LimitReader(part, u.Max)); err != nil {
			return n, err
		}
		name := filepath.Join(u.Dir, filepath.Base(part.FileName()))
		if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
			return n, err
		}
		n++
	}
}
