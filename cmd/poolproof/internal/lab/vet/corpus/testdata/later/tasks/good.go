// Package tasks is right.
package tasks

import (
	"context"
	"errors"
	"sync"
)

type task struct {
	fn  func(context.Context) error
	res chan error
}

var tasks = sync.Pool{New: func() any { return &task{res: make(chan error, 1)} }}

type Pool struct {
	ch   chan *task
	wg   sync.WaitGroup
	stop chan struct{}
}

var ErrStopped = errors.New("stopped")

func (p *Pool) Submit(fn func(context.Context) error) error {
	t := tasks.Get().(*task)
	t.fn = fn
	select {
	case p.ch <- t:
		return nil
	case <-p.stop:
		t.fn = nil
		tasks.Put(t)
		return ErrStopped
	}
}

func (p *Pool) Start(ctx context.Context, n int) {
	for range n {
		p.wg.Add(1)
		go func() {
			defer p.wg.Done()
			for {
				select {
				case t := <-p.ch:
					_ = t.fn(ctx)
					t.fn = nil
					tasks.Put(t)
				case <-p.stop:
					return
				}
			}
		}()
	}
}
