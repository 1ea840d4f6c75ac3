package hotswap_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poolproof/poolproof/hotswap"
	"github.com/poolproof/poolproof/internal/expect"
)

// These tests know that somebody waits, and end if nobody ever wakes them: a
// bubble of synctest panics when all its goroutines are blocked. Its clock stands
// while one is not.

func TestAContextThatEndsWhileSomebodyWaitsNamesTheHolders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := traced()
		o.MaxLive = 2
		p := hotswap.NewPool(o)
		c := hotswap.New(p)
		publish(t, c, p, 1)
		ref := acquireHere(c)
		draft := getHere(p)
		calls := map[string]func(context.Context) error{
			"GetContext": func(ctx context.Context) error { _, err := p.GetContext(ctx); return err },
			"RCU": func(ctx context.Context) error {
				return c.RCU(ctx, func(_, _ *config) error { return nil })
			},
		}
		for name, call := range calls {
			ctx, cancel := context.WithCancel(context.Background())
			waiting := make(chan error)
			go func() { waiting <- call(ctx) }()
			synctest.Wait()
			select {
			case err := <-waiting:
				t.Fatalf("%s does not wait: %v", name, err)
			default:
			}
			cancel()
			err := <-waiting
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s returned %v, want that its context has ended", name, err)
			}
			expect.InOrder(t, err.Error(), name+" waited for a free value; the pool has 2 values: 1 current, 0 replaced and still read, 1 drafts, 0 free",
				"context canceled", "Ref to generation 1 acquired", "acquireHere", "Draft acquired", "getHere")
		}
		ref.Release()
		draft.Discard()
	})
}

func TestRCUHoldsNothingWhileItWaitsForAFreeValue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := options()
		o.MaxLive = 2
		p := hotswap.NewPool(o)
		c := hotswap.New(p)
		publish(t, c, p, 1)
		d := p.Get()
		d.Value().version = 2
		done := make(chan error)
		go func() {
			done <- c.RCU(context.Background(), func(next, cur *config) error { next.version = cur.version + 1; return nil })
		}()
		synctest.Wait()
		if err := c.Update(&d); err != nil { // version 1 becomes free, if RCU does not hold it
			t.Error(err)
		}
		if err := <-done; err != nil || current(c) != 3 {
			t.Errorf("RCU returned %v, and version %d is current, want 3", err, current(c))
		}
	})
}

func TestOldestRetiredIsTheTimeSinceTheFirstReplacement(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := hotswap.NewPool(options())
		c := hotswap.New(p)
		var refs []*hotswap.Ref[config]
		for version := range 3 {
			publish(t, c, p, version+1)
			r := new(hotswap.Ref[config])
			*r = c.Acquire()
			refs = append(refs, r)
			time.Sleep(time.Duration(version+3) * time.Second) // 3, 4, 5
		}
		if age := p.Stats().OldestRetired; age != 9*time.Second {
			t.Errorf("the oldest was replaced %v ago, want 9s", age)
		}
		refs[0].Release()
		if age := p.Stats().OldestRetired; age != 5*time.Second {
			t.Errorf("then the oldest was replaced %v ago, want 5s", age)
		}
		refs[1].Release()
		if age := p.Stats().OldestRetired; age != 0 {
			t.Errorf("%v, when nothing that was replaced is read", age)
		}
		refs[2].Release()
	})
}

func TestCloseOfAPoolWakesAllThatWaitForAValue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := options()
		o.MaxLive = 2
		p := hotswap.NewPool(o)
		c := hotswap.New(p)
		one, two := p.Get(), p.Get() // nothing is free, so that nothing but Close wakes those who wait
		const waiters = 3
		waiting := make(chan error, waiters)
		for range waiters - 1 {
			go func() { _, err := p.GetContext(context.Background()); waiting <- err }()
		}
		go func() {
			waiting <- c.RCU(context.Background(), func(_, _ *config) error { return nil })
		}()
		synctest.Wait()
		if err := p.Close(ended()); !errors.Is(err, context.Canceled) {
			t.Errorf("Close returned %v while drafts were out", err)
		}
		for range waiters {
			if err := <-waiting; err != hotswap.ErrClosed {
				t.Errorf("a waiter got %v, want ErrClosed", err)
			}
		}
		one.Discard()
		two.Discard()
		if err := p.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
}
