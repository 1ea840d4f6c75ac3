// Package jsonapi answers requests with JSON.
package jsonapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"
)

type answer struct {
	buf  bytes.Buffer
	enc  *json.Encoder
	code int
}

var answers = sync.Pool{New: func() any {
	a := new(answer)
	a.enc = json.NewEncoder(&a.buf)
	return a
}}

func newAnswer() *answer { return answers.Get().(*answer) }

func (a *answer) free() {
	a.buf.Reset()
	a.code = 0
	answers.Put(a)
}

var errBig = errors.New("too large")

// render encodes v; it gives the answer back if that fails.
func render(a *answer, v any) error {
	if err := a.enc.Encode(v); err != nil {
		a.free()
		return err
	}
	if a.buf.Len() > 1<<20 {
		a.free()
		return errBig
	}
	return nil
}

func Handle(w http.ResponseWriter, v any) {
	a := newAnswer()
	defer a.free()
	if err := render(a, v); err != nil { // want "PV002|PV001"
		http.Error(w, err.Error(), 500)
		return
	}
	w.Write(a.buf.Bytes())
}

func Stream(w io.Writer, vs []any) error {
	for _, v := range vs {
		a := newAnswer()
		if err := a.enc.Encode(v); err != nil {
			return err // want "PV005"
		}
		if a.buf.Len() == 0 {
			continue
		}
		if _, err := w.Write(a.buf.Bytes()); err != nil {
			a.free()
			return err
		}
		a.free()
	}
	return nil
}
