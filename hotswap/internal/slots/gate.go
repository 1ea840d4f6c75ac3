package slots

import (
	"context"

	"github.com/poolproof/poolproof/hotswap/internal/atom"
)

// Gate is where goroutines wait for a slot to change. The zero value is ready.
//
//	for {
//		change := gate.Raise()
//		if done() { return }     // after Raise
//		change.Wait(...)
//	}
//
// Whoever changes a slot calls Pass after that. Nothing is missed: if the change
// comes before done looks, done sees it. If it comes after, then Pass reads
// the flag after Raise has raised it. It is still up, or another Pass has
// lowered it; either way one that came after Raise lowered it and made the event
// happen, which Raise had returned: Raise takes the event and raises the flag,
// and Pass lowers the flag and fires the event, under one mutex.
type Gate struct {
	raised atom.Bool // a goroutine may be waiting
	mu     atom.Mutex
	change atom.Event // not nil while raised
}

// Raise announces that the caller is going to wait, and returns for what.
func (g *Gate) Raise() atom.Event {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.change == nil {
		g.change = atom.NewEvent()
		g.raised.Store(true)
	}
	return g.change
}

// Pass wakes all who wait. It costs one load if none does.
func (g *Gate) Pass() {
	if !g.raised.Load() {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.change != nil {
		g.raised.Store(false)
		g.change.Happen()
		g.change = nil
	}
}

// Await returns nil when done does, when other has happened, or the error of ctx
// when that ends before. done is called now and after each change. A nil ctx
// never ends, a nil other never happens.
func (g *Gate) Await(ctx context.Context, other atom.Event, done func() bool) error {
	for {
		change := g.Raise()
		if done() || other != nil && other.Happened() {
			return nil
		}
		if err := change.Wait(ctx, other); err != nil {
			return err
		}
	}
}
