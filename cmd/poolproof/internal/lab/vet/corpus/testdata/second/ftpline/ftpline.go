// Package ftpline reads commands.
package ftpline

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"sync"
)

var readers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 1024) }}

// Command reads one command.
func Command(r io.Reader) (verb, arg string, err error) {
	br := readers.Get().(*bufio.Reader)
	br.Reset(r)
	line, err := br.ReadString('\n')
	br.Reset(nil)
	readers.Put(br)
	if err != nil {
		return "", "", err
	}
	verb, arg, _ = strings.Cut(strings.TrimSpace(line), " ")
	return strings.ToUpper(verb), arg, nil
}

// Peek says whether r begins with the magic bytes.
func Peek(r io.Reader, magic []byte) bool {
	br := readers.Get().(*bufio.Reader)
	defer readers.Put(br)
	br.Reset(r)
	head, err := br.Peek(len(magic))
	return err == nil && bytes.Equal(head, magic)
}
