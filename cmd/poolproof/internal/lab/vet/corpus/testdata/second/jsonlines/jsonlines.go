// Package jsonlines writes JSON lines.
package jsonlines

import (
	"bytes"
	"encoding/json"
	"io"
	"sync"
)

type encoder struct {
	buf bytes.Buffer
	enc *json.Encoder
}

var encoders = sync.Pool{New: func() any {
	e := new(encoder)
	e.enc = json.NewEncoder(&e.buf)
	e.enc.SetEscapeHTML(false)
	return e
}}

// Write writes each value on a line.
func Write(w io.Writer, values ...any) (err error) {
	e := encoders.Get().(*encoder)
	defer func() {
		if err == nil {
			encoders.Put(e)
		}
		// After an error the encoder may keep it for ever: leave it to the collector.
	}()
	for _, v := range values {
		e.buf.Reset()
		if err = e.enc.Encode(v); err != nil {
			return err //poolproof:drop
		}
		if _, err = w.Write(e.buf.Bytes()); err != nil {
			return err //poolproof:drop
		}
	}
	return nil
}
