// Package apierror calls a JSON service and says what it answered.
package apierror

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
)

var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// StatusError is an answer other than 200.
type StatusError struct {
	Code int
	Body []byte
}

func (e *StatusError) Error() string { return fmt.Sprintf("status %d: %.60s", e.Code, e.Body) }

// Fetch decodes the answer of url into v.
func Fetch(c *http.Client, url string, v any) error {
	resp, err := c.Get(url)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	buf := bodies.Get().(*bytes.Buffer)
	buf.Reset()
	defer bodies.Put(buf)
	if _, err := buf.ReadFrom(resp.Body); err != nil {
		return fmt.Errorf("read %s: %w", url, err)
	}
	if resp.StatusCode != http.StatusOK {
		return &StatusError{Code: resp.StatusCode, Body: buf.Bytes()} // want "PV003|PV004"
	}
	return json.Unmarshal(buf.Bytes(), v)
}
