// Package goldenline compares the lines of two files.
package goldenline

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"sync"
)

type pair struct{ a, b *bufio.Scanner }

var windows = sync.Pool{New: func() any { b := make([]byte, 0, 16<<10); return &b }}

// Diff returns the number of the first line that differs, or 0.
func Diff(x, y io.Reader) (int, error) {
	wx, wy := windows.Get().(*[]byte), windows.Get().(*[]byte)
	defer windows.Put(wx)
	defer windows.Put(wy)
	p := pair{bufio.NewScanner(x), bufio.NewScanner(y)}
	p.a.Buffer(*wx, 1<<20)
	p.b.Buffer(*wy, 1<<20)
	for n := 1; ; n++ {
		ma, mb := p.a.Scan(), p.b.Scan()
		if err := errors.Join(p.a.Err(), p.b.Err()); err != nil {
			return n, err
		}
		if !ma && !mb {
			return 0, nil
		}
		if ma != mb || !bytes.Equal(p.a.Bytes(), p.b.Bytes()) {
			return n, nil
		}
	}
}
