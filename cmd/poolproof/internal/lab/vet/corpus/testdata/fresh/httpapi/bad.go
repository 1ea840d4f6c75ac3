// Package httpapi answers requests with JSON and templates.
package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"text/template"
)

var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// writeJSON encodes v and sends it.
func writeJSON(w http.ResponseWriter, v any) error {
	b := bodies.Get().(*bytes.Buffer)
	b.Reset()
	if err := json.NewEncoder(b).Encode(v); err != nil {
		bodies.Put(b)
		return err
	}
	w.Header().Set("Content-Length", fmt.Sprint(b.Len()))
	bodies.Put(b)
	_, err := w.Write(b.Bytes()) // want "PV001"
	return err
}

// page renders a template; the caller keeps the bytes in a cache.
func page(t *template.Template, data any) ([]byte, error) {
	b := bodies.Get().(*bytes.Buffer)
	defer bodies.Put(b)
	b.Reset()
	if err := t.Execute(b, data); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil // want "PV003"
}

type badRequest struct {
	body []byte
	err  error
}

func (e *badRequest) Error() string { return fmt.Sprintf("bad request %q: %v", e.body, e.err) }

// readOrder reads an order and says in its error what it could not read.
func readOrder(r *http.Request, order any) error {
	b := bodies.Get().(*bytes.Buffer)
	b.Reset()
	defer bodies.Put(b)
	if _, err := b.ReadFrom(r.Body); err != nil {
		return err
	}
	if err := json.Unmarshal(b.Bytes(), order); err != nil {
		return &badRequest{b.Bytes(), err} // want "PV003"
	}
	return nil
}

var errTooLarge = errors.New("too large")

// forward copies a request body and loses the buffer when the body is too large.
func forward(r *http.Request, send func(string) error) error {
	b := bodies.Get().(*bytes.Buffer)
	b.Reset()
	n, err := io.Copy(b, r.Body)
	if err != nil {
		bodies.Put(b)
		return err
	}
	if n > 1<<20 {
		return errTooLarge // want "PV005"
	}
	err = send(b.String())
	bodies.Put(b)
	return err
}

// multi gives back a body that is read later: prefix, then the rendered text.
func multi(t *template.Template, data any) (io.Reader, error) {
	b := bodies.Get().(*bytes.Buffer)
	defer bodies.Put(b)
	b.Reset()
	if err := t.Execute(b, data); err != nil {
		return nil, err
	}
	return io.MultiReader(strings.NewReader("<!doctype html>"), b), nil // want "PV003"
}
