// Right: guide: Get, Append, CopyAndRelease, Take
package r01

import (
	"bytes"
	"fmt"
	"github.com/poolproof/poolproof/buffer"
	"io"
)

var buffers = buffer.New(buffer.Options{Zero: buffer.ZeroUsed})

func Header(r io.Reader) ([]byte, error) {
	b := buffers.Get(64)
	defer b.Release()
	_, err := b.Fill(r.Read)
	return bytes.Clone(b.Bytes()), err
}

func Encode(n int) string {
	b := buffers.Append()
	defer b.Release()
	fmt.Fprintf(b, "%d items", n)
	return b.String()
}

func Copy(v any) []byte {
	b := buffers.Append()
	fmt.Fprint(b, v)
	return b.CopyAndRelease()
}

func Take(v any) []byte {
	b := buffers.Append()
	fmt.Fprint(b, v)
	return b.Take()
}
