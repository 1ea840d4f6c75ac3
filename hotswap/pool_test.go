package hotswap_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/hotswap"
	"github.com/poolproof/poolproof/internal/expect"
	"github.com/poolproof/poolproof/internal/gcepoch"
)

func TestOptionsThatMakeNoSensePanicWithTheField(t *testing.T) {
	create := func() *config { return new(config) }
	for field, o := range map[string]hotswap.Options[config]{
		"Options.New is nil":                 {},
		"Options.ResetOn is 7":               {New: create, ResetOn: 7},
		"Options.Keep is -2":                 {New: create, Keep: -2},
		"Options.MaxLive is -1":              {New: create, MaxLive: -1},
		"Options.MaxLive is 1; it must be":   {New: create, MaxLive: 1},
		"Options.Shards is -1":               {New: create, Shards: -1},
		"Options.OnLeak needs Options.Trace": {New: create, OnLeak: func(hotswap.Holder) {}},
	} {
		if got := expect.Panic(func() { hotswap.NewPool(o) }); !strings.Contains(got, field) {
			t.Errorf("NewPool panicked with %q, want %q", got, field)
		}
	}
}

//poolproof:ignore it looks at a value that waits for a writer
func TestAValueIsUsedAgainOnceItsLastReaderHasLeft(t *testing.T) {
	for _, shards := range []int{1, 2, 5, 8, 10_000} {
		o := options()
		o.Shards = shards
		p := hotswap.NewPool(o)
		c := hotswap.New(p)
		publish(t, c, p, 1)
		first := c.Acquire()
		x := first.Value()
		publish(t, c, p, 2)

		d := p.Get()
		if d.Value() == x {
			t.Fatal("a value that is read has a writer")
		}
		d.Discard()
		first.Release()
		a, b := p.Get(), p.Get()
		if a.Value() != x && b.Value() != x {
			t.Error("a value that nobody reads was not used again")
		}
		if x.version != 0 {
			t.Errorf("a writer gets version %d, want it reset", x.version)
		}
		a.Discard()
		b.Discard()
	}
}

func TestResetRunsWhenItShould(t *testing.T) {
	for _, when := range []hotswap.ResetTime{hotswap.OnGet, hotswap.OnRelease} {
		resets := 0
		p := hotswap.NewPool(hotswap.Options[config]{
			New:     func() *config { return new(config) },
			Reset:   func(*config) bool { resets++; return true },
			ResetOn: when,
		})
		c := hotswap.New(p)
		publish(t, c, p, 1)
		ref := c.Acquire()
		publish(t, c, p, 2)
		if resets != 0 {
			t.Fatalf("%d resets of new and used values, want none", resets)
		}
		ref.Release()
		onRelease := 0
		if when == hotswap.OnRelease {
			onRelease = 1
		}
		if resets != onRelease {
			t.Errorf("%d resets after the last Release, want %d", resets, onRelease)
		}
		d := p.Get()
		if resets != 1 {
			t.Errorf("%d resets after the next Get, want 1", resets)
		}
		d.Discard()
		if resets != 1+onRelease {
			t.Errorf("%d resets after Discard, want %d", resets, 1+onRelease)
		}
		d = p.Get()
		if resets != 2 {
			t.Errorf("%d resets after another Get, want 2", resets)
		}
		d.Discard()
	}
}

func TestAValueThatResetRefusesIsDroppedInAWritersCall(t *testing.T) {
	for _, when := range []hotswap.ResetTime{hotswap.OnGet, hotswap.OnRelease} {
		var dropped []int
		p := hotswap.NewPool(hotswap.Options[config]{
			New:     func() *config { return new(config) },
			Reset:   func(x *config) bool { return x.version%2 == 0 },
			ResetOn: when,
			OnDrop:  func(x *config) { dropped = append(dropped, x.version) },
		})
		c := hotswap.New(p)
		publish(t, c, p, 1)
		ref := c.Acquire()
		publish(t, c, p, 2)
		ref.Release()
		if dropped != nil {
			t.Error("OnDrop ran in a reader's call")
		}
		d := p.Get()
		if !slices.Equal(dropped, []int{1}) || d.Value().version != 0 {
			t.Errorf("dropped %v and got version %d, want version 1 dropped and a new value", dropped, d.Value().version)
		}
		d.Discard()
		if s := p.Stats(); s.News != 3 || s.Drops != 1 || s.Slots != 2 {
			t.Errorf("%+v, want 3 values made, 1 dropped, 2 slots", s)
		}
	}
}

