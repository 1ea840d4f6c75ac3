// Wrong: used after PutPtr
package w13

import (
	"github.com/poolproof/poolproof/buffer"
	"io"
)

var slabs = buffer.New(buffer.Options{}).Sized(4096)

func Read(r io.Reader, w io.Writer) error {
	p := slabs.GetPtr()
	n, err := r.Read(*p)
	slabs.PutPtr(p)
	if err != nil {
		return err
	}
	_, err = w.Write((*p)[:n]) // want "PV001" p was given up
	return err
}
