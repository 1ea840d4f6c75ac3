// Package batcher collects points and sends them in batches: when one is full, and at each tick.
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

// Run forwards what comes from in until it is closed or ctx ends. What is sent to out belongs to
// the receiver.
func Run(ctx context.Context, in <-chan Point, out chan<- []Point, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()

	cur := batches.Get().(*batch)
	cur.points = cur.points[:0]
	defer func() { batches.Put(cur) }()

	for {
		select {
		case p, ok := <-in:
			if !ok {
				if len(cur.points) > 0 {
					out <- append([]Point(nil), cur.points...)
				}
				return
			}
			cur.points = append(cur.points, p)
			if len(cur.points) == full {
				out <- append([]Point(nil), cur.points...)
				cur.points = cur.points[:0]
			}
		case <-tick.C:
			if len(cur.points) > 0 {
				out <- cur.points // want PV004
				batches.Put(cur)
				cur = batches.Get().(*batch)
				cur.points = cur.points[:0]
			}
		case <-ctx.Done():
			return
		}
	}
}
