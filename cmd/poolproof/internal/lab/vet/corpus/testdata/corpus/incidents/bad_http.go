package incidents

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

type client struct {
	http *http.Client
	log  func(string, ...any)
}

type request struct {
	url  string
	body *bytes.Buffer
}

// The body is put by each attempt, and each attempt but the first sends what
// somebody else writes into it.
func (c *client) sendWithRetries(r *request) error {
	var err error
	for range 3 {
		if err = c.sendOnce(r); err == nil { // want "PV001|PV002"
			return nil
		}
	}
	return err
}

func (c *client) sendOnce(r *request) error {
	defer putBuffer(r.body) // may "PV015"
	resp, err := c.http.Post(r.url, "application/json", r.body)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// The response is read by its owner once this has returned.
func (c *client) fetch(url string) (*http.Response, error) {
	resp, err := c.http.Get(url)
	if err != nil {
		return nil, err
	}
	b := getBuffer()
	defer putBuffer(b)
	if _, err := b.ReadFrom(resp.Body); err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(b.Bytes()))
	return resp, nil // want "PV003|PV004"
}

type gzipResponse struct {
	http.ResponseWriter
	zw *gzip.Writer
}

func (g gzipResponse) Write(p []byte) (int, error) { return g.zw.Write(p) }

// After the timeout the handler goes on to write with a writer of somebody else.
func compressWithTimeout(next http.Handler, d time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		zw := gzips.Get().(*gzip.Writer)
		defer gzips.Put(zw)
		zw.Reset(w)
		done := make(chan struct{})
		go func() { // want "PV004"
			defer close(done)
			next.ServeHTTP(gzipResponse{w, zw}, r)
		}()
		select {
		case <-done:
		case <-time.After(d):
			http.Error(w, "late", http.StatusGatewayTimeout)
		}
	})
}

// The writer is closed after it was put.
func compressOrder(w http.ResponseWriter, body []byte) error {
	zw := gzips.Get().(*gzip.Writer)
	zw.Reset(w)
	defer zw.Close() // want "PV001"
	defer gzips.Put(zw)
	_, err := zw.Write(body)
	return err
}

func encodeError(v any) error {
	e := encoders.Get().(*encoder)
	e.buf.Reset()
	if err := e.enc.Encode(v); err != nil {
		encoders.Put(e)
		return fmt.Errorf("encode: %w, after %s", err, e.buf.String()) // want "PV001"
	}
	encoders.Put(e)
	return nil
}

func writeJSON(w http.ResponseWriter, v any) {
	e := encoders.Get().(*encoder)
	defer encoders.Put(e)
	e.buf.Reset()
	if err := e.enc.Encode(v); err != nil {
		encoders.Put(e) // want "PV002"
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Write(e.buf.Bytes())
}

// The body of a request is sent again by the transport when a connection breaks.
func newRequest(ctx context.Context, url string, v any) (*http.Request, error) {
	e := encoders.Get().(*encoder)
	defer encoders.Put(e)
	e.buf.Reset()
	if err := e.enc.Encode(v); err != nil {
		return nil, err
	}
	return http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(e.buf.Bytes())) // want "PV003"
}

func copyThrough(p bufferPool, dst io.Writer, src io.Reader) ([]byte, error) {
	buf := p.Get()
	defer p.Put(buf)
	n, err := src.Read(buf)
	if err != nil {
		return nil, err
	}
	if _, err := dst.Write(buf[:n]); err != nil {
		return buf[:n], err // want "PV003"
	}
	return nil, nil
}

func proxyOnce(p bufferPool, dst io.Writer, src io.Reader) error {
	buf := p.Get()
	n, err := src.Read(buf)
	p.Put(buf)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	_, err = dst.Write(buf[:n]) // want "PV001"
	return err
}

type key struct{}

// The context goes on to the next handler, with a buffer that is in the pool.
func withScratch(ctx context.Context, name string) context.Context {
	b := getBuffer()
	defer putBuffer(b)
	b.WriteString(name)
	return context.WithValue(ctx, key{}, b) // want "PV003"
}

func unzip(r io.Reader) (io.ReadCloser, error) {
	zr := gunzips.Get().(*gzip.Reader)
	defer gunzips.Put(zr)
	if err := zr.Reset(r); err != nil {
		return nil, err
	}
	return io.NopCloser(zr), nil // want "PV003"
}

// A pool for each request is no pool.
func handleUpload(w http.ResponseWriter, r *http.Request) {
	chunks := newLinePool() // want "PV010"
	l := chunks.get()
	defer l.Free()
	io.Copy(l, r.Body)
	w.Write(l.Bytes())
}

func (c *client) poll(ctx context.Context, urls <-chan string) error {
	b := getBuffer()
	for {
		select {
		case u, ok := <-urls:
			if !ok {
				putBuffer(b)
				return nil
			}
			b.Reset()
			b.WriteString(u)
			c.log("%s", b.String())
		case <-ctx.Done():
			return ctx.Err() // want "PV005"
		}
	}
}
