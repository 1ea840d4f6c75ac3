package buffer

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/poolproof/poolproof/pool"
)

func TestSharedBytesGoBackWithTheLastReference(t *testing.T) {
	exactly(t)
	p := New(Options{})
	b := p.Get(100)
	copy(b.Bytes(), pattern(100, 1))
	at := start(b)
	s := b.Share()
	r, part := s.Retain(), s.Slice(10, 20)
	if !bytes.Equal(s.Bytes(), pattern(100, 1)) || !bytes.Equal(r.Bytes(), pattern(100, 1)) || !bytes.Equal(part.Bytes(), pattern(100, 1)[10:20]) {
		t.Error("references read something else")
	}
	if cap(part.Bytes()) != 10 {
		t.Errorf("a Slice has capacity %d, want 10", cap(part.Bytes()))
	}
	for _, last := range []*Shared{s, part, r} {
		if c := p.Get(100); start(c) == at {
			t.Fatal("memory was handed out while a reference was left")
		}
		last.Release()
	}
	if c := p.Get(100); start(c) != at {
		t.Error("the last Release did not give the memory back")
	}
}

func TestOwnOfTheOnlyReferenceCopiesNothing(t *testing.T) {
	p := New(Options{})
	b := p.Get(100)
	copy(b.Bytes(), pattern(100, 1))
	at := start(b)
	s := b.Share()
	part := s.Slice(10, 60)
	s.Release()
	own := part.Own()
	if start(own) != at || !bytes.Equal(own.Bytes(), pattern(100, 1)[10:60]) {
		t.Errorf("the same memory %t, bytes %x", start(own) == at, own.Bytes())
	}
	own.WriteString("more")
	own.Release()
}

func TestOwnOfOneOfManyIsACopy(t *testing.T) {
	exactly(t)
	p := New(Options{})
	b := p.Get(100)
	copy(b.Bytes(), pattern(100, 1))
	s := b.Share()
	at := start(b)
	own := s.Retain().Own()
	if start(own) == at || !bytes.Equal(own.Bytes(), pattern(100, 1)) {
		t.Errorf("the same memory %t, bytes %x", start(own) == at, own.Bytes())
	}
	own.Bytes()[0] = 99
	if s.Bytes()[0] == 99 {
		t.Error("the owner writes what a reader reads")
	}
	again := s.Own() // now it is alone
	if start(again) != at {
		t.Error("Own did not give up its reference")
	}
}

// modelThread is a goroutine of the model: it begins with references to the
// buffer and does operations in order.
type modelThread struct {
	name string
	has  int
	ops  string // r: Retain, d: Release, o: Own
}

// TestNoInterleavingReleasesTwiceOrTooEarly runs the true count, references,
// through all interleavings of small programs. Each operation of references is
// one atomic operation, so a thread can be interrupted between these and nowhere
// else that matters. What the operations do besides counting is modelled.
func TestNoInterleavingReleasesTwiceOrTooEarly(t *testing.T) {
	for _, program := range [][]modelThread{
		{{"A", 1, "d"}},
		{{"A", 1, "o"}},
		{{"A", 1, "rdd"}},
		{{"A", 1, "ro"}}, // a copy, and one is left
		{{"A", 1, "d"}, {"B", 1, "d"}},
		{{"A", 1, "o"}, {"B", 1, "o"}},
		{{"A", 1, "rod"}, {"B", 1, "d"}},
		{{"A", 1, "rdd"}, {"B", 1, "rdd"}, {"C", 1, "d"}},
		{{"A", 1, "ro"}, {"B", 1, "o"}, {"C", 1, "d"}},
		{{"A", 2, "dd"}, {"B", 1, "rrddd"}},
		{{"A", 2, "od"}, {"B", 1, "o"}, {"C", 1, "rod"}},
	} {
		runs := 0
		explore(t, program, &runs)
		if runs == 0 {
			t.Errorf("%v: no interleaving", program)
		}
	}
}

