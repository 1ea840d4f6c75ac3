// Wrong: no put at all before the exit helper on the usual path
package w1

import (
	"bytes"
	"fmt"
	"io"
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

func Print(w io.Writer, flags []string) {
	b := getBuf() // want "PV006" nothing puts b
	for _, f := range flags {
		fmt.Fprintln(b, "-"+f)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		die(err.Error())
	}
}
