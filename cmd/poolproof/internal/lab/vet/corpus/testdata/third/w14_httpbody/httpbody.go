// Package httpbody reports errors of a service to a tracker over HTTP.
package httpbody

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Report is one error.
type Report struct {
	Service string    `json:"service"`
	Message string    `json:"message"`
	Stack   []string  `json:"stack"`
	At      time.Time `json:"at"`
}

// Client sends reports.
type Client struct {
	URL  string
	HTTP *http.Client
}

// Send sends r and waits for the answer.
func (c *Client) Send(r *Report) error {
	b := bodies.Get().(*bytes.Buffer)
	b.Reset()
	defer bodies.Put(b)
	if err := json.NewEncoder(b).Encode(r); err != nil {
		return err
	}
	resp, err := c.HTTP.Post(c.URL, "application/json", b) // want PV004
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 200))
		return fmt.Errorf("tracker: %s: %s", resp.Status, text)
	}
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}
