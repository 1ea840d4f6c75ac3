package hotswap_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/hotswap"
	"github.com/poolproof/poolproof/internal/expect"
)

func traced() hotswap.Options[config] {
	o := options()
	o.Trace = true
	return o
}

//go:noinline
func acquireHere(c *hotswap.Container[config]) hotswap.Ref[config] { return c.Acquire() }

//go:noinline
func loadHere(r *hotswap.Reader[config]) *config { return r.Load() }

//go:noinline
func getHere(p *hotswap.Pool[config]) hotswap.Draft[config] { return p.Get() }

//go:noinline
func releaseHere(r *hotswap.Ref[config]) { r.Release() }

func TestOutstandingNamesAllHoldersInTheirOrder(t *testing.T) {
	p := hotswap.NewPool(traced())
	c := hotswap.New(p)
	if got := p.Outstanding(); got != nil {
		t.Errorf("an unused pool has holders: %v", got)
	}
	publish(t, c, p, 1)
	ref := acquireHere(c)
	clone := ref.Clone()
	reader := c.Reader()
	loadHere(&reader)
	draft := getHere(p)
	holders := p.Outstanding()
	if len(holders) != 4 {
		t.Fatalf("%d holders, want 4: %v", len(holders), holders)
	}
	for i, want := range []struct {
		kind       string
		generation uint64
		where      string
	}{{"Ref", 1, "acquireHere"}, {"Ref", 1, "TestOutstanding"}, {"Reader", 1, "loadHere"}, {"Draft", 0, "getHere"}} {
		h := holders[i]
		if h.Kind != want.kind || h.Generation != want.generation || h.Leaked || time.Since(h.Since) > time.Hour {
			t.Errorf("holder %d is %+v, want %+v", i, h, want)
		}
		expect.InOrder(t, h.Stack, want.where, "trace_test.go:")
		if strings.Contains(h.Stack, "hotswap.(*") || strings.Contains(h.Stack, "hotswap.trace") {
			t.Errorf("frames of the library are in\n%s", h.Stack)
		}
	}
	expect.InOrder(t, holders[0].String(), "Ref to generation 1 acquired ", " ago at\n", "acquireHere")
	moved := clone.Move()
	part := hotswap.Map(&moved, func(x *config) *int { return &x.version })
	if n := len(p.Outstanding()); n != 4 {
		t.Errorf("%d holders after Move and Map, want 4", n)
	}
	part.Release()
	ref.Release()
	reader.Release()
	draft.Discard()
	if got := p.Outstanding(); got != nil {
		t.Errorf("after all were released there are holders: %v", got)
	}
	if s := p.Stats(); s.Outstanding != 0 {
		t.Errorf("%d holds are left", s.Outstanding)
	}
}

func TestWithoutTraceThereAreNoHolders(t *testing.T) {
	if checkedBuild {
		t.Skip("the checked build always traces")
	}
	p := hotswap.NewPool(options())
	c := hotswap.New(p)
	publish(t, c, p, 1)
	ref := c.Acquire()
	defer ref.Release()
	if got := p.Outstanding(); got != nil {
		t.Errorf("%v", got)
	}
}

func TestErrorsOfWaitingCallsNameTheHolders(t *testing.T) {
	o := traced()
	o.MaxLive = 2
	p := hotswap.NewPool(o)
	c := hotswap.New(p)
	publish(t, c, p, 1)
	ref := acquireHere(c)
	draft := getHere(p)
	for name, call := range map[string]func() error{
		"GetContext": func() error { _, err := p.GetContext(ended()); return err },
		"RCU":        func() error { return c.RCU(ended(), func(_, _ *config) error { return nil }) },
	} {
		err := call()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s returned %v, want that its context has ended", name, err)
		}
		expect.InOrder(t, err.Error(), name+" waited", "the pool has 2 values: 1 current", "context canceled", "Ref to generation 1 acquired", "acquireHere", "Draft acquired", "getHere")
	}
	draft.Discard()
	publish(t, c, p, 2)
	for name, call := range map[string]func() error{
		"Synchronize":     func() error { return c.Synchronize(ended()) },
		"Close of a Pool": func() error { return p.Close(ended()) },
	} {
		err := call()
		expect.InOrder(t, err.Error(), name+" waited", "1 replaced and still read", "Ref to generation 1 acquired", "acquireHere")
	}
	expect.InOrder(t, c.Close(ended()).Error(), "Close waited for readers", "acquireHere")
	ref.Release()
}

func TestTracedASecondReleaseByACopyPanicsWithThreeStacks(t *testing.T) {
	p := hotswap.NewPool(traced())
	c := hotswap.New(p)
	publish(t, c, p, 1)
	others := []hotswap.Ref[config]{c.Acquire(), c.Acquire()} // same generation, maybe the same shard
	ref := acquireHere(c)
	copied, another := copyOf(&ref), copyOf(&ref)
	releaseHere(&ref)
	text := expect.Panic(func() { copied.Release() })
	expect.InOrder(t, text, "hotswap: Release of a Ref that was released before", "it was acquired at\n", "acquireHere", "released at\n", "releaseHere", "and now used at\n", "TestTracedASecondRelease")
	text = expect.Panic(func() { another.Clone() })
	expect.InOrder(t, text, "hotswap: Clone of a Ref that was released before")
	if s := p.Stats(); s.Outstanding != 2 {
		t.Errorf("%d holds, want the 2 of others", s.Outstanding)
	}
	others[0].Release()
	others[1].Release()
}

// drop forgets a guard, out of the caller's frame.
//
//go:noinline
func drop(take func()) { take() }

func TestADroppedGuardIsReportedAndItsValueStaysHeld(t *testing.T) {
	leaks := make(chan hotswap.Holder, 8)
	o := traced()
	o.OnLeak = func(l hotswap.Holder) { leaks <- l }
	p := hotswap.NewPool(o)
	c := hotswap.New(p)
	publish(t, c, p, 1)
	for kind, take := range map[string]func(){
		"Ref":    func() { r := acquireHere(c); runtime.KeepAlive(r.Value()) },
		"Reader": func() { r := c.Reader(); loadHere(&r) },
		"Draft":  func() { d := getHere(p); runtime.KeepAlive(d.Value()) },
	} {
		before := p.Stats()
		drop(take)
		var leak hotswap.Holder
		expect.Eventually(t, "reported as a leak", func() bool {
			runtime.GC()
			select {
			case leak = <-leaks:
				return true
			default:
				return false
			}
		})
		if leak.Kind != kind || !leak.Leaked {
			t.Errorf("%+v, want a %s", leak, kind)
		}
		expect.InOrder(t, leak.Stack, "Here", "trace_test.go:")
		expect.InOrder(t, leak.String(), kind, "dropped without Release")
		after := p.Stats()
		if after.Outstanding+int64(after.Drafts) != before.Outstanding+int64(before.Drafts)+1 {
			t.Errorf("%d holds and %d drafts after a %s was dropped, %d and %d before: it must stay held", after.Outstanding, after.Drafts, kind, before.Outstanding, before.Drafts)
		}
	}
	if n := len(p.Outstanding()); n != 3 {
		t.Errorf("%d holders, want the 3 that were dropped", n)
	}
	ref := c.Acquire()
	ref.Release()
	runtime.GC()
	runtime.GC()
	select {
	case leak := <-leaks:
		t.Errorf("what was released is reported: %v", leak)
	default:
	}
}
