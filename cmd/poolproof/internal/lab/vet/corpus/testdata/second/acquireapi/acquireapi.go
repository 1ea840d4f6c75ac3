// Package acquireapi has requests that its users get and give back.
package acquireapi

import "sync"

// Request is a request.
type Request struct {
	header map[string]string
	body   []byte
}

var requests sync.Pool

// Acquire returns an empty request, to be released.
func Acquire() *Request {
	if r, ok := requests.Get().(*Request); ok {
		return r
	}
	return &Request{header: map[string]string{}}
}

// Release gives r back.
func Release(r *Request) {
	r.Reset()
	requests.Put(r)
}

// Reset empties r.
func (r *Request) Reset() { clear(r.header); r.body = r.body[:0] }

// Set sets a header.
func (r *Request) Set(k, v string) { r.header[k] = v }

// Body returns the body, valid until Release.
func (r *Request) Body() []byte { return r.body }

// Ping returns how long a request without content is.
func Ping(send func(*Request) (int, error)) (int, error) {
	r := Acquire()
	defer Release(r)
	r.Set("Method", "PING")
	n, err := send(r)
	return n + len(r.Body()), err
}
