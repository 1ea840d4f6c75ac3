package flow

import (
	"sync/atomic"
	"time"
)

// far is how many jobs may be in results, and values in them: those that wait for one that
// takes long.
func far(workers int, ordered bool) int {
	if !ordered {
		return 2 * workers
	}
	return max(2*workers, min(256*workers, 8192))
}

// lead is by how much the dispatcher of a parallel map in order is ahead of the consumer:
// the jobs that it has handed out and the consumer has not asked for. While the consumer
// works, as many wait as keep the workers busy. While it waits for a job that takes long,
// workers go on with some values after that, else one slow value would stop them all.
type lead struct {
	near  int64         // jobs while the consumer works
	far   int64         // values while it waits for long
	chunk *atomic.Int64 // values in a job

	jobs    atomic.Int64
	stuck   atomic.Bool   // the consumer waits for a job to be done
	long    atomic.Bool   // and has for long
	timer   *time.Timer   // of the dispatcher
	blocked atomic.Bool   // the dispatcher waits for jobs or stuck to change
	moved   chan struct{} // has a token when they have
}

// begin makes l ready for a run; its timer has to be stopped after that.
func (l *lead) begin(workers, results int, chunk *atomic.Int64) {
	l.near, l.far, l.chunk = int64(2*workers), int64(results), chunk
	l.moved = make(chan struct{}, 1)
	l.timer = time.NewTimer(time.Hour)
	l.timer.Stop()
}

// room reports whether the dispatcher may hand out one more job.
func (l *lead) room() bool {
	n := l.jobs.Load()
	return n < l.near || l.long.Load() && n*l.chunk.Load() < l.far
}

// long is how long the consumer waits for one job before others may pass it. Tests of how
// often a run allocates change it: a busy machine makes any job take long.
var long = 50 * time.Microsecond

// grow is called by the dispatcher before it hands out a job: it waits for room.
func (l *lead) grow(r *run) error {
	for !l.room() {
		l.blocked.Store(true)
		if l.room() { // it came before the consumer could see that
			break
		}
		var tooLong <-chan time.Time
		if l.stuck.Load() && !l.long.Load() {
			l.timer.Reset(long)
			tooLong = l.timer.C
		}
		select {
		case <-l.moved:
		case <-tooLong:
			l.long.Store(true)
			if !l.stuck.Load() { // it got the job meanwhile, and cleared long before
				l.long.Store(false)
			}
		case <-r.ctx.Done():
			return r.ended()
		}
	}
	l.jobs.Add(1)
	return nil
}

// shrink is called by the consumer when it asks for a job.
func (l *lead) shrink() {
	l.jobs.Add(-1)
	l.move()
}

// stick is called by the consumer when the job that it asks for is not done.
func (l *lead) stick() {
	l.stuck.Store(true)
	l.move()
}

// loosen is called when the wait after stick is over.
func (l *lead) loosen() {
	l.stuck.Store(false)
	l.long.Store(false)
}

// move tells the dispatcher, if it waits, that there may be room, or soon.
func (l *lead) move() {
	if l.blocked.Load() {
		l.blocked.Store(false)
		select {
		case l.moved <- struct{}{}:
		default:
		}
	}
}
