// Package problemdoc turns bad answers into errors.
package problemdoc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
)

var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Problem is an answer other than 2xx.
type Problem struct {
	Code   int
	Detail string
	raw    json.RawMessage
}

func (p *Problem) Error() string { return p.Detail }

// Check returns an error for a bad answer.
func Check(resp *http.Response) error {
	if resp.StatusCode/100 == 2 {
		return nil
	}
	buf := bodies.Get().(*bytes.Buffer)
	buf.Reset()
	defer bodies.Put(buf)
	if _, err := buf.ReadFrom(io.LimitReader(resp.Body, 1<<16)); err != nil {
		return fmt.Errorf("%s: %w", resp.Status, err)
	}
	p := &Problem{Code: resp.StatusCode, Detail: buf.String()}
	p.raw = append(p.raw, buf.Bytes()...)
	return p
}
