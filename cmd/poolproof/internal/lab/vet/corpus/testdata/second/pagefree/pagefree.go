// Package pagefree has a free list of pages.
package pagefree

import "io"

// Page is a block of a file.
type Page struct{ data [4096]byte }

// List is a free list.
type List struct{ free chan *Page }

// New returns a list of up to n pages.
func New(n int) *List { return &List{free: make(chan *Page, n)} }

// GetPage returns a page.
func (l *List) GetPage() *Page {
	select {
	case p := <-l.free:
		return p
	default:
		return new(Page)
	}
}

// PutPage gives a page back, or to the collector.
func (l *List) PutPage(p *Page) {
	select {
	case l.free <- p:
	default:
	}
}

// Sum adds up page no of f.
func (l *List) Sum(f io.ReaderAt, no int64) (sum int, err error) {
	p := l.GetPage()
	n, err := f.ReadAt(p.data[:], no*4096)
	for _, c := range p.data[:n] {
		sum += int(c)
	}
	l.PutPage(p)
	if err == io.EOF {
		err = nil
	}
	return sum, err
}
