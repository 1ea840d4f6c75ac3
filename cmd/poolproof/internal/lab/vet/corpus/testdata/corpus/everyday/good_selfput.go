package everyday

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
)

// A rule puts itself where it ends, and an outcome is put where it is merged, both if
// they are told to.
type rule struct {
	limit   int
	recycle bool
	parts   [2]checker
}

type checker interface{ check(n int) *outcome }

type outcome struct {
	errs    []error
	recycle bool
}

var (
	rules    = sync.Pool{New: func() any { return new(rule) }}
	outcomes = sync.Pool{New: func() any { return new(outcome) }}
)

func newRule(limit int, recycle bool) *rule {
	var r *rule
	if recycle {
		r = rules.Get().(*rule)
	} else {
		r = new(rule)
	}
	*r = rule{limit: limit, recycle: recycle}
	return r
}

func newOutcome(recycle bool) *outcome {
	if !recycle {
		return new(outcome)
	}
	o := outcomes.Get().(*outcome)
	o.recycle = true
	return o
}

func (r *rule) check(n int) *outcome {
	if r.recycle {
		defer func() { r.redeem() }()
	}
	o := newOutcome(r.recycle)
	if n > r.limit {
		o.errs = append(o.errs, errors.New("too large"))
	}
	return o // fine "PV003" the outcome is another object
}

func (r *rule) redeem() { rules.Put(r) }

func (o *outcome) redeem() {
	o.errs = o.errs[:0]
	outcomes.Put(o)
}

func (o *outcome) merge(others ...*outcome) *outcome {
	for _, other := range others {
		if other == nil {
			continue
		}
		o.errs = append(o.errs, other.errs...)
		if other.recycle {
			other.redeem()
		}
	}
	return o
}

func checked(n int) *outcome {
	all := newOutcome(true)
	all.merge(newRule(3, true).check(n))                              // fine "PV005|PV006" check puts the rule, merge the outcome
	all.merge(newRule(4, true).check(n), newRule(5, false).check(-n)) // fine "PV005|PV006" the same
	return all
}

// What is not merged is put, if it is to be.
func checkedEach(list []int) *outcome {
	all := newOutcome(false)
	for _, n := range list {
		o := newRule(n, true).check(n)
		if len(o.errs) > 0 {
			all.merge(o)
		} else if o.recycle {
			o.redeem()
		}
	}
	return all // fine "PV005" one that is not to be recycled is left to the collector
}

// Rules in an array of another one, which was made in one expression.
func newPair(recycle bool) *rule {
	r := newRule(1, recycle)
	r.parts = [2]checker{ // fine "PV006" the outer rule has them
		newRule(2, recycle),
		newRule(3, recycle),
	}
	return r
}

// A message that is sent belongs to the receiver: the variable is emptied.
type packet struct{ data []byte }

var packets = sync.Pool{New: func() any { return new(packet) }}

type link struct {
	in   chan *packet
	open bool
}

func (p *packet) recycle() { packets.Put(p) }

func (l *link) send(p *packet) {
	select {
	case l.in <- p:
	}
}

func (l *link) forward(data []byte) {
	p := packets.Get().(*packet)
	defer func() {
		if p != nil {
			p.recycle()
		}
	}()
	p.data = append(p.data[:0], data...)
	if !l.open || len(p.data) == 0 {
		return
	}
	l.in <- p // fine "PV004" the deferred literal finds nothing
	p = nil
}

func (l *link) forwardBy(ctx context.Context, data []byte) error {
	p := packets.Get().(*packet)
	defer func() {
		if p != nil {
			p.recycle()
		}
	}()
	p.data = append(p.data[:0], data...)
	if err := ctx.Err(); err != nil {
		return err
	}
	l.send(p) // fine "PV004" the same
	p = nil
	return nil
}

// Owners are counted by a loop of CompareAndSwap.
type counted struct {
	data   []byte
	owners atomic.Int32
}

var counteds = sync.Pool{New: func() any { return new(counted) }}

func newCounted() *counted {
	c := counteds.Get().(*counted)
	c.owners.Store(1)
	return c
}

func (c *counted) add(d int32) int32 {
	for {
		n := c.owners.Load()
		if n <= 0 {
			return -1
		}
		if c.owners.CompareAndSwap(n, n+d) {
			return n + d
		}
	}
}

func (c *counted) retain() *counted {
	if c.add(+1) < 2 {
		panic("retained after its end")
	}
	return c
}

func (c *counted) release() {
	switch c.add(-1) {
	case -1:
		panic("released after its end")
	case 0:
		counteds.Put(c)
	}
}

func twoOwners() int {
	var list []*counted
	for range 3 {
		list = append(list, newCounted().retain())
	}
	for _, c := range list {
		c.release()
	}
	n := 0
	for _, c := range list {
		n += len(c.data) // fine "PV001" each has an owner left
		c.release()      // fine "PV002" the second of two
	}
	return n
}
