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
