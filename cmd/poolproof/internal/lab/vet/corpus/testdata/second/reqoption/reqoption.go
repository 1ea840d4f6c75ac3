// Package reqoption builds requests from options.
package reqoption

import (
	"bytes"
	"encoding/json"
	"sync"
)

// Request is what a client sends.
type Request struct {
	Path string
	Body []byte
}

// Option changes a request.
type Option func(*Request)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// WithJSON sets the body.
func WithJSON(v any) Option {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	err := json.NewEncoder(buf).Encode(v)
	opt := func(r *Request) {
		if err == nil {
			r.Body = buf.Bytes() // want "PV001|PV003|PV004"
		}
	}
	buffers.Put(buf)
	return opt
}

// WithPath sets the path.
func WithPath(p string) Option { return func(r *Request) { r.Path = p } }

// New returns a request.
func New(opts ...Option) *Request {
	r := new(Request)
	for _, o := range opts {
		o(r)
	}
	return r
}
