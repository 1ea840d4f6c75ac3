// Package wsecho echoes the frames of a websocket.
package wsecho

import (
	"io"
	"sync"
)

var payloads = sync.Pool{New: func() any { b := make([]byte, 125); return &b }}

// Echo answers each frame with the same.
func Echo(rw io.ReadWriter) error {
	bp := payloads.Get().(*[]byte)
	defer payloads.Put(bp)
	var head [2]byte
	for {
		if _, err := io.ReadFull(rw, head[:]); err != nil {
			return err
		}
		n := min(int(head[1]&0x7f), len(*bp))
		p := (*bp)[:n]
		if _, err := io.ReadFull(rw, p); err != nil {
			return err
		}
		if head[0]&0x0f == 8 {
			return nil
		}
		if _, err := rw.Write(append([]byte{head[0], byte(n)}, p...)); err != nil {
			return err
		}
	}
}
