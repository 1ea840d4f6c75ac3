// Right: a captured variable gets a string in a callback
package r12

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuf() *bytes.Buffer {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func putBuf(b *bytes.Buffer) { bufs.Put(b) }

func Longest(dir string) (string, error) {
	b := getBuf()
	defer putBuf(b)
	var longest string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		start := b.Len()
		b.WriteString(path)
		if name := b.Bytes()[start:]; len(name) > len(longest) {
			longest = string(name)
		}
		return nil
	})
	return longest, err
}
