// Package twoclasses copies files with small and large buffers.
package twoclasses

import (
	"io"
	"sync"
)

var (
	small = sync.Pool{New: func() any { b := make([]byte, 4<<10); return &b }}
	large = sync.Pool{New: func() any { b := make([]byte, 1<<20); return &b }}
)

// CopyHead copies the head of src.
func CopyHead(dst io.Writer, src io.Reader) error {
	bp := small.Get().(*[]byte)
	defer small.Put(bp)
	n, err := io.ReadFull(src, *bp)
	if err != nil && err != io.ErrUnexpectedEOF {
		return err
	}
	_, err = dst.Write((*bp)[:n])
	return err
}

// CopyAll copies all of src.
func CopyAll(dst io.Writer, src io.Reader) (int64, error) {
	bp := large.Get().(*[]byte)
	defer small.Put(bp) // want "PV021"
	return io.CopyBuffer(dst, src, *bp)
}
