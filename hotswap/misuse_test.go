package hotswap_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/poolproof/poolproof/hotswap"
	"github.com/poolproof/poolproof/internal/expect"
)

// What bad use does, in both builds unless a test says otherwise. Copies of
// guards are what go vet reports; here they are made on purpose.

func TestAnUpdateWithAUsedDraftIsRefused(t *testing.T) {
	p := hotswap.NewPool(options())
	a, b := hotswap.New(p), hotswap.New(p)
	d := p.Get()
	copied := copyOf(&d)
	third := copyOf(&d)
	if err := a.Update(&d); err != nil {
		t.Fatal(err)
	}
	if err := a.Update(&d); err != hotswap.ErrUsed {
		t.Errorf("a second Update returned %v, want ErrUsed", err)
	}
	if err := b.Update(copied); err != hotswap.ErrUsed {
		t.Errorf("an Update of another container by a copy returned %v, want ErrUsed", err)
	}
	third.Discard()
	d.Discard()
	if s := p.Stats(); s.Live != 1 || s.Spare != 0 || s.Drafts != 0 {
		t.Errorf("%+v, want one current value", s)
	}
	if err := a.Update(nil); err != hotswap.ErrUsed {
		t.Errorf("Update(nil) returned %v, want ErrUsed", err)
	}
	if err := a.Update(new(hotswap.Draft[config])); err != hotswap.ErrUsed {
		t.Errorf("Update with a zero Draft returned %v, want ErrUsed", err)
	}
}

func TestACopyOfADraftIsUselessAfterDiscard(t *testing.T) {
	p := hotswap.NewPool(options())
	c := hotswap.New(p)
	d := p.Get()
	copied, another := copyOf(&d), copyOf(&d)
	d.Discard()
	d.Discard()
	if d.Value() != nil {
		t.Error("a discarded draft has a value")
	}
	if err := c.Update(copied); err != hotswap.ErrUsed || copied.Value() != nil {
		t.Errorf("Update returned %v and left the value %v, want ErrUsed and none", err, copied.Value())
	}
	next := p.Get()  // the same slot, in another generation
	copied.Discard() // ended by Update
	another.Discard()
	if s := p.Stats(); s.Drafts != 1 {
		t.Errorf("%d drafts, want that of the other writer", s.Drafts)
	}
	if err := c.Update(&next); err != nil {
		t.Errorf("the draft of another writer was taken away: %v", err)
	}
}

func TestAnUpdateWithADraftOfAnotherPoolIsRefused(t *testing.T) {
	p, other := hotswap.NewPool(options()), hotswap.NewPool(options())
	c := hotswap.New(p)
	d := other.Get()
	if err := c.Update(&d); err != hotswap.ErrForeign || d.Value() == nil {
		t.Errorf("Update returned %v, draft %p; want ErrForeign and the draft left", err, d.Value())
	}
	d.Discard()
	if s := other.Stats(); s.Spare != 1 {
		t.Errorf("%+v, want the value back in its pool", s)
	}
}

func TestASecondReleaseByACopyPanicsWhenNobodyElseReads(t *testing.T) {
	p := hotswap.NewPool(options())
	c := hotswap.New(p)
	publish(t, c, p, 1)
	ref := c.Acquire()
	copied, another := copyOf(&ref), copyOf(&ref)
	ref.Release()
	text := expect.Panic(copied.Release)
	cloned := expect.Panic(func() { another.Clone() })
	if !checkedBuild {
		expect.InOrder(t, text, "hotswap: a value was released more often than acquired")
		expect.InOrder(t, cloned, "hotswap: a value was released more often than acquired")
	} else {
		expect.InOrder(t, text, "hotswap: Release of a Ref that was released before")
		expect.InOrder(t, cloned, "hotswap: Clone of a Ref that was released before")
	}
	if current(c) != 1 {
		t.Error("the current value is gone")
	}
	for i := range 10 { // the pool is sound
		publish(t, c, p, i+2)
		if current(c) != i+2 {
			t.Errorf("version %d is current, want %d", current(c), i+2)
		}
	}
	if s := p.Stats(); s.Outstanding != 0 || s.Retired != 0 {
		t.Errorf("%+v, want no holds", s)
	}
}

