// Package smtpline reads commands of a mail client.
package smtpline

import (
	"bufio"
	"bytes"
	"io"
	"sync"
)

var readers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 1024) }}

// Command reads one command and passes it on.
func Command(r io.Reader, handle func(verb, arg []byte) error) error {
	br := readers.Get().(*bufio.Reader)
	br.Reset(r)
	line, err := br.ReadSlice('\n')
	br.Reset(nil)
	readers.Put(br)
	if err != nil {
		return err
	}
	verb, arg, _ := bytes.Cut(bytes.TrimSpace(line), []byte(" ")) // want "PV001"
	return handle(verb, arg)
}
