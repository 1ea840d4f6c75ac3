// Right: put behind a helper that exits
package r3

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

func die(msg string) {
	fmt.Fprintln(os.Stderr, msg)
	os.Exit(1)
}

func Usage(flags []string) {
	b := getBuf()
	for _, f := range flags {
		fmt.Fprintln(b, "-"+f)
	}
	die(b.String())
	putBuf(b)
}
