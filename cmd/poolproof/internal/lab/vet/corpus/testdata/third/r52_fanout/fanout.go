// Package fanout sends each tick of a market to all subscribers, from one shared buffer.
package fanout

import (
	"fmt"
	"io"
	"log"
	"sync"
	"time"

	"github.com/poolproof/poolproof/buffer"
)

var ticks = buffer.New(buffer.Options{Name: "ticks"})

// Tick is a price.
type Tick struct {
	Symbol string
	Cents  int64
	At     time.Time
}

type subscriber struct {
	w     io.Writer
	queue chan *buffer.Shared
}

func (s *subscriber) run() {
	for tick := range s.queue {
		if _, err := s.w.Write(tick.Bytes()); err != nil {
			log.Print(err)
		}
		tick.Release()
	}
}

// Hub has subscribers.
type Hub struct {
	mu   sync.Mutex
	subs map[*subscriber]bool
	lost int
}

// Subscribe sends all ticks to w until the returned function is called.
func (h *Hub) Subscribe(w io.Writer) (end func()) {
	s := &subscriber{w, make(chan *buffer.Shared, 32)}
	go s.run()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.subs == nil {
		h.subs = make(map[*subscriber]bool)
	}
	h.subs[s] = true
	return sync.OnceFunc(func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.subs, s)
		close(s.queue)
	})
}

// Publish sends t. A subscriber whose queue is full misses it.
func (h *Hub) Publish(t Tick) {
	b := ticks.Append()
	fmt.Fprintf(b, "%s %d.%02d %s\n", t.Symbol, t.Cents/100, t.Cents%100, t.At.Format(time.RFC3339))
	shared := b.Share()
	defer shared.Release()

	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.subs {
		one := shared.Retain()
		select {
		case s.queue <- one:
		default:
			one.Release()
			h.lost++
		}
	}
}
