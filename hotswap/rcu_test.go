package hotswap_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"

	"github.com/poolproof/poolproof/hotswap"
	"github.com/poolproof/poolproof/internal/expect"
)

func TestRCULosesNoUpdate(t *testing.T) {
	o := options()
	o.MaxLive = 4
	p := hotswap.NewPool(o)
	c := hotswap.New(p)
	const writers, each = 8, 200
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			for range each {
				err := c.RCU(context.Background(), func(next, cur *config) error {
					if cur != nil {
						next.version = cur.version
					}
					next.version++
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if got := current(c); got != writers*each {
		t.Errorf("%d increments arrived, want %d", got, writers*each)
	}
}

func TestRCUBuildsAgainWhenAnUpdateComesBetween(t *testing.T) {
	p := hotswap.NewPool(options())
	c := hotswap.New(p)
	publish(t, c, p, 1)
	calls := 0
	err := c.RCU(context.Background(), func(next, cur *config) error {
		calls++
		if len(next.names) != 0 {
			t.Error("the draft was not reset")
		}
		next.names["a"] = "b"
		next.version = cur.version + 1
		if calls == 1 {
			publish(t, c, p, 10)
		}
		return nil
	})
	if err != nil || calls != 2 || current(c) != 11 {
		t.Errorf("%v after %d builds, version %d; want version 11 after 2", err, calls, current(c))
	}
}

func TestRCUPublishesNothingIfBuildFails(t *testing.T) {
	p := hotswap.NewPool(options())
	c := hotswap.New(p)
	publish(t, c, p, 1)
	wrong := errors.New("wrong")
	if err := c.RCU(context.Background(), func(_, _ *config) error { return wrong }); err != wrong {
		t.Errorf("RCU returned %v, want build's error", err)
	}
	if got := expect.Panic(func() { _ = c.RCU(context.Background(), func(_, _ *config) error { panic("boom") }) }); got != "boom" {
		t.Errorf("RCU panicked with %q", got)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = c.RCU(context.Background(), func(_, _ *config) error { runtime.Goexit(); return nil })
	}()
	<-done
	if s := p.Stats(); s.Drafts != 0 || s.Outstanding != 0 || current(c) != 1 {
		t.Errorf("%+v and version %d, want no draft, no hold, version 1", s, current(c))
	}
	if err := c.RCU(ended(), func(next, _ *config) error { next.version = 2; return nil }); err != nil || current(c) != 2 {
		t.Errorf("a free RCU, which waits for nothing: %v", err)
	}
}

func TestRCUWaitsForItsTurnUntilItsContextEndsOrTheContainerCloses(t *testing.T) {
	p := hotswap.NewPool(options())
	c := hotswap.New(p)
	publish(t, c, p, 1)
	inside, leave := make(chan bool), make(chan bool)
	first := make(chan error)
	go func() {
		first <- c.RCU(context.Background(), func(_, _ *config) error {
			inside <- true
			<-leave
			return nil
		})
	}()
	<-inside
	err := c.RCU(ended(), func(_, _ *config) error { t.Error("two builds at a time"); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("RCU returned %v, want that its context has ended", err)
	}
	expect.InOrder(t, err.Error(), "RCU waited for another build")
	waiting := make(chan error)
	go func() { waiting <- c.RCU(context.Background(), func(_, _ *config) error { return nil }) }()
	_ = c.Close(ended())
	if err := <-waiting; err != hotswap.ErrClosed {
		t.Errorf("who waited got %v, want ErrClosed", err)
	}
	leave <- true
	if err := <-first; err != hotswap.ErrClosed {
		t.Errorf("who was building got %v, want ErrClosed", err)
	}
	if err := c.Close(context.Background()); err != nil {
		t.Error(err)
	}
}

func TestRCUWaitsForAFreeValueUntilTheContainerCloses(t *testing.T) {
	o := options()
	o.MaxLive = 2
	p := hotswap.NewPool(o)
	c := hotswap.New(p)
	publish(t, c, p, 1)
	d := p.Get()
	err := c.RCU(ended(), func(_, _ *config) error { return nil })
	expect.InOrder(t, err.Error(), "RCU waited for a free value")
	waiting := make(chan error)
	go func() { waiting <- c.RCU(context.Background(), func(_, _ *config) error { return nil }) }()
	if err := c.Close(context.Background()); err != nil {
		t.Error(err)
	}
	if err := <-waiting; err != nil && err != hotswap.ErrClosed {
		t.Errorf("who waited got %v", err)
	}
	d.Discard()
}

func TestRCUEndsWithItsContextBetweenBuilds(t *testing.T) {
	p := hotswap.NewPool(options())
	c := hotswap.New(p)
	publish(t, c, p, 1)
	ctx, cancel := context.WithCancel(context.Background())
	builds := 0
	err := c.RCU(ctx, func(next, cur *config) error {
		builds++
		publish(t, c, p, 10+builds) // somebody is faster
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) || builds != 1 {
		t.Errorf("%v after %d builds, want that the context has ended, after 1", err, builds)
	}
	if s := p.Stats(); s.Drafts != 0 || s.Outstanding != 0 {
		t.Errorf("%+v: RCU left something behind", s)
	}
	if err := c.RCU(context.Background(), func(_, _ *config) error { return nil }); err != nil {
		t.Errorf("the next RCU: %v", err)
	}
}

func TestRCUGivesUpWhenItIsOvertakenAgainAndAgain(t *testing.T) {
	p := hotswap.NewPool(options())
	c := hotswap.New(p)
	builds := 0
	err := c.RCU(context.Background(), func(_, _ *config) error {
		builds++
		publish(t, c, p, builds)
		return nil
	})
	if err != hotswap.ErrOvertaken || builds != 32 || current(c) != builds {
		t.Errorf("%v after %d builds, version %d is current; want ErrOvertaken after 32", err, builds, current(c))
	}
}
