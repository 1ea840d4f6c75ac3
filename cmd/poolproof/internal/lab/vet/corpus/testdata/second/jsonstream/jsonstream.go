// Package jsonstream answers with one JSON document a line.
package jsonstream

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
)

type encoder struct {
	buf bytes.Buffer
	enc *json.Encoder
}

var encoders = sync.Pool{New: func() any {
	e := new(encoder)
	e.enc = json.NewEncoder(&e.buf)
	return e
}}

// Stream writes each value that next returns.
func Stream(w http.ResponseWriter, next func() (any, bool)) error {
	flusher, ok := w.(http.Flusher)
	if !ok {
		return errors.New("no flusher")
	}
	e := encoders.Get().(*encoder)
	for {
		v, more := next()
		if !more {
			break
		}
		e.buf.Reset()
		if err := e.enc.Encode(v); err != nil {
			return fmt.Errorf("encode %T: %w", v, err) // want "PV005"
		}
		if _, err := w.Write(e.buf.Bytes()); err != nil {
			encoders.Put(e)
			return err
		}
		flusher.Flush()
	}
	encoders.Put(e)
	return nil
}
