// Package freelist verifies the pages of a database file, with a bounded list of free pages.
package freelist

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
)

const pageSize = 8192

type page struct {
	data [pageSize]byte
}

var free = make(chan *page, 64)

func getPage() *page {
	select {
	case p := <-free:
		return p
	default:
		return new(page)
	}
}

func putPage(p *page) {
	select {
	case free <- p:
	default:
	}
}

// File is a file of pages. The first four bytes of each are the checksum of the rest.
type File struct {
	r io.ReaderAt
	n int64
}

func (f *File) read(no int64) (*page, error) {
	p := getPage()
	if _, err := f.r.ReadAt(p.data[:], no*pageSize); err != nil {
		putPage(p)
		return nil, fmt.Errorf("page %d: %w", no, err)
	}
	return p, nil
}

// Verify checks all pages.
func (f *File) Verify() error {
	for no := range f.n {
		p, err := f.read(no)
		if err != nil {
			return err
		}
		sum := crc32.ChecksumIEEE(p.data[4:])
		putPage(p)
		if want := binary.LittleEndian.Uint32(p.data[:]); sum != want { // want PV001
			return fmt.Errorf("page %d: checksum %08x, should be %08x", no, sum, want)
		}
	}
	return nil
}
