package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"text/template"
)

func writeJSONRight(w http.ResponseWriter, v any) error {
	b := bodies.Get().(*bytes.Buffer)
	defer bodies.Put(b)
	b.Reset()
	if err := json.NewEncoder(b).Encode(v); err != nil {
		return err
	}
	w.Header().Set("Content-Length", fmt.Sprint(b.Len()))
	_, err := b.WriteTo(w) // fine "PV001" the deferred put comes later
	return err
}

func pageRight(t *template.Template, data any) (string, error) {
	b := bodies.Get().(*bytes.Buffer)
	defer bodies.Put(b)
	b.Reset()
	if err := t.Execute(b, data); err != nil {
		return "", err
	}
	return b.String(), nil // fine "PV003" a string is a copy
}

// readOrderRight copies what its error keeps.
func readOrderRight(r *http.Request, order any) error {
	b := bodies.Get().(*bytes.Buffer)
	b.Reset()
	defer bodies.Put(b)
	if _, err := b.ReadFrom(r.Body); err != nil {
		return err
	}
	if err := json.Unmarshal(b.Bytes(), order); err != nil {
		return &badRequest{bytes.Clone(b.Bytes()), err} // fine "PV003" a copy
	}
	return nil
}

// buffered collects a response before it is sent.
type buffered struct {
	http.ResponseWriter
	b      *bytes.Buffer
	status int
}

func (r *buffered) Write(p []byte) (int, error) { return r.b.Write(p) }

func (r *buffered) WriteHeader(s int) { r.status = s }

// middleware sends what the handler wrote once the handler is done.
func middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := &buffered{ResponseWriter: w, b: bodies.Get().(*bytes.Buffer), status: 200}
		defer func() {
			rec.b.Reset()
			bodies.Put(rec.b) // fine "PV015" the recorder ends with the call
		}()
		next.ServeHTTP(rec, r)
		w.WriteHeader(rec.status)
		w.Write(rec.b.Bytes())
	})
}

var copyBufs = sync.Pool{New: func() any { b := make([]byte, 32<<10); return &b }}

// proxy copies with a pooled buffer.
func proxy(dst io.Writer, src io.Reader) (int64, error) {
	b := copyBufs.Get().(*[]byte)
	defer copyBufs.Put(b)
	return io.CopyBuffer(dst, src, *b) // fine "PV003" a count, no memory
}

// render gives the buffer to its caller, who puts it.
func render(t *template.Template, data any) (*bytes.Buffer, error) {
	b := bodies.Get().(*bytes.Buffer)
	b.Reset()
	if err := t.Execute(b, data); err != nil {
		bodies.Put(b)
		return nil, err
	}
	return b, nil // fine "PV005" the caller has it now
}

func send(w http.ResponseWriter, t *template.Template, data any) {
	b, err := render(t, data)
	if err != nil {
		http.Error(w, err.Error(), 500)
		return // fine "PV005" there is none
	}
	b.WriteTo(w)
	bodies.Put(b)
}
