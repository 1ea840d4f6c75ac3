// Package jsonresp answers requests in JSON, with an ETag, and counts the bytes that it sent.
package jsonresp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
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
	sent atomic.Int64
}

// Reply writes v as the answer to r.
func (s *Server) Reply(w http.ResponseWriter, r *http.Request, v any) {
	b := getBuf()
	if err := json.NewEncoder(b).Encode(v); err != nil {
		putBuf(b)
		http.Error(w, "cannot encode the answer", http.StatusInternalServerError)
		return
	}
	sum := fnv.New64a()
	sum.Write(b.Bytes())
	tag := fmt.Sprintf("%q", strconv.FormatUint(sum.Sum64(), 16))
	w.Header().Set("ETag", tag)
	if r.Header.Get("If-None-Match") == tag {
		putBuf(b)
		w.WriteHeader(http.StatusNotModified)
		return
	}
	s.sent.Add(int64(b.Len()))
	send(w, b)
}

func send(w http.ResponseWriter, b *bytes.Buffer) {
	defer putBuf(b)
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(b.Len()))
	w.Write(b.Bytes())
}
