package main

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poolproof/poolproof/systems/flow"
)

func TestTheSourceIsHeldUpAndTheStatisticsSayWhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &pipeline{events: 2000, store: &store{pause: time.Second}, watch: flow.NewWatch("test")}
		made := 0
		if err := p.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if p.store.events != 2000 || p.store.groups != 40 {
			t.Errorf("%d events in %d groups, want 2000 in 40", p.store.events, p.store.groups)
		}
		for _, s := range p.watch.Stats() {
			if s.Stage == "window" && s.Blocked < 30*time.Second {
				t.Errorf("the window blocked for %v, of 40s", s.Blocked)
			}
			if s.Stage == "window" && s.Starved > time.Second {
				t.Errorf("the window waited for %v", s.Starved)
			}
			made++
		}
		if made != 3 {
			t.Errorf("%d stages", made)
		}
		var out strings.Builder
		p.report(&out)
		if !strings.HasPrefix(out.String(), "2000 events in 40 groups\n") {
			t.Error(out.String())
		}
	})
}

// However slow the store is, only a few batches of events exist.
func TestMemoryIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &pipeline{events: 1 << 40, store: &store{pause: time.Hour}, watch: flow.NewWatch("test")}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- p.run(ctx) }()
		time.Sleep(30 * time.Minute)
		synctest.Wait()
		if s := p.watch.Stats()[0]; s.Values > 5*50 {
			t.Errorf("%d events were made while the store was busy with its first group", s.Values)
		}
		cancel()
		if err := <-done; err != context.Canceled {
			t.Errorf("error %v", err)
		}
	})
}

func TestThePicture(t *testing.T) {
	want := `1: source
   event
   → 2
2: window, of 50 or 100ms
   → the sink
`
	if got := flow.Describe((&pipeline{watch: flow.NewWatch("")}).groups()); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
