// Package httpbody reports errors of a service to a tracker over HTTP.
package httpbody

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
)

var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// body gives its buffer back when the transport closes it, which may be after Do has returned.
type body struct {
	r    *bytes.Reader
	buf  *bytes.Buffer
	once sync.Once
	mu   sync.Mutex
}

func newBody(v any) (*body, error) {
	b := bodies.Get().(*bytes.Buffer)
	b.Reset()
	if err := json.NewEncoder(b).Encode(v); err != nil {
		bodies.Put(b)
		return nil, err
	}
	return &body{r: bytes.NewReader(b.Bytes()), buf: b}, nil
}

func (b *body) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.r.Read(p)
}

func (b *body) Close() error {
	b.once.Do(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.r.Reset(nil)
		bodies.Put(b.buf)
		b.buf = nil
	})
	return nil
}

// Client sends reports.
type Client struct {
	URL  string
	HTTP *http.Client
}

// Send sends a report and waits for the answer.
func (c *Client) Send(report any) error {
	b, err := newBody(report)
	if err != nil {
		return err
	}
	req, err := http.NewRequest(http.MethodPost, c.URL, b)
	if err != nil {
		b.Close()
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := c.HTTP.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return fmt.Errorf("tracker: %s", resp.Status)
	}
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}
