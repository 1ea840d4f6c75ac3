// Package upload sends bodies with retries.
package upload

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
)

var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Body returns the reader of an encoded value.
func Body(v any) (io.Reader, error) {
	b := bodies.Get().(*bytes.Buffer)
	defer bodies.Put(b)
	b.Reset()
	if err := json.NewEncoder(b).Encode(v); err != nil {
		return nil, err
	}
	return bytes.NewReader(b.Bytes()), nil // want "PV003"
}

// Signed returns a body with its head before it.
func Signed(head string, v any) (io.Reader, error) {
	b := bodies.Get().(*bytes.Buffer)
	b.Reset()
	err := json.NewEncoder(b).Encode(v)
	r := io.MultiReader(strings.NewReader(head), b)
	bodies.Put(b)
	return r, err // want "PV001|PV003"
}

func Post(ctx context.Context, c *http.Client, url string, v any) error {
	b := bodies.Get().(*bytes.Buffer)
	b.Reset()
	if err := json.NewEncoder(b).Encode(v); err != nil {
		return err // want "PV005"
	}
	req, err := http.NewRequestWithContext(ctx, "POST", url, bytes.NewReader(b.Bytes()))
	if err != nil {
		bodies.Put(b)
		return err
	}
	res, err := c.Do(req)
	if err != nil {
		bodies.Put(b)
		return err
	}
	res.Body.Close()
	bodies.Put(b)
	return nil
}
