package main

import (
	"errors"
	"fmt"
	"os"
)

// badLines keeps lines that are no logs aside, up to a number.
type badLines struct {
	path  string // of the file that they go to
	most  int
	n     int
	first error
	file  *os.File
	err   error // of the file
}

// keep keeps a line, or returns false if there are too many.
func (b *badLines) keep(name string, line int, content []byte, reason error) bool {
	var kind *os.PathError
	if b.n >= b.most || b.err != nil || errors.As(reason, &kind) {
		return false
	}
	if b.file == nil {
		if b.file, b.err = os.Create(b.path); b.err != nil {
			return false
		}
		b.first = fmt.Errorf("%s, line %d: %w", name, line, reason)
	}
	b.n++
	_, b.err = b.file.Write(append(content, '\n'))
	return b.err == nil
}

// close ends the file.
func (b *badLines) close() error {
	if b.file != nil {
		b.err = errors.Join(b.err, b.file.Close())
		b.file = nil
	}
	return b.err
}
