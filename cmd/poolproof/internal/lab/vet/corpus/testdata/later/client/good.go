// Package client is right.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
)

var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func Post(ctx context.Context, c *http.Client, url string, in, out any) error {
	b := bodies.Get().(*bytes.Buffer)
	defer bodies.Put(b)
	b.Reset()
	if err := json.NewEncoder(b).Encode(in); err != nil {
		return fmt.Errorf("encode: %w", err)
	}
	body := bytes.Clone(b.Bytes())
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	res, err := c.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	b.Reset()
	if _, err := io.Copy(b, res.Body); err != nil {
		return err
	}
	if res.StatusCode/100 != 2 {
		return fmt.Errorf("status %d: %s", res.StatusCode, b.String())
	}
	return json.Unmarshal(b.Bytes(), out)
}