func TestKeepBoundsTheFreeValues(t *testing.T) {
	for _, test := range []struct{ keep, want int }{{-1, 0}, {0, 1}, {1, 1}, {3, 3}} {
		drops := 0
		o := options()
		o.Keep = test.keep
		o.OnDrop = func(*config) { drops++ }
		p := hotswap.NewPool(o)
		c := hotswap.New(p)
		publish(t, c, p, 1)
		var drafts []*hotswap.Draft[config]
		for range 5 {
			d := new(hotswap.Draft[config])
			*d = p.Get() // go vet allows what is returned
			drafts = append(drafts, d)
		}
		for _, d := range drafts {
			d.Discard()
		}
		publish(t, c, p, 2) // takes one, and gives version 1 back
		if s := p.Stats(); s.Spare != test.want || drops != 5-test.want || s.Live != 1 {
			t.Errorf("Keep %d: %d free values and %d dropped, want %d and %d", test.keep, s.Spare, drops, test.want, 5-test.want)
		}
		p.Trim()
		if s := p.Stats(); s.Spare != 0 || drops != 5 {
			t.Errorf("Keep %d: %d free values after Trim, %d dropped", test.keep, s.Spare, drops)
		}
		if current(c) != 2 {
			t.Error("Trim took the current value")
		}
	}
}

func TestKeepHoldsWhenNothingIsCurrentToo(t *testing.T) {
	for _, test := range []struct{ keep, want int }{{-1, 0}, {0, 1}, {2, 2}} {
		o := options()
		o.Keep = test.keep
		p := hotswap.NewPool(o)
		a, b, c := hotswap.New(p), hotswap.New(p), hotswap.New(p)
		for i, x := range []*hotswap.Container[config]{a, b, c} {
			publish(t, x, p, i+1)
		}
		a.Clear()
		b.Clear()
		if err := c.Close(ended()); err != nil {
			t.Fatal(err)
		}
		if s := p.Stats(); s.Spare != test.want || s.Live != 0 {
			t.Errorf("Keep %d: %d free values after all containers were emptied, want %d", test.keep, s.Spare, test.want)
		}
	}
}

func TestMoreSlotsThanOneBlock(t *testing.T) {
	o := options()
	o.Keep = 100
	p := hotswap.NewPool(o)
	var containers []*hotswap.Container[config]
	for i := range 50 {
		c := hotswap.New(p)
		publish(t, c, p, i+1)
		containers = append(containers, c)
	}
	for i, c := range containers {
		if got := current(c); got != i+1 {
			t.Errorf("container %d has version %d", i, got)
		}
		c.Clear()
	}
	if s := p.Stats(); s.Slots != 50 || s.Spare != 50 || s.Live != 0 {
		t.Errorf("%+v, want 50 free values", s)
	}
}

func TestMaxLiveBoundsAllValues(t *testing.T) {
	o := options()
	o.MaxLive = 3
	p := hotswap.NewPool(o)
	c := hotswap.New(p)
	publish(t, c, p, 1)
	ref := c.Acquire()
	publish(t, c, p, 2)
	d := p.Get()
	if _, err := p.TryGet(); err != hotswap.ErrLimit {
		t.Errorf("TryGet at the limit returned %v, want ErrLimit", err)
	}
	_, err := p.GetContext(ended())
	if !errors.Is(err, context.Canceled) {
		t.Errorf("GetContext at the limit returned %v, want that its context has ended", err)
	}
	expect.InOrder(t, err.Error(), "the pool has 3 values: 1 current, 1 replaced and still read, 1 drafts, 0 free", "context canceled")
	got := make(chan *config)
	for range 2 {
		go func() {
			d, err := p.GetContext(context.Background())
			if err != nil {
				t.Error(err)
			}
			x := d.Value()
			d.Discard()
			got <- x
		}()
	}
	x := ref.Value()
	ref.Release()
	if y := <-got; y != x {
		t.Error("who waited got another value than the one that became free")
	}
	if y := <-got; y != x {
		t.Error("the second got another value")
	}
	d.Discard()
	if s := p.Stats(); s.News != 3 || s.Slots != 3 {
		t.Errorf("%+v, want 3 values made", s)
	}
}

