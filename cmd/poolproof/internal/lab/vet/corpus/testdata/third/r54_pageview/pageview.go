// Package pageview lends pages of a file to callers, who call a function when they are done.
package pageview

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
)

const pageSize = 4096

var pages = sync.Pool{New: func() any { return new([pageSize]byte) }}

// File is a file of pages.
type File struct {
	R io.ReaderAt
}

// View returns a page, and a function to call when it is no longer needed, which may be called twice.
func (f *File) View(no int64) (data []byte, done func(), err error) {
	p := pages.Get().(*[pageSize]byte)
	n, err := f.R.ReadAt(p[:], no*pageSize)
	if err != nil && (n == 0 || !errors.Is(err, io.EOF)) {
		pages.Put(p)
		return nil, nil, fmt.Errorf("page %d: %w", no, err)
	}
	return p[:n], sync.OnceFunc(func() { pages.Put(p) }), nil
}

// Find returns the page and the position of the first line with a prefix, or io.EOF. notify is
// called with the line.
func (f *File) Find(prefix string, notify func(line string)) (page int64, at int, err error) {
	for no := int64(0); ; no++ {
		at, line, err := f.findIn(no, prefix)
		if err != nil {
			return 0, 0, err
		}
		if at >= 0 {
			notify(line)
			return no, at, nil
		}
	}
}

func (f *File) findIn(no int64, prefix string) (at int, line string, err error) {
	data, done, err := f.View(no)
	if err != nil {
		return 0, "", err
	}
	defer done()
	at = 0
	for l := range bytes.Lines(data) {
		if bytes.HasPrefix(l, []byte(prefix)) {
			line = string(l)
			done()
			return at, line, nil
		}
		at += len(l)
	}
	return -1, "", nil
}
