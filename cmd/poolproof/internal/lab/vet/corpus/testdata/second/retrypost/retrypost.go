// Package retrypost posts a document until it is accepted.
package retrypost

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"
)

var docs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Post posts v up to n times.
func Post(c *http.Client, url string, v any, n int) (err error) {
	buf := docs.Get().(*bytes.Buffer)
	buf.Reset()
	err = json.NewEncoder(buf).Encode(v)
	text := buf.String()
	docs.Put(buf)
	for i := 0; i < n && err == nil; i++ {
		var resp *http.Response
		if resp, err = c.Post(url, "application/json", strings.NewReader(text)); err == nil {
			resp.Body.Close()
			if resp.StatusCode < 500 {
				return nil
			}
			time.Sleep(time.Second << i)
		}
	}
	return err
}
