// Package jsonresp answers requests in JSON and counts the bytes that it sent.
package jsonresp

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuf() *bytes.Buffer {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func putBuf(b *bytes.Buffer) {
	if b.Cap() <= 1<<16 {
		bufs.Put(b)
	}
}

// Server answers with values.
type Server struct {
	sent   atomic.Int64
	failed atomic.Int64
}

// Reply writes v as the answer.
func (s *Server) Reply(w http.ResponseWriter, code int, v any) {
	b := getBuf()
	if err := json.NewEncoder(b).Encode(v); err != nil {
		putBuf(b)
		s.failed.Add(1)
		http.Error(w, "cannot encode the answer", http.StatusInternalServerError)
		return
	}
	if err := s.send(w, code, b); err != nil {
		s.failed.Add(1)
		return
	}
	s.sent.Add(int64(b.Len())) // want PV001
}

func (s *Server) send(w http.ResponseWriter, code int, b *bytes.Buffer) error {
	defer putBuf(b)
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(b.Len()))
	w.WriteHeader(code)
	_, err := w.Write(b.Bytes())
	return err
}

// Sent returns the number of bytes of all answers.
func (s *Server) Sent() int64 { return s.sent.Load() }