// modelState is one point of one run.
type modelState struct {
	refs   *references
	left   []modelThread
	owning []string // what Own has still to do, by thread: "", or "drop" after the copy
	live   int      // references that have not been given up
	freed  int      // how often the memory went back or got one owner
	trace  string
}

func (s modelState) copy() modelState {
	c := s
	c.refs = new(references)
	c.refs.n.Store(s.refs.n.Load())
	c.left = append([]modelThread(nil), s.left...)
	c.owning = append([]string(nil), s.owning...)
	return c
}

func explore(t *testing.T, program []modelThread, runs *int) {
	s := modelState{refs: new(references), left: program, owning: make([]string, len(program))}
	s.refs.first()
	s.live = 1
	for _, thread := range program {
		s.live += thread.has
	}
	s.live-- // the first reference is one of theirs
	for range s.live - 1 {
		s.refs.retain()
	}
	var step func(s modelState)
	step = func(s modelState) {
		done := true
		for i := range s.left {
			if s.left[i].ops == "" && s.owning[i] == "" {
				continue
			}
			done = false
			next := s.copy()
			next.act(i)
			if next.freed > 1 {
				t.Errorf("the memory went back %d times: %s", next.freed, next.trace)
				continue
			}
			if next.freed == 1 && next.live > 0 {
				t.Errorf("the memory went back while %d references are left: %s", next.live, next.trace)
				continue
			}
			step(next)
		}
		if done {
			*runs++
			if s.live == 0 && s.freed != 1 {
				t.Errorf("no reference is left and the memory went back %d times: %s", s.freed, s.trace)
			}
		}
	}
	step(s)
}

// act lets thread i do one atomic operation and what belongs to it.
func (s *modelState) act(i int) {
	thread := &s.left[i]
	if s.owning[i] == "drop" { // Own has copied the bytes
		s.owning[i] = ""
		s.trace += thread.name + ":drop "
		s.drop()
		return
	}
	op := thread.ops[0]
	thread.ops = thread.ops[1:]
	s.trace += thread.name + ":" + string(op) + " "
	switch op {
	case 'r':
		s.refs.retain()
		s.live++
	case 'd':
		s.drop()
	case 'o':
		if s.refs.sole() {
			s.live--
			s.freed++
		} else {
			s.owning[i] = "drop"
		}
	}
}

func (s *modelState) drop() {
	s.live--
	if s.refs.drop() {
		s.freed++
	}
}

// TestSharedAgreesWithAModel does random operations on references to several
// buffers, one after the other, and compares what they read and who is sole.
func TestSharedAgreesWithAModel(t *testing.T) {
	p := New(Options{Zero: ZeroUsed}) // so that a Release that is too early is seen
	rng := rand.New(rand.NewPCG(5, 6))
	type reference struct {
		shared *Shared
		want   []byte
		group  *int // references to the buffer
	}
	var all []reference
	for range 20_000 {
		if len(all) == 0 || rng.IntN(8) == 0 {
			n := rng.IntN(500)
			b := p.Get(n)
			copy(b.Bytes(), pattern(n, byte(n)))
			group := 1
			all = append(all, reference{b.Share(), pattern(n, byte(n)), &group})
		}
		i := rng.IntN(len(all))
		r := all[i]
		if !bytes.Equal(r.shared.Bytes(), r.want) {
			t.Fatalf("a reference reads %x, want %x", r.shared.Bytes(), r.want)
		}
		remove := func() {
			*r.group--
			all[i] = all[len(all)-1]
			all = all[:len(all)-1]
		}
		switch rng.IntN(5) {
		case 0:
			*r.group++
			all = append(all, reference{r.shared.Retain(), r.want, r.group})
		case 1:
			from := rng.IntN(len(r.want) + 1)
			to := from + rng.IntN(len(r.want)-from+1)
			*r.group++
			all = append(all, reference{r.shared.Slice(from, to), r.want[from:to], r.group})
		case 2, 3:
			remove()
			r.shared.Release()
		case 4:
			remove()
			at := start(r.shared.buffer)
			b := r.shared.Own()
			if !bytes.Equal(b.Bytes(), r.want) {
				t.Fatalf("Own has %x, want %x", b.Bytes(), r.want)
			}
			if sole := start(b) == at; sole != (*r.group == 0) {
				t.Fatalf("Own gave the shared memory: %t, with %d other references", sole, *r.group)
			}
			copy(b.Bytes(), canaries(b.Len()))
			b.Release()
		}
	}
}

