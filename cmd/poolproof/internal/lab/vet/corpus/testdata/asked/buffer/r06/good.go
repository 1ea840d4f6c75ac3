// Right: Bytes and Free, GetPtr and PutPtr, cut at the end
package r06

import (
	"github.com/poolproof/poolproof/buffer"
	"io"
)

var buffers = buffer.New(buffer.Options{})
var slabs = buffers.Sized(4096)

func Read(r io.Reader, w io.Writer) error {
	b := buffers.Bytes(1024)
	defer buffers.Free(b)
	n, err := r.Read(b)
	if err != nil {
		return err
	}
	_, err = w.Write(b[:n])
	return err
}

func Pipe(r io.Reader, w io.Writer) (int64, error) {
	p := slabs.GetPtr()
	defer slabs.PutPtr(p)
	return io.CopyBuffer(w, r, *p)
}
