// Package multipart stores the files of an upload form.
package multipart

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
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
	parts, err := r.MultipartReader()
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	for n := 0; ; n++ {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			fmt.Fprintf(w, "%d files\n", n)
			return
		}
		if err == nil {
			err = u.store(part)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
	}
}

func (u *Uploads) store(part *multipart.Part) error {
	if part.FileName() == "" {
		return nil
	}
	b := bodies.Get().(*bytes.Buffer)
	defer bodies.Put(b)
	b.Reset()
	if _, err := b.ReadFrom(io.LimitReader(part, u.Max)); err != nil {
		return err
	}
	name := filepath.Join(u.Dir, filepath.Base(part.FileName()))
	return os.WriteFile(name, b.Bytes(), 0o644)
}
