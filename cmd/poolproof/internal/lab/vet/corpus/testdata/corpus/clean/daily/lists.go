package daily

import (
	"encoding/binary"
	"net"
	"sync"
)

// Frames are collected for one writev, and freed by a deferred loop.

type frame struct{ b []byte }

var frames = sync.Pool{New: func() any { return &frame{b: make([]byte, 0, 256)} }}

type frameList struct{ all []*frame }

func (l *frameList) add(kind byte, body []byte) *frame {
	f := frames.Get().(*frame)
	f.b = binary.BigEndian.AppendUint32(append(f.b[:0], kind), uint32(len(body)))
	l.all = append(l.all, f) // fine "PV004" the list is freed as a whole
	return f
}

func (l *frameList) free() {
	for i, f := range l.all {
		frames.Put(f)
		l.all[i] = nil
	}
	l.all = l.all[:0]
}

func Send(c net.Conn, bodies [][]byte) (int64, error) {
	var l frameList
	defer l.free()
	var v net.Buffers
	for _, b := range bodies {
		f := l.add('D', b)
		v = append(v, f.b, b)
	}
	return v.WriteTo(c) // fine "PV003" the frames are put after this
}

// Calls in flight stand in a map until their answer comes.

type call struct {
	id    uint64
	reply []byte
	done  chan struct{}
}

var calls = sync.Pool{New: func() any { return &call{done: make(chan struct{}, 1)} }}

type Client struct {
	mu      sync.Mutex
	last    uint64
	pending map[uint64]*call
	conn    net.Conn
}

func (c *Client) start() *call {
	k := calls.Get().(*call)
	c.mu.Lock()
	c.last++
	k.id = c.last
	c.pending[k.id] = k // fine "PV004" Do takes it out before it puts it
	c.mu.Unlock()
	return k
}

func (c *Client) answer(id uint64, reply []byte) {
	c.mu.Lock()
	k := c.pending[id]
	delete(c.pending, id)
	c.mu.Unlock()
	if k == nil {
		return
	}
	k.reply = append(k.reply[:0], reply...)
	k.done <- struct{}{}
}

func (c *Client) Do(request, reply []byte) ([]byte, error) {
	k := c.start()
	head := binary.BigEndian.AppendUint64(nil, k.id)
	if _, err := c.conn.Write(append(head, request...)); err != nil {
		c.mu.Lock()
		_, mine := c.pending[k.id]
		delete(c.pending, k.id)
		c.mu.Unlock()
		if !mine {
			<-k.done
		}
		calls.Put(k)
		return nil, err
	}
	<-k.done
	reply = append(reply, k.reply...)
	calls.Put(k)
	return reply, nil // fine "PV001" a copy
}

// A list of pages whose links are read before each page goes back.

type page struct {
	next *page
	n    int
	data [4096]byte
}

var pages = sync.Pool{New: func() any { return new(page) }}

type Spool struct{ first, tail *page }

func (s *Spool) Write(b []byte) (int, error) {
	n := len(b)
	for len(b) > 0 {
		if s.tail == nil || s.tail.n == len(s.tail.data) {
			p := pages.Get().(*page)
			p.next, p.n = nil, 0
			if s.tail == nil {
				s.first = p
			} else {
				s.tail.next = p
			}
			s.tail = p
		}
		k := copy(s.tail.data[s.tail.n:], b)
		s.tail.n += k
		b = b[k:]
	}
	return n, nil
}

func (s *Spool) Reset() {
	for p := s.first; p != nil; {
		next := p.next
		pages.Put(p)
		p = next // fine "PV001" next was read before the put
	}
	s.first, s.tail = nil, nil
}
