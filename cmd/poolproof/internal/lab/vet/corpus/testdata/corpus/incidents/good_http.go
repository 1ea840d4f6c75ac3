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

// The body is put once, by whoever made the request.
func (c *client) sendOwned(r *request) error {
	defer func() {
		putBuffer(r.body) // fine "PV001|PV002|PV015" once, after all attempts, and cleared
		r.body = nil
	}()
	var err error
	for range 3 {
		if err = c.attempt(r); err == nil {
			return nil
		}
	}
	return err
}

func (c *client) attempt(r *request) error {
	resp, err := c.http.Post(r.url, "application/json", bytes.NewReader(r.body.Bytes()))
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Each attempt has a body of its own.
func (c *client) sendFresh(url string, v []byte) error {
	var err error
	for range 3 {
		r := &request{url: url, body: getBuffer()}
		r.body.Write(v)
		if err = c.sendOnce(r); err == nil { // fine "PV001|PV002" another request each time
			return nil
		}
	}
	return err
}

func (c *client) fetchCopy(url string) (*http.Response, error) {
	resp, err := c.http.Get(url)
	if err != nil {
		return nil, err
	}
	b := getBuffer()
	defer putBuffer(b)
	if _, err := b.ReadFrom(resp.Body); err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(bytes.Clone(b.Bytes())))
	return resp, nil // fine "PV003|PV004" a clone
}

// pooledBody gives its buffer back when it is closed.
type pooledBody struct {
	bytes.Reader
	b *bytes.Buffer
}

func (p *pooledBody) Close() error {
	putBuffer(p.b)
	p.b = nil
	return nil
}

func (c *client) fetchOwned(url string) (*http.Response, error) {
	resp, err := c.http.Get(url)
	if err != nil {
		return nil, err
	}
	b := getBuffer()
	if _, err := b.ReadFrom(resp.Body); err != nil {
		putBuffer(b)
		return nil, err
	}
	body := &pooledBody{b: b}
	body.Reset(b.Bytes())
	resp.Body = body
	return resp, nil // fine "PV003|PV004|PV005" whoever closes the body gives it back
}

func compressJoined(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		zw := gzips.Get().(*gzip.Writer)
		defer gzips.Put(zw)
		zw.Reset(w)
		defer zw.Close() // fine "PV001" runs before the put
		done := make(chan struct{})
		go func() { // fine "PV004" both ways of the select wait for it
			defer close(done)
			next.ServeHTTP(gzipResponse{w, zw}, r)
		}()
		select {
		case <-done:
		case <-r.Context().Done():
			<-done
		}
	})
}

// After a timeout the writer stays with the handler.
func compressAbandon(next http.Handler, d time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		zw := gzips.Get().(*gzip.Writer)
		zw.Reset(w)
		done := make(chan struct{})
		go func() { // fine "PV004" put only where it has ended
			defer close(done)
			next.ServeHTTP(gzipResponse{w, zw}, r)
		}()
		select {
		case <-done:
			gzips.Put(zw)
		case <-time.After(d):
			http.Error(w, "late", http.StatusGatewayTimeout) // fine "PV005" the goroutine has it
		}
	})
}

func encodeErrorText(v any) error {
	e := encoders.Get().(*encoder)
	e.buf.Reset()
	if err := e.enc.Encode(v); err != nil {
		so := e.buf.String()
		encoders.Put(e)
		return fmt.Errorf("encode: %w, after %s", err, so) // fine "PV001" String copies
	}
	encoders.Put(e)
	return nil
}

func writeJSONOnce(w http.ResponseWriter, v any) {
	e := encoders.Get().(*encoder)
	done := false
	defer func() {
		if !done {
			encoders.Put(e) // fine "PV002" only if it was not put yet
		}
	}()
	e.buf.Reset()
	if err := e.enc.Encode(v); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Write(e.buf.Bytes())
	encoders.Put(e)
	done = true
}

func newRequestText(ctx context.Context, url string, v any) (*http.Request, error) {
	e := encoders.Get().(*encoder)
	defer encoders.Put(e)
	e.buf.Reset()
	if err := e.enc.Encode(v); err != nil {
		return nil, err
	}
	body := e.buf.String()
	return http.NewRequestWithContext(ctx, http.MethodPost, url, io.NopCloser(stringsReader(body))) // fine "PV003" a string of its own
}

func stringsReader(s string) io.Reader { return bytes.NewReader([]byte(s)) }

func copyCount(p bufferPool, dst io.Writer, src io.Reader) (int, error) {
	buf := p.Get()
	defer p.Put(buf)
	n, err := src.Read(buf)
	if err != nil && !errors.Is(err, io.EOF) {
		return n, err
	}
	return dst.Write(buf[:n]) // fine "PV001|PV003" a count
}

func inContext(ctx context.Context, name string, next func(context.Context)) {
	b := getBuffer()
	defer putBuffer(b)
	b.WriteString(name)
	next(context.WithValue(ctx, key{}, b)) // fine "PV003|PV004" the context does not outlive the call
}

func unzipAll(r io.Reader) ([]byte, error) {
	zr := gunzips.Get().(*gzip.Reader)
	defer gunzips.Put(zr)
	if err := zr.Reset(r); err != nil {
		return nil, err
	}
	return io.ReadAll(zr) // fine "PV003" what it read, not what it reads with
}

func handleMany(w http.ResponseWriter, bodies []io.Reader) {
	lines := newLinePool() // fine "PV010" used in a loop
	for _, body := range bodies {
		l := lines.get()
		io.Copy(l, body)
		w.Write(l.Bytes())
		l.Free()
	}
}

func (c *client) pollDeferred(ctx context.Context, urls <-chan string) error {
	b := getBuffer()
	defer putBuffer(b)
	for {
		select {
		case u := <-urls:
			b.Reset()
			b.WriteString(u)
			c.log("%s", b.String())
		case <-ctx.Done():
			return ctx.Err() // fine "PV005" deferred
		}
	}
}
