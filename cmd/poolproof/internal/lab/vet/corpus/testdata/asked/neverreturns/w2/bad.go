// Wrong: put, then read as an argument of the helper that exits
package w2

import (
	"bytes"
	"fmt"
	"os"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuf() *bytes.Buffer {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func putBuf(b *bytes.Buffer) { bufs.Put(b) }

func die(msg []byte) {
	os.Stderr.Write(msg)
	os.Exit(1)
}

func Usage(flags []string) {
	b := getBuf()
	for _, f := range flags {
		fmt.Fprintln(b, "-"+f)
	}
	putBuf(b)
	die(b.Bytes()) // want "PV001" b was put on the line above
}
