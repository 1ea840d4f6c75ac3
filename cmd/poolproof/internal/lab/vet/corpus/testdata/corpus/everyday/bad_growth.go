package everyday

import (
	"fmt"
	"io"
)

// The pointer is put, whose slice is the short one.
func pointerKeepsShort(w io.Writer, args ...any) error {
	p := slices.Get().(*[]byte)
	defer slices.Put(p) // want "PV013"
	b := fmt.Appendln((*p)[:0], args...)
	_, err := w.Write(b)
	return err
}
