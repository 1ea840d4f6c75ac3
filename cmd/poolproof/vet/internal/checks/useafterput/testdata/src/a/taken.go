package a

import (
	"bufs"
	"bytes"
	"io"
)

// detach hands the buffer to its reader.
//
//poolproof:owns b
func detach(b *bytes.Buffer) { owned = b }

var owned *bytes.Buffer

func taken(w io.Writer) {
	b := bufs.Get()
	detach(b)
	b.WriteTo(w) // want `b is used by WriteTo after detach \(line 18\) took it over`
}
