package mdnsreceive

import (
	"context"
	"sync"
	"time"
)

// limit is a deadline as a context, for a reader that takes no other: it is
// moved without making a new context, as a socket's deadline is moved without an
// allocation.
type limit struct {
	mu    *sync.Mutex
	state *limitState
}

// limitState is guarded by limit.mu.
type limitState struct {
	timer  *time.Timer // calls limit.end
	ctx    context.Context
	cancel context.CancelFunc
}

func newLimit() limit {
	l := limit{mu: new(sync.Mutex), state: new(limitState)}
	l.state.ctx, l.state.cancel = context.WithCancel(context.Background())
	l.state.timer = time.AfterFunc(time.Hour, l.end)
	l.state.timer.Stop()
	return l
}

// extend moves the end to lossTimeout from now.
func (l limit) extend() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state.timer.Reset(lossTimeout)
	if l.state.ctx.Err() != nil {
		l.state.ctx, l.state.cancel = context.WithCancel(context.Background())
	}
}

// end is the end.
func (l limit) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state.timer.Stop()
	l.state.cancel()
}

// context returns the context that ends then.
func (l limit) context() context.Context {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state.ctx
}
