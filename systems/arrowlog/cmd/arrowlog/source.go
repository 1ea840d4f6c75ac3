package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// expand returns the files that arguments name. One that is not there and has
// characters of a pattern is one: shells that do not know about it leave it as it is.
func expand(args []string) (names []string, err error) {
	for _, a := range args {
		if _, err := os.Lstat(a); a == "-" || err == nil || !strings.ContainsAny(a, "*?[") {
			names = append(names, a)
			continue
		}
		found, err := filepath.Glob(a)
		if err != nil {
			return nil, usagef("the pattern %q: %v", a, err)
		}
		if len(found) == 0 {
			return nil, usagef("no file is named as %q says", a)
		}
		names = append(names, found...)
	}
	return names, nil
}

// sizeOf returns the size of all files, or 0 if it is not known.
func sizeOf(names []string) (sum int64, err error) {
	for _, name := range names {
		if name == "-" {
			return 0, nil
		}
		info, err := os.Stat(name)
		if err != nil {
			return 0, err
		}
		if info.IsDir() {
			return 0, fmt.Errorf("%s is a folder, want a file", name)
		}
		sum += info.Size()
	}
	return sum, nil
}

// openInput opens a file, or standard input for "-", and unpacks gzip and zstd, which
// it knows by their first bytes. What it reads is counted by p.
func openInput(ctx context.Context, name string, p *progress) (io.Reader, func() error, error) {
	f := os.Stdin
	if name != "-" {
		var err error
		if f, err = os.Open(name); err != nil {
			return nil, nil, err
		}
	}
	r := newReadAhead(ctx, io.TeeReader(f, p))
	close := func() error {
		r.stop()
		if f == os.Stdin {
			return nil
		}
		return f.Close()
	}
	b := bufio.NewReaderSize(r, 1<<16)
	head, _ := b.Peek(4)
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(b)
		if err != nil {
			close()
			return nil, nil, fmt.Errorf("gzip: %w", err)
		}
		return z, close, nil
	case bytes.Equal(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
		if err != nil {
			close()
			return nil, nil, fmt.Errorf("zstd: %w", err)
		}
		return z, func() error { z.Close(); return close() }, nil
	}
	return b, close, nil
}

// readAhead reads in a goroutine, so that an interrupt ends a program that waits for
// input which does not come: a read of a terminal cannot be ended. After an interrupt it
// reads no more, and hands out what has come.
type readAhead struct {
	ctx   context.Context
	full  chan block
	empty chan []byte
	ended chan struct{}
	block block
	at    int
}

type block struct {
	b   []byte
	err error
}

func newReadAhead(ctx context.Context, r io.Reader) *readAhead {
	a := &readAhead{ctx: ctx, full: make(chan block), empty: make(chan []byte, 2), ended: make(chan struct{})}
	for range cap(a.empty) {
		a.empty <- make([]byte, 1<<18)
	}
	go func() {
		for {
			select {
			case b := <-a.empty:
				if ctx.Err() != nil {
					return
				}
				n, err := r.Read(b[:cap(b)])
				select {
				case a.full <- block{b[:n], err}:
				case <-a.ended:
					return
				}
				if err != nil {
					return
				}
			case <-a.ended:
				return
			}
		}
	}()
	return a
}

// Read returns what was read, and after the context has ended and all of it its error.
func (a *readAhead) Read(p []byte) (int, error) {
	for a.at == len(a.block.b) {
		if a.block.err != nil {
			return 0, a.block.err
		}
		if a.block.b != nil {
			a.empty <- a.block.b
			a.block.b, a.at = nil, 0
		}
		select {
		case a.block = <-a.full:
			a.at = 0
		case <-a.ctx.Done():
			select {
			case a.block = <-a.full:
				a.at = 0
			default:
				return 0, a.ctx.Err()
			}
		}
	}
	n := copy(p, a.block.b[a.at:])
	a.at += n
	return n, nil
}

// stop ends the goroutine when its read has ended.
func (a *readAhead) stop() { close(a.ended) }
