package requests

import (
	"bytes"
	"io"
	"net/http"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func post(c *http.Client, url string, msg []byte) error {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	defer bufs.Put(b)
	b.Write(msg)
	req, err := http.NewRequest("POST", url, b)
	if err != nil {
		return err
	}
	resp, err := c.Do(req) // want "PV004"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func post2(c *http.Client, url string, msg []byte) error {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	b.Write(msg)
	resp, err := c.Post(url, "x", bytes.NewReader(b.Bytes())) // want "PV004"
	bufs.Put(b)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func rt(c http.RoundTripper, url string, msg []byte) error {
	b := bufs.Get().(*bytes.Buffer)
	defer bufs.Put(b)
	b.Reset()
	b.Write(msg)
	req, err := http.NewRequest("POST", url, nil)
	if err != nil {
		return err
	}
	req.Body = io.NopCloser(b)
	resp, err := c.RoundTrip(req) // want "PV004"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