// TestManyReadersReadOneBuffer is for the race detector, which knows whether the
// writes of a new owner come after all reads.
func TestManyReadersReadOneBuffer(t *testing.T) {
	p := New(Options{Zero: ZeroUsed, Stats: pool.Leaks})
	for round := range 200 {
		b := p.Get(1000)
		want := pattern(1000, byte(round))
		copy(b.Bytes(), want)
		s := b.Share()
		var wg sync.WaitGroup
		for reader := range 8 {
			mine := s.Retain()
			wg.Go(func() {
				part := mine.Slice(reader, 500)
				if !bytes.Equal(mine.Bytes(), want) || !bytes.Equal(part.Bytes(), want[reader:500]) {
					t.Error("a reader read something else")
				}
				part.Release()
				if reader%2 == 0 {
					mine.Release()
				} else {
					own := mine.Own()
					copy(own.Bytes(), canaries(1000))
					own.Release()
				}
			})
		}
		s.Release()
		wg.Wait()
	}
	if st := p.Stats(); st.InUse != 0 {
		t.Errorf("%d buffers did not come back", st.InUse)
	}
}

// TestNoCountIsLost lets goroutines take and give up references of one buffer at
// the same time, which finds operations that are not atomic.
func TestNoCountIsLost(t *testing.T) {
	const workers, rounds = 4, 600_000
	var r references
	r.first()
	var lasts atomic.Int32
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for range rounds {
				r.retain()
				if r.drop() {
					lasts.Add(1)
				}
			}
		})
	}
	wg.Wait()
	if n := lasts.Load(); n != 0 || !r.sole() || !r.drop() {
		t.Errorf("%d drops said that they were the last while a reference was left; %d are left at the end, want 0", n, r.n.Load())
	}
}

func TestTheModelSeesAWrongCount(t *testing.T) {
	// A thread that gives up one reference more than it has is such a count.
	s := modelState{refs: new(references), left: []modelThread{{"A", 1, "dd"}}, owning: make([]string, 1), live: 2}
	s.refs.first()
	s.act(0)
	if s.freed != 1 || s.live != 1 {
		t.Errorf("freed %d, live %d", s.freed, s.live)
	}
	if got := fmt.Sprint(s.trace); got != "A:d " {
		t.Errorf("trace %q", got)
	}
}

func TestACopiedSharedPanics(t *testing.T) {
	for name, use := range map[string]func(*Shared){
		"Bytes":   func(s *Shared) { s.Bytes() },
		"Retain":  func(s *Shared) { s.Retain() },
		"Slice":   func(s *Shared) { s.Slice(0, 1) },
		"Release": func(s *Shared) { s.Release() },
		"Own":     func(s *Shared) { s.Own() },
	} {
		p := New(Options{})
		s := filled(p, 100).Share()
		twin := duplicate(s)
		mustPanic(t, func() { use(twin) }, name+" of a copied Shared")
		s.Release()
		mustPanic(t, func() { use(twin) }, name+" of a copied Shared")
	}
}

// A copy that is written back over its original has its address: only the count
// knows.
//
//poolproof:ignore it gives back a Shared that was given back: that is the test
func TestAReferenceTooManyPanics(t *testing.T) {
	p := New(Options{})
	s := filled(p, 100).Share()
	was := duplicate(s)
	s.Release()
	overwrite(s, was)
	normalBuild(t, "has a book of its own")
	mustPanic(t, s.Release, "released more often than there were references")
}

// duplicate returns a copy of s, as go vet does not let a program make one.
func duplicate(s *Shared) *Shared {
	twin := new(Shared)
	overwrite(twin, s)
	return twin
}

func overwrite(dst, src *Shared) {
	copy(unsafe.Slice(dst, 1), unsafe.Slice(src, 1))
}