func TestWhenAllValuesAreCurrentTheErrorSaysThatNoReleaseHelps(t *testing.T) {
	o := options()
	o.MaxLive = 2
	p := hotswap.NewPool(o)
	a, b := hotswap.New(p), hotswap.New(p)
	publish(t, a, p, 1)
	publish(t, b, p, 1)
	_, err := p.GetContext(ended())
	expect.InOrder(t, err.Error(), "MaxLive is 2 and all are current: no Release will help")
	a.Clear()
	publish(t, b, p, 2)
}

func TestAPanicOfResetDropsTheValueAndKeepsThePoolSound(t *testing.T) {
	for _, when := range []hotswap.ResetTime{hotswap.OnGet, hotswap.OnRelease} {
		panics := true
		drops := 0
		p := hotswap.NewPool(hotswap.Options[config]{
			New: func() *config { return new(config) },
			Reset: func(x *config) bool {
				if panics {
					panic("cannot clean")
				}
				return true
			},
			ResetOn: when,
			MaxLive: 2,
			OnDrop:  func(x *config) { drops++ },
		})
		c := hotswap.New(p)
		publish(t, c, p, 1)
		text := expect.Panic(func() {
			publish(t, c, p, 2)
			d := p.Get()
			d.Discard()
		})
		if text != "cannot clean" {
			t.Errorf("panicked with %q", text)
		}
		panics = false
		if got := current(c); got != 2 {
			t.Errorf("version %d is current, want 2", got)
		}
		d := p.Get()
		if d.Value().version != 0 || drops != 1 {
			t.Errorf("a writer gets version %d after %d drops, want a new value after one", d.Value().version, drops)
		}
		d.Discard()
	}
}

func TestNewMustNotReturnNilNorPanic(t *testing.T) {
	mode := "nil"
	p := hotswap.NewPool(hotswap.Options[config]{MaxLive: 2, New: func() *config {
		switch mode {
		case "nil":
			return nil
		case "panic":
			panic("no memory")
		}
		return new(config)
	}})
	get := func() {
		d := p.Get()
		d.Discard()
	}
	for range 3 {
		if got, want := expect.Panic(get), "hotswap: Options.New returned nil"; got != want {
			t.Errorf("Get panicked with %q, want %q", got, want)
		}
	}
	mode = "panic"
	for range 3 {
		if got := expect.Panic(get); got != "no memory" {
			t.Errorf("Get panicked with %q", got)
		}
	}
	mode = ""
	a, b := p.Get(), p.Get()
	a.Discard()
	b.Discard()
}

func TestAPanicOfOnDropLeavesThePoolSound(t *testing.T) {
	panics := true
	o := options()
	o.MaxLive = 2
	o.OnDrop = func(*config) {
		if panics {
			panic("cannot close")
		}
	}
	p := hotswap.NewPool(o)
	a, b := p.Get(), p.Get()
	a.Discard()
	b.Discard()
	if got := expect.Panic(func() { p.Trim() }); got != "cannot close" {
		t.Errorf("Trim panicked with %q", got)
	}
	panics = false
	p.Trim()
	if s := p.Stats(); s.Spare != 0 || s.Drops != 2 || s.Drafts != 0 {
		t.Errorf("%+v, want both dropped", s)
	}
}

func TestCloseOfAPool(t *testing.T) {
	drops := 0
	o := options()
	o.Keep = 3
	o.OnDrop = func(*config) { drops++ }
	p := hotswap.NewPool(o)
	c := hotswap.New(p)
	publish(t, c, p, 1)
	publish(t, c, p, 2)
	draft := p.Get()
	if err := p.Close(ended()); !errors.Is(err, context.Canceled) {
		t.Errorf("Close with values in use returned %v", err)
	}
	if _, err := p.TryGet(); err != hotswap.ErrClosed {
		t.Errorf("TryGet returned %v, want ErrClosed", err)
	}
	if _, err := p.GetContext(context.Background()); err != hotswap.ErrClosed {
		t.Errorf("GetContext returned %v, want ErrClosed", err)
	}
	if err := c.RCU(context.Background(), func(_, _ *config) error { return nil }); err != hotswap.ErrClosed {
		t.Errorf("RCU returned %v, want ErrClosed", err)
	}
	if got := expect.Panic(func() { d := p.Get(); d.Discard() }); !strings.HasPrefix(got, "hotswap: Get of a closed Pool;") {
		t.Errorf("Get panicked with %q", got)
	}
	done := make(chan error)
	go func() { done <- p.Close(context.Background()) }()
	ref := c.Acquire()
	draft.Discard()
	c.Clear()
	ref.Release()
	if err := <-done; err != nil {
		t.Errorf("Close returned %v after all values became free", err)
	}
	if s := p.Stats(); s.Spare != 0 || drops != 2 || s.Drops != 2 {
		t.Errorf("%+v and %d calls of OnDrop, want all values dropped", s, drops)
	}
	if err := p.Close(ended()); err != nil {
		t.Errorf("a second Close returned %v", err)
	}
}

