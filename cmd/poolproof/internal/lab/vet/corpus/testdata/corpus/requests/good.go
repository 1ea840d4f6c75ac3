package requests

import (
	"bytes"
	"io"
	"net/http"
	"strings"
)

func good(c *http.Client, url string, msg []byte) error {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	defer bufs.Put(b)
	b.Write(msg)
	req, err := http.NewRequest("POST", url, strings.NewReader(b.String()))
	if err != nil {
		return err
	}
	resp, err := c.Do(req) // fine "PV004" the body is a copy, or its own Close tells, or none of the memory is in it
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

type body struct {
	*bytes.Buffer
	done chan struct{}
}

func (b *body) Close() error { close(b.done); return nil }

func good2(c *http.Client, url string, msg []byte) error {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	b.Write(msg)
	w := &body{b, make(chan struct{})}
	req, err := http.NewRequest("POST", url, w)
	if err != nil {
		bufs.Put(b)
		return err
	}
	resp, err := c.Do(req) // fine "PV004" the body is a copy, or its own Close tells, or none of the memory is in it
	<-w.done
	bufs.Put(b)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
func header(c *http.Client, url string, msg []byte) error {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	defer bufs.Put(b)
	b.Write(msg)
	req, err := http.NewRequest("POST", b.String(), nil)
	if err != nil {
		return err
	}
	resp, err := c.Do(req) // fine "PV004" the body is a copy, or its own Close tells, or none of the memory is in it
	if err != nil {
		return err
	}
	io.Copy(io.Discard, resp.Body)
	return resp.Body.Close()
}
