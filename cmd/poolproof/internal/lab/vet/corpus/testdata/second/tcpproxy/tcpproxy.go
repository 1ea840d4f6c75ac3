// Package tcpproxy copies from one connection to another.
package tcpproxy

import (
	"io"
	"sync"
)

var chunks = sync.Pool{New: func() any { return new([32 << 10]byte) }}

// Copy copies src to dst and counts.
func Copy(dst io.Writer, src io.Reader, count func(int)) error {
	chunk := chunks.Get().(*[32 << 10]byte)
	defer chunks.Put(chunk)
	buf := chunk[:]
	for {
		n, err := src.Read(buf)
		if n > 0 {
			count(n)
			if _, werr := dst.Write(buf[:n]); werr != nil {
				return werr
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
