// Package channels has channels in pooled objects: some are the object's, some are shared with the other end.
package channels

import (
	"context"
	"sync"
	"testing"
	"time"
)

type call struct {
	reply chan int
	n     int
}

var calls = sync.Pool{New: func() any { return &call{reply: make(chan int, 1)} }}

//want:exact write-after-put
//want:fast write-after-put
func TestReplyOfASelect(t *testing.T) {
	c := calls.Get().(*call)
	reply := c.reply
	calls.Put(c)
	select {
	case reply <- 1:
	case <-time.After(time.Minute):
		t.Error("no room")
	}
}

//want:exact write-after-put
//want:fast write-after-put
func TestReplyOrNothing(t *testing.T) {
	c := calls.Get().(*call)
	reply := c.reply
	calls.Put(c)
	select {
	case reply <- 1:
	default:
	}
}

//want:exact write-after-put
//want:fast write-after-put
func TestReplyIsReceivedLate(t *testing.T) {
	c := calls.Get().(*call)
	reply := c.reply
	reply <- 3
	calls.Put(c)
	if n := <-reply; n != 3 {
		t.Error(n)
	}
}

type stream struct{ stop chan struct{} }

var streams sync.Pool

func open() *stream {
	s, _ := streams.Get().(*stream)
	if s == nil {
		s = &stream{}
	}
	if s.stop == nil {
		s.stop = make(chan struct{})
	}
	return s
}

//want:exact write-after-put
//want:fast write-after-put
func TestClosedAfterPut(t *testing.T) {
	s := open()
	stop := s.stop
	streams.Put(s)
	close(stop)
}

//want:silence
func TestReplyIsReceivedFirst(t *testing.T) {
	for range 20 {
		c := calls.Get().(*call)
		go (func() { c.reply <- c.n })()
		<-c.reply
		calls.Put(c)
	}
}

// A worker that New starts has the other end.
type lane struct{ jobs chan int }

var sum = make(chan int, 100)
var lanes = sync.Pool{New: func() any {
	jobs := make(chan int)
	go func() {
		for j := range jobs {
			sum <- j
		}
	}()
	return &lane{jobs: jobs}
}}

//want:silence
func TestWorkerWaitsForTheNextUser(t *testing.T) {
	for i := range 5 {
		l := lanes.Get().(*lane)
		l.jobs <- i
		lanes.Put(l)
	}
	for range 5 {
		<-sum
	}
}

// The same, by a function.
func drain(c <-chan int) {
	for j := range c {
		sum <- j
	}
}

var drains = sync.Pool{New: func() any {
	l := &lane{jobs: make(chan int)}
	go drain(l.jobs)
	return l
}}

//want:silence
func TestWorkerIsAFunction(t *testing.T) {
	for i := range 5 {
		l := drains.Get().(*lane)
		l.jobs <- i
		drains.Put(l)
	}
	for range 5 {
		<-sum
	}
}

// Each user makes a channel, and who waits may have it.
type event struct{ done chan struct{} }

var events = sync.Pool{New: func() any { return &event{} }}

func fire() <-chan struct{} {
	e := events.Get().(*event)
	e.done = make(chan struct{})
	defer events.Put(e)
	close(e.done)
	return e.done
}

//want:silence
func TestDoneIsReturned(t *testing.T) {
	one, two := fire(), fire()
	<-one
	<-two
}

// The library's own channels.
type waiter struct {
	tm  *time.Timer
	ctx context.Context
}

var waiters = sync.Pool{New: func() any {
	return &waiter{tm: time.NewTimer(time.Hour), ctx: context.Background()}
}}

//want:silence
func TestTimerFiresInThePool(t *testing.T) {
	w := waiters.Get().(*waiter)
	w.tm.Reset(time.Millisecond)
	c := w.ctx.Done()
	waiters.Put(w)
	select {
	case <-c:
	case <-time.After(5 * time.Millisecond):
	}
}

// A subscription that a hub holds.
type sub struct{ c chan int }

var hub struct {
	mu   sync.Mutex
	subs []chan int
}
var subs = sync.Pool{New: func() any {
	s := &sub{c: make(chan int, 100)}
	hub.mu.Lock()
	hub.subs = append(hub.subs, s.c)
	hub.mu.Unlock()
	return s
}}

//want:silence
func TestHubHasTheChannel(t *testing.T) {
	for range 3 {
		subs.Put(subs.Get().(*sub))
	}
	hub.mu.Lock()
	defer hub.mu.Unlock()
	for _, c := range hub.subs {
		c <- 1
	}
}
