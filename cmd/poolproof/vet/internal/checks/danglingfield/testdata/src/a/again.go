package a

import (
	"bytes"
	"io"
)

// Others may close what is handed out as an io.Closer twice.
type reader struct {
	list []*bytes.Buffer
	done bool
}

func (r *reader) Read(p []byte) (int, error) { return 0, io.EOF }

func (r *reader) Close() error {
	for _, b := range r.list {
		buffers.Put(b) // want `\(warning\): field list still refers to all that is put here, and a second call of Close puts it again; set the field to nil`
	}
	return nil
}

func newReader(l []*bytes.Buffer) io.ReadCloser { return &reader{list: l} }

type onceReader struct{ reader }

func (r *onceReader) Close() error {
	for _, b := range r.list {
		buffers.Put(b)
	}
	r.list = nil
	return nil
}

func newOnce(l []*bytes.Buffer) io.ReadCloser { return &onceReader{reader{list: l}} }

type flagReader struct{ reader }

func (r *flagReader) Close() error {
	if r.done {
		return nil
	}
	r.done = true
	for _, b := range r.list {
		buffers.Put(b)
	}
	return nil
}

func newFlag(l []*bytes.Buffer) io.ReadCloser { return &flagReader{reader{list: l}} }

// Nobody hands this one out.
type ownReader struct{ list []*bytes.Buffer }

func (r *ownReader) Close() error {
	for _, b := range r.list {
		buffers.Put(b) // want `\(audit\): an element of field list`
	}
	return nil
}
