// Package poolpages has a free list of pages.
package poolpages

import "io"

// Page is a block of a file.
type Page struct {
	No   int
	Data [4096]byte
}

var free = make(chan *Page, 32)

// GetPage returns a page.
func GetPage() *Page {
	select {
	case p := <-free:
		return p
	default:
		return new(Page)
	}
}

// PutPage gives a page back.
func PutPage(p *Page) {
	select {
	case free <- p:
	default:
	}
}

// Sum returns the sum of the bytes of page no.
func Sum(f io.ReaderAt, no int) (sum int, err error) {
	p := GetPage()
	p.No = no
	if _, err := f.ReadAt(p.Data[:], int64(no)*4096); err != nil {
		return 0, err // want "PV005"
	}
	PutPage(p)
	for _, c := range p.Data { // want "PV001"
		sum += int(c)
	}
	return sum, nil
}
