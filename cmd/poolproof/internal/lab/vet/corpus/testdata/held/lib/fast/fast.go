// Package fast has the requests and responses of a client that allocates nothing.
package fast

import (
	"io"
	"net/http"
	"sync"

	"example.org/held/lib/bytebuffer"
)

// Request says what is asked for.
type Request struct {
	uri, method string
	body        *bytebuffer.ByteBuffer
}

// Response is what has come back. Its body belongs to it.
type Response struct {
	status int
	body   *bytebuffer.ByteBuffer
}

var (
	requests  sync.Pool
	responses sync.Pool
	bodies    bytebuffer.Pool
)

// AcquireRequest returns an empty request.
func AcquireRequest() *Request {
	v := requests.Get()
	if v == nil {
		return &Request{}
	}
	return v.(*Request)
}

// ReleaseRequest takes it back, with its body.
func ReleaseRequest(r *Request) {
	r.Reset()
	requests.Put(r)
}

// Reset makes r empty.
func (r *Request) Reset() {
	r.uri, r.method = "", ""
	if r.body != nil {
		bodies.Put(r.body)
		r.body = nil
	}
}

func (r *Request) SetURI(s string) { r.uri = s }

func (r *Request) SetBody(p []byte) {
	if r.body == nil {
		r.body = bodies.Get()
	}
	r.body.Reset()
	r.body.Write(p)
}

// AcquireResponse returns an empty response.
func AcquireResponse() *Response {
	v := responses.Get()
	if v == nil {
		return &Response{}
	}
	return v.(*Response)
}

// ReleaseResponse takes it back, with its body.
func ReleaseResponse(r *Response) {
	r.Reset()
	responses.Put(r)
}

// Reset makes r empty.
func (r *Response) Reset() {
	r.status = 0
	if r.body != nil {
		bodies.Put(r.body)
		r.body = nil
	}
}

func (r *Response) StatusCode() int { return r.status }

// Body is valid until r is released.
func (r *Response) Body() []byte {
	if r.body == nil {
		return nil
	}
	return r.body.Bytes()
}

// Client asks.
type Client struct{ Transport http.RoundTripper }

// Do fills resp.
func (c *Client) Do(req *Request, resp *Response) error {
	hr, err := http.NewRequest(req.method, req.uri, nil)
	if err != nil {
		return err
	}
	r, err := c.Transport.RoundTrip(hr)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	resp.status = r.StatusCode
	if resp.body == nil {
		resp.body = bodies.Get()
	}
	resp.body.Reset()
	_, err = io.Copy(resp.body, r.Body)
	return err
}
