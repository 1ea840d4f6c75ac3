//go:build poolproofexplore

package explore_test

import (
	"fmt"

	"github.com/poolproof/poolproof/hotswap"
	"github.com/poolproof/poolproof/hotswap/internal/atom"
	"github.com/poolproof/poolproof/hotswap/internal/explore"
)

// value knows its readers and its writer. Between two points nothing else runs,
// so plain fields are exact.
type value struct {
	readers int
	writer  bool
	version int
	sum     int // what RCU and Delta add up
}

// used panics if somebody reads or writes x, of whom its new owner, or who drops
// it, must know nothing.
func used(x *value) {
	if x.readers != 0 {
		panic(fmt.Sprintf("version %d has %d readers and is used again", x.version, x.readers))
	}
	if x.writer {
		panic("two writers own one value")
	}
}

// reset is Options.Reset.
func reset(x *value) bool {
	used(x)
	explore.Point()
	used(x)
	x.version, x.sum = 0, 0
	return true
}

// world is a pool, a container with a first value, and what threads do with them.
type world struct {
	p       *hotswap.Pool[value]
	c       *hotswap.Container[value]
	other   *hotswap.Container[value] // nil: there is one container only
	version int
	made    int // values by New
	dropped int // values by OnDrop
}

// newWorld returns a world whose pool has that many shards.
func newWorld(shards int, o hotswap.Options[value]) *world {
	atom.Shards, atom.Places = shards, 1
	w := &world{}
	o.Shards = shards
	o.New = func() *value { w.made++; return new(value) }
	o.OnDrop = func(x *value) { used(x); w.dropped++ }
	w.p = hotswap.NewPool(o)
	w.c = hotswap.New(w.p)
	w.update()
	return w
}

// scenario is of those threads, and ends with all that was held given back.
func (w *world) scenario(threads ...func()) explore.Scenario {
	return explore.Scenario{Threads: threads, End: w.settled}
}

// alike says that the first n threads of s do the same.
func alike(n int, s explore.Scenario) explore.Scenario {
	s.Alike = n
	return s
}

func (w *world) settled() error {
	s := w.p.Stats()
	if s.Retired != 0 || s.Outstanding != 0 || s.Drafts != 0 {
		return fmt.Errorf("at the end there are %d retired values, %d holds, %d drafts", s.Retired, s.Outstanding, s.Drafts)
	}
	current := 0
	for _, c := range []*hotswap.Container[value]{w.c, w.other} {
		if c != nil && c.Do(func(*value) {}) {
			current++
		}
	}
	if s.Live != current {
		return fmt.Errorf("at the end %d values are current for %d containers", s.Live, current)
	}
	return nil
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// times returns a thread that calls f so often.
func times(n int, f func()) func() {
	return func() {
		for range n {
			f()
		}
	}
}

// copyOf returns a copy of a guard, which go vet would report.
func copyOf[T any](x *T) *T {
	copied := *x
	return &copied
}

// What a writer does.

// write fills a draft.
func (w *world) write(x *value) {
	used(x)
	x.writer = true
	explore.Point()
	w.version++
	x.version = w.version
	x.writer = false
}

func (w *world) update() { w.updateOf(w.c) }

func (w *world) updateOf(c *hotswap.Container[value]) {
	d := w.p.Get()
	w.write(d.Value())
	must(c.Update(&d))
}

// increment publishes a value whose sum is greater by 1.
func (w *world) increment(next, cur *value) error {
	used(next)
	next.writer = true
	sum := cur.sum
	hold(cur)
	next.sum = sum + 1
	next.writer = false
	return nil
}

// sum returns that of the current value.
func (w *world) sum() (n int) {
	w.c.Do(func(x *value) { n = x.sum })
	return n
}

// What a reader does.

// hold uses a value that the caller has.
func hold(x *value) {
	version, sum := x.version, x.sum
	x.readers++
	explore.Point()
	if x.version != version || x.sum != sum || x.writer {
		panic(fmt.Sprintf("version %d became %d while it was read", version, x.version))
	}
	x.readers--
}

// read needs a container that is never empty, and one writer, so that versions
// are the numbers of publications.
func (w *world) read() {
	r := w.c.Acquire()
	if x := r.Value(); uint64(x.version) != r.Generation() {
		panic(fmt.Sprintf("generation %d holds version %d", r.Generation(), x.version))
	}
	hold(r.Value())
	r.Release()
}

// readAny is read where there may be no value, or several writers.
func (w *world) readAny() {
	r := w.c.Acquire()
	if x := r.Value(); x != nil {
		hold(x)
	}
	r.Release()
}

func (w *world) readClone() {
	r := w.c.Acquire()
	clone := r.Clone()
	r.Release()
	hold(clone.Value())
	clone.Release()
}

// reader returns a thread with a Reader.
func (w *world) reader(loads int) func() {
	return func() {
		r := w.c.Reader()
		last := 0
		for range loads {
			x := r.Load()
			if x.version < last {
				panic("an older version came later")
			}
			last = x.version
			hold(x)
		}
		r.Release()
	}
}