func TestASecondReleaseAfterTheValueWasUsedAgainPanicsWithBothGenerations(t *testing.T) {
	p := hotswap.NewPool(options())
	c := hotswap.New(p)
	publish(t, c, p, 1)
	ref := c.Acquire()
	copied, another := copyOf(&ref), copyOf(&ref)
	ref.Release()
	for i := range 4 {
		publish(t, c, p, i+2)
	}
	if checkedBuild {
		expect.InOrder(t, expect.Panic(copied.Release), "hotswap: Release of a Ref that was released before", "it was acquired at\n", "released at\n", "and now used at\n")
		expect.InOrder(t, expect.Panic(func() { another.Clone() }), "hotswap: Clone of a Ref that was released before")
		return
	}
	expect.InOrder(t, expect.Panic(copied.Release), "hotswap: Release of a value that was released before: it was acquired in generation ", " of its slot, which is in generation ")
	expect.InOrder(t, expect.Panic(func() { another.Clone() }), "hotswap: Clone of a value that was released before")
}

// A second Release that takes the hold of another reader cannot be told from
// that reader's, without Trace. The other one's Release then is one too many.
func TestASecondReleaseWhileOthersReadIsFoundByTheirRelease(t *testing.T) {
	o := options()
	o.Shards = 1
	drops := 0
	o.OnDrop = func(*config) { drops++ }
	p := hotswap.NewPool(o)
	c := hotswap.New(p)
	publish(t, c, p, 1)
	victim := c.Acquire()
	ref := c.Acquire()
	copied := copyOf(&ref)
	ref.Release()
	if checkedBuild {
		expect.InOrder(t, expect.Panic(copied.Release), "hotswap: Release of a Ref that was released before")
		victim.Release()
		if s := p.Stats(); s.Outstanding != 0 {
			t.Errorf("%d holds are left", s.Outstanding)
		}
		return
	}
	copied.Release() // silent
	x := victim.Value()
	expect.InOrder(t, expect.Panic(victim.Release), "released more often than acquired: by this call or, if a copied Ref was released, by another before it")
	// Somebody may still use the value: it is never used again, nor closed.
	publish(t, c, p, 2)
	for range 3 {
		d := p.Get()
		if d.Value() == x {
			t.Error("a value that was released too often is used again")
		}
		if err := c.Update(&d); err != nil {
			t.Fatal(err)
		}
	}
	if drops != 0 {
		t.Error("OnDrop was called for it")
	}
	if s := p.Stats(); s.Drops != 1 || s.Slots != 2 {
		t.Errorf("%+v, want one value given up and its slot used again", s)
	}
}

func TestWhoHoldsTheLastFreeValueWaitsForItself(t *testing.T) {
	o := traced()
	o.MaxLive = 2
	p := hotswap.NewPool(o)
	c := hotswap.New(p)
	publish(t, c, p, 1)
	mine := acquireHere(c)
	publish(t, c, p, 2)
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	_, err := p.GetContext(ctx)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("GetContext returned %v, want that the time is over", err)
	}
	expect.InOrder(t, err.Error(), "GetContext waited for a free value; the pool has 2 values: 1 current, 1 replaced and still read, 0 drafts, 0 free",
		"context deadline exceeded", "Ref to generation 1 acquired", "acquireHere", "TestWhoHoldsTheLastFreeValueWaitsForItself")
	mine.Release()
	publish(t, c, p, 3)
}

func TestForgottenReleasesStopAtMaxLive(t *testing.T) {
	o := options()
	o.MaxLive = 4
	p := hotswap.NewPool(o)
	c := hotswap.New(p)
	var forgotten []hotswap.Ref[config]
	var err error
	for range 100 {
		var d hotswap.Draft[config]
		if d, err = p.TryGet(); err != nil {
			break
		}
		if err := c.Update(&d); err != nil {
			t.Fatal(err)
		}
		forgotten = append(forgotten, c.Acquire())
	}
	if s := p.Stats(); s.News != 4 || err != hotswap.ErrLimit || s.Outstanding != 4 || s.OldestRetired <= 0 {
		t.Errorf("%d values made, then %v, %d holds, the oldest since %v; want 4, ErrLimit, 4, and more than nothing", s.News, err, s.Outstanding, s.OldestRetired)
	}
	for i := range forgotten {
		forgotten[i].Release()
	}
}