func TestCloseOfAPoolWakesWhoWaits(t *testing.T) {
	o := options()
	o.MaxLive = 2
	p := hotswap.NewPool(o)
	a, b := p.Get(), p.Get()
	waiting := make(chan error)
	go func() {
		_, err := p.GetContext(context.Background())
		waiting <- err
	}()
	if err := p.Close(ended()); err == nil {
		t.Error("Close returned with two drafts out")
	}
	if err := <-waiting; err != hotswap.ErrClosed {
		t.Errorf("who waited got %v, want ErrClosed", err)
	}
	a.Discard()
	b.Discard()
}

func TestFiftyUpdatesWithCollectionsBetweenMakeTwoValues(t *testing.T) {
	p := hotswap.NewPool(options())
	c := hotswap.New(p)
	for i := range 50 {
		publish(t, c, p, i+1)
		gcepoch.Collect(2)
	}
	if s := p.Stats(); s.News != 2 || s.Reuses != 48 {
		t.Errorf("%d values made and %d used again, want 2 and 48", s.News, s.Reuses)
	}
}

func TestAValueWhoseOnDropPanicsIsNotUsedAgain(t *testing.T) {
	o := options()
	dropped := map[*config]int{}
	o.OnDrop = func(x *config) {
		if dropped[x]++; len(dropped) == 1 {
			panic("cannot be closed")
		}
	}
	p := hotswap.NewPool(o)
	d := p.Get()
	x := d.Value()
	d.Discard()
	if got := expect.Panic(func() { p.Trim() }); got != "cannot be closed" {
		t.Fatalf("Trim panicked with %q", got)
	}
	if s := p.Stats(); s.Spare != 0 || s.Drops != 1 {
		t.Errorf("%+v, want nothing free and 1 drop", s)
	}
	d = p.Get()
	if d.Value() == x {
		t.Error("the value is used again")
	}
	d.Discard()
	if n := p.Trim(); n != 1 || dropped[x] != 1 {
		t.Errorf("Trim dropped %d, OnDrop saw the first value %d times; want 1 and 1", n, dropped[x])
	}
}

// More values than there can be are kept as well as a few.
func TestKeepOfAllValuesKeepsThem(t *testing.T) {
	for _, keep := range []int{math.MaxInt, math.MaxInt - 1, math.MaxInt32} {
		o := options()
		o.Keep = keep
		p := hotswap.NewPool(o)
		c := hotswap.New(p)
		for version := range 5 {
			publish(t, c, p, version)
		}
		if s := p.Stats(); s.News != 2 || s.Drops != 0 {
			t.Errorf("Keep %d: %d values made and %d dropped in 5 updates, want 2 and 0", keep, s.News, s.Drops)
		}
	}
}

// The draft that lost is used up, also where it was a copy.
func TestARefusedCopyOfADraftIsUsedUp(t *testing.T) {
	p := hotswap.NewPool(options())
	c := hotswap.New(p)
	d := p.Get()
	copied := copyOf(&d)
	if err := c.Update(&d); err != nil {
		t.Fatal(err)
	}
	if err := c.Update(copied); err != hotswap.ErrUsed || copied.Value() != nil {
		t.Errorf("Update of a copy returned %v, and the copy has the value %v; want ErrUsed and nil", err, copied.Value())
	}
}

func TestPoolsWithANameAreListed(t *testing.T) {
	o := options()
	o.Name = "listed: configs"
	p := hotswap.NewPool(o)
	publish(t, hotswap.New(p), p, 1)
	n := 0
	for s := range hotswap.All() {
		if s.Name == o.Name {
			n++
			if s.News != 1 || s.Live != 1 {
				t.Errorf("%+v", s)
			}
		}
	}
	if n == 0 {
		t.Error("the pool is not listed")
	}
	runtime.KeepAlive(p)
}
