package a

import (
	"errors"
	"sync"
)

type page struct {
	data []byte
	next *page
	last bool
}

var pages = sync.Pool{New: func() any { return &page{data: make([]byte, 4096)} }}

func putPage(p *page) { pages.Put(p) }

type writer struct {
	out    []byte
	closed bool
	sent   int
	limit  int
	on     func(*page)
}

// A method without an object does nothing, and loses what it is given.
func (w *writer) append(p *page) *writer {
	if w == nil {
		return w // want `this return loses p: on another path line \d+ puts it, and by what is returned the caller cannot tell which path it was`
	}
	w.out = append(w.out, p.data...)
	putPage(p)
	return w
}

var errClosed, errLarge = errors.New("closed"), errors.New("too large")

// Each caller that gets an error would have to put the page, or must not.
func (w *writer) write(p *page) error {
	if w.closed {
		return errClosed // want `this return of an error loses p`
	}
	if len(w.out) > w.limit {
		putPage(p)
		return errLarge
	}
	w.out = append(w.out, p.data...)
	putPage(p)
	return nil
}

// The caller has the page still where there is an error.
func (w *writer) writeAll(p *page) error {
	if w.closed {
		return errClosed
	}
	w.out = append(w.out, p.data...)
	putPage(p)
	return nil
}

// The result says whether the page was put.
func (w *writer) offer(p *page) bool {
	if w.closed {
		return false
	}
	w.out = append(w.out, p.data...)
	putPage(p)
	return true
}

// The caller knows what it asked for.
func (w *writer) copyOf(p *page, keep bool) {
	w.out = append(w.out, p.data...)
	if keep {
		w.sent++
		return
	}
	putPage(p)
}

// The page says so itself.
func (w *writer) unlessLast(p *page) {
	if p.last {
		w.sent++
		return
	}
	putPage(p)
}

// Only the first call puts.
func (w *writer) once(p *page) {
	if w.closed {
		return
	}
	w.closed = true
	putPage(p)
}

// It is put if that is possible, and on all paths or on none of the function.
func (w *writer) maybe(p *page) {
	if w.limit > 0 {
		putPage(p)
	}
	w.sent++
}

// A function that is named as one which gives back may leave out what is not fit.
func (w *writer) releasePage(p *page) {
	if w.closed {
		return
	}
	putPage(p)
}

// The page goes on.
func (w *writer) forward(p *page, to chan<- *page) {
	if w.sent > 3 {
		to <- p
		return
	}
	if w.sent > 2 {
		w.on(p)
		return
	}
	putPage(p)
}

type parcel struct {
	from string
	page *page
}

// What is lost is in a field. A goroutine that only reads what the parcel is from does not put it.
func (w *writer) deliver(p *parcel) error {
	if w.closed {
		putPage(p.page)
		return errClosed
	}
	if w.sent > w.limit {
		go func() { w.refuse(p.from) }()
		return nil // want `this return loses p.page`
	}
	if w.sent == 0 {
		go func() {
			defer putPage(p.page)
			w.refuse(p.from)
		}()
		return nil
	}
	w.out = append(w.out, p.page.data...)
	putPage(p.page)
	return nil
}

func (w *writer) refuse(string) {}

// The field goes on by itself, or with the struct.
func (w *writer) deliverOr(p *parcel, to chan *parcel, pages chan *page) {
	if w.closed {
		to <- p
		return
	}
	if w.sent > 3 {
		pages <- p.page
		return
	}
	putPage(p.page)
}

// The caller sees in the field what became of the page.
func (w *writer) take(p *parcel) {
	if w.closed {
		return
	}
	putPage(p.page)
	p.page = nil
}

// What a goroutine only reads is lost with it.
func inGoroutine(n int) int {
	p := pages.Get().(*page)
	if n > 0 {
		go func() { println(len(p.data)) }()
		return n // want `this return loses p`
	}
	putPage(p)
	return 0
}

func inGoroutineThatPuts(n int) int {
	p := pages.Get().(*page)
	if n > 0 {
		go func() { println(len(p.data)); last(p) }()
		return n
	}
	putPage(p)
	return 0
}

func last(p *page) { putPage(p) }

var kept []*page

func inGoroutineThatKeeps(n int) int {
	p := pages.Get().(*page)
	if n > 0 {
		go func() { kept = append(kept, p) }()
		return n
	}
	putPage(p)
	return 0
}

type shared struct {
	data []byte
	refs int
}

var sharedPages = sync.Pool{New: func() any { return new(shared) }}

func (s *shared) free() {
	s.refs--
	if s.refs > 0 {
		return
	}
	sharedPages.Put(s)
}

// A reference of several.
func (w *writer) share(s *shared) {
	if w.closed {
		return // want `this return loses s`
	}
	w.out = append(w.out, s.data...)
	s.free()
}

// What the callee says is passed on.
func tryPutPage(p *page) bool {
	if p.last {
		return false
	}
	pages.Put(p)
	return true
}

func (w *writer) try(p *page) bool {
	if w.closed {
		return false
	}
	w.sent++
	return tryPutPage(p)
}

// A function that is named as one which gives back need not in each build.
func freePage(*page) {}

func (w *writer) byOthers(p *page) {
	if w.sent > 3 {
		freePage(p)
		return
	}
	putPage(p)
}

// The return at the end may follow the put.
func (w *writer) onceSent(p *page) {
	if w.sent == 0 {
		putPage(p)
		return
	}
	for i := range 3 {
		if w.sent > i {
			putPage(p)
			break
		}
	}
}

// Nothing is returned where the page was not put.
func (w *writer) nextOf(p *page) *page {
	if w.closed {
		return nil
	}
	n := p.next
	putPage(p)
	return n
}

// A literal that runs here puts what it reads out of the struct.
func (w *writer) deliverInLiterals(p *parcel) {
	if w.closed {
		func() { putPage(p.page) }()
		return
	}
	if w.sent > 3 {
		defer func() { putPage(p.page) }()
		w.sent++
		return
	}
	if w.sent > 2 {
		runNow(func() { putPage(p.page) })
		return
	}
	putPage(p.page)
}

func runNow(f func()) { f() }
