package chanpool

import "errors"

var free = make(chan []byte, 16)

// leaky buffer
func getBytes(n int) []byte {
	select {
	case b := <-free:
		if cap(b) >= n {
			return b[:n]
		}
	default:
	}
	return make([]byte, n)
}

func putBytes(b []byte) {
	select {
	case free <- b:
	default:
	}
}

type classes struct{ pool [4]chan []byte }

func (p *classes) Get(n int) []byte {
	pool := p.pool[n%4]
	select {
	case b := <-pool:
		return b[:n]
	default:
		return make([]byte, n)
	}
}

func (p *classes) Put(b []byte) {
	pool := p.pool[len(b)%4]
	select {
	case pool <- b:
	default:
	}
}

var errBad = errors.New("bad")

func bad(src []byte) error {
	b := getBytes(len(src))
	if copy(b, src) == 0 {
		return errBad // want `loses b`
	}
	putBytes(b)
	return nil
}

func bad2(p *classes, src []byte) error {
	b := p.Get(len(src))
	if copy(b, src) == 0 {
		return errBad // want `loses b`
	}
	p.Put(b)
	return nil
}

func good(p *classes, src []byte) error {
	b := p.Get(len(src))
	defer p.Put(b)
	if copy(b, src) == 0 {
		return errBad
	}
	return nil
}

type conn struct{ ch chan []byte }

func (c *conn) getMsg() []byte  { return <-c.ch }
func (c *conn) putMsg(b []byte) { c.ch <- b }

func queue(c *conn) error {
	b := c.getMsg()
	if len(b) == 0 {
		return errBad
	}
	c.putMsg(b)
	return nil
}

// Other names for the same.
type pages struct{ free []*page }

type page struct{ b []byte }

func (p *pages) newPage() *page {
	if n := len(p.free); n > 0 {
		x := p.free[n-1]
		p.free = p.free[:n-1]
		return x
	}
	return &page{make([]byte, 4096)}
}

func (p *pages) freePage(x *page) { p.free = append(p.free, x) }

func bad3(p *pages, src []byte) error {
	x := p.newPage()
	if copy(x.b, src) == 0 {
		return errBad // want `loses x`
	}
	p.freePage(x)
	return nil
}

// Nothing is made here: the list is not one of objects to be used again.
type pending struct{ all []*page }

func (p *pending) takeNext() *page {
	x := p.all[0]
	p.all = p.all[1:]
	return x
}

func (p *pending) returnNext(x *page) { p.all = append(p.all, x) }

func (p *pending) run(src []byte) error {
	x := p.takeNext()
	if copy(x.b, src) == 0 {
		return errBad
	}
	p.returnNext(x)
	return nil
}
