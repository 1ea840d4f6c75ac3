// Package jsonpage is right.
package jsonpage

import (
	"bytes"
	"encoding/json"
	"net/http"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func JSON(w http.ResponseWriter, v any) {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	defer bufs.Put(b)
	if err := json.NewEncoder(b).Encode(v); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(b.Bytes())
}

func Bytes(v any) ([]byte, error) {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	defer bufs.Put(b)
	err := json.NewEncoder(b).Encode(v)
	if err != nil {
		return nil, err
	}
	return append([]byte(nil), b.Bytes()...), nil
}
