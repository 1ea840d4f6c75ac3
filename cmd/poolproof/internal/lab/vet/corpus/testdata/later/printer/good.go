// Package printer is right.
package printer

import (
	"fmt"
	"io"
	"sync"
)

type printer struct {
	buf []byte
	err error
	sub *printer
}

var printers = sync.Pool{New: func() any { return new(printer) }}

func get() *printer {
	p := printers.Get().(*printer)
	p.buf, p.err, p.sub = p.buf[:0], nil, nil
	return p
}

func (p *printer) free() {
	if cap(p.buf) > 64<<10 {
		p.buf = nil
	}
	p.err = nil
	printers.Put(p)
}

func Fprint(w io.Writer, vs ...any) (n int, err error) {
	p := get()
	for _, v := range vs {
		p.buf = fmt.Append(p.buf, v)
	}
	n, err = w.Write(p.buf)
	p.free()
	return
}

func Sprint(vs ...any) string {
	p := get()
	defer p.free()
	for _, v := range vs {
		p.buf = fmt.Append(p.buf, v)
	}
	return string(p.buf)
}
