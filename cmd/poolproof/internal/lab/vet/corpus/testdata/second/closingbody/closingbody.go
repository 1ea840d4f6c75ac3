// Package closingbody posts documents whose memory is given back when the transport is done.
package closingbody

import (
	"bytes"
	"encoding/json"
	"net/http"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type body struct {
	*bytes.Reader
	buf  *bytes.Buffer
	once sync.Once
}

func (b *body) Close() error {
	b.once.Do(func() { bufs.Put(b.buf) })
	return nil
}

// Post sends v.
func Post(c *http.Client, url string, v any) error {
	buf := bufs.Get().(*bytes.Buffer)
	buf.Reset()
	if err := json.NewEncoder(buf).Encode(v); err != nil {
		bufs.Put(buf)
		return err
	}
	n := int64(buf.Len())
	req, err := http.NewRequest("POST", url, &body{Reader: bytes.NewReader(buf.Bytes()), buf: buf})
	if err != nil {
		bufs.Put(buf)
		return err
	}
	req.ContentLength = n
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
