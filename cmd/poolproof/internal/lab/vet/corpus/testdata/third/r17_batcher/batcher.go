// Package batcher collects points and writes them in batches: when one is full, and at each tick.
package batcher

import (
	"context"
	"sync"
	"time"
)

// Point is one measurement.
type Point struct {
	Name  string
	At    time.Time
	Value float64
}

type batch struct {
	points []Point
}

const full = 500

var batches = sync.Pool{New: func() any { return &batch{points: make([]Point, 0, full)} }}

// Batcher forwards points to a sink.
type Batcher struct {
	in    chan Point
	ready chan *batch
	sink  func([]Point)
}

// New returns a Batcher. sink must not keep the points.
func New(sink func([]Point)) *Batcher {
	return &Batcher{in: make(chan Point), ready: make(chan *batch, 2), sink: sink}
}

// Add adds a point.
func (b *Batcher) Add(p Point) { b.in <- p }

// Run works until ctx ends, and returns when all is written.
func (b *Batcher) Run(ctx context.Context, every time.Duration) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		b.write()
	}()
	b.collect(ctx, every)
	<-done
}

func (b *Batcher) collect(ctx context.Context, every time.Duration) {
	defer close(b.ready)
	tick := time.NewTicker(every)
	defer tick.Stop()
	cur := batches.Get().(*batch)
	for {
		select {
		case p := <-b.in:
			cur.points = append(cur.points, p)
			if len(cur.points) < full {
				continue
			}
		case <-tick.C:
			if len(cur.points) == 0 {
				continue
			}
		case <-ctx.Done():
			b.ready <- cur
			return
		}
		b.ready <- cur
		cur = batches.Get().(*batch)
	}
}

func (b *Batcher) write() {
	for x := range b.ready {
		if len(x.points) > 0 {
			b.sink(x.points)
		}
		clear(x.points)
		x.points = x.points[:0]
		batches.Put(x)
	}
}
