package reserve

import (
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"testing"
	"weak"

	"github.com/poolproof/poolproof/internal/gcepoch"
)

type item struct {
	owner atomic.Int64
	_     [64]byte
}

// noGC stops collections that nobody asks for until the test ends.
func noGC(t *testing.T) {
	percent := debug.SetGCPercent(-1)
	t.Cleanup(func() { debug.SetGCPercent(percent) })
	runtime.GC()
}

// miss is a Get that the sync.Pool could not serve.
func miss(t *testing.T, s *Stack[item], want *item) {
	t.Helper()
	if got, _ := s.Pop(); got != want {
		t.Fatalf("Pop returned %p, want %p", got, want)
	}
}

func TestOnlyAMissLicensesAPush(t *testing.T) {
	noGC(t)
	s := New[item](Limits{Items: 4})
	if s.Wanted() || s.Push(new(item), 1) {
		t.Fatal("an object was taken that no miss has asked for")
	}
	miss(t, s, nil)
	a, b := new(item), new(item)
	if !s.Wanted() || !s.Push(a, 10) {
		t.Fatal("the object of a miss was refused")
	}
	if s.Wanted() || s.Push(b, 10) {
		t.Fatal("one miss licensed two objects")
	}
	if s.Len() != 1 || s.Bytes() != 10 {
		t.Errorf("%d objects of %d bytes, want 1 of 10", s.Len(), s.Bytes())
	}
}

func TestWhatWasPushedInThisEpochGoesToTheSyncPool(t *testing.T) {
	noGC(t)
	s := New[item](Limits{Items: 4})
	a := new(item)
	miss(t, s, nil)
	s.Push(a, 1)
	miss(t, s, a)
	if s.Wanted() || s.Push(a, 1) {
		t.Error("an object in steady use goes round through the reserve")
	}
	miss(t, s, nil)
	s.Push(a, 1)
	gcepoch.Collect(1)
	miss(t, s, a)
	if !s.Wanted() || !s.Push(a, 1) {
		t.Error("an object that was used after a collection was not kept")
	}
}

func TestFiftyRareUsesMakeOneObject(t *testing.T) {
	noGC(t)
	s := New[item](Limits{Items: 4})
	made := 0
	for range 50 {
		x, _ := s.Pop() // the collections have emptied the sync.Pool
		if x == nil {
			x = new(item)
			made++
		}
		if !s.Wanted() || !s.Push(x, 1) {
			t.Fatal("the object goes to the sync.Pool, which will lose it")
		}
		gcepoch.Collect(3)
	}
	if made != 1 {
		t.Errorf("%d objects made for 50 uses, want 1", made)
	}
}

func TestRareUsesOfSeveralObjectsKeepAllOfThem(t *testing.T) {
	noGC(t)
	s := New[item](Limits{Items: 16})
	made := 0
	for range 5 {
		var burst []*item
		for range 16 {
			x, _ := s.Pop()
			if x == nil {
				x = new(item)
				made++
			}
			burst = append(burst, x)
		}
		for _, x := range burst {
			s.Push(x, 1)
		}
		gcepoch.Collect(3)
	}
	if made != 16 {
		t.Errorf("%d objects made for 5 bursts of 16, want 16", made)
	}
}

func TestObjectsDecayAfterSoManyCollections(t *testing.T) {
	noGC(t)
	for _, c := range []struct{ idle, want int }{{0, DefaultIdleGCs}, {3, 3}, {1, 1}} {
		s := New[item](Limits{IdleGCs: c.idle})
		miss(t, s, nil)
		x := new(item)
		s.Push(x, 7)
		w := weak.Make(x)
		x = nil
		gcepoch.Collect(c.want - 1)
		if s.Len() != 1 || s.Decayed() != 0 {
			t.Errorf("IdleGCs %d: %d kept and %d decayed after %d collections, want 1 and 0", c.idle, s.Len(), s.Decayed(), c.want-1)
		}
		gcepoch.Collect(1)
		if s.Len() != 0 || s.Bytes() != 0 || s.Decayed() != 1 {
			t.Errorf("IdleGCs %d: %d kept, %d bytes, %d decayed after %d collections, want 0, 0, 1", c.idle, s.Len(), s.Bytes(), s.Decayed(), c.want)
		}
		gcepoch.Collect(2)
		if w.Value() != nil {
			t.Errorf("IdleGCs %d: a decayed object is still referred to", c.idle)
		}
		runtime.KeepAlive(s)
	}
}

func TestUseRenewsWhatIsUsedAndTheOthersDecay(t *testing.T) {
	noGC(t)
	s := New[item](Limits{IdleGCs: 4})
	var all [3]*item
	for i := range all {
		miss(t, s, nil)
		all[i] = new(item)
	}
	for _, x := range all {
		s.Push(x, 1)
	}
	for range 6 {
		gcepoch.Collect(1)
		miss(t, s, all[2])
		s.Push(all[2], 1)
	}
	if s.Len() != 1 || s.Decayed() != 2 {
		t.Errorf("%d kept and %d decayed, want the one that is used and 2", s.Len(), s.Decayed())
	}
}

func TestLimitsAreKept(t *testing.T) {
	noGC(t)
	push := func(s *Stack[item], size int) bool {
		// As many misses as it takes for a licence: nothing is taken out.
		s.mu.Lock()
		s.wanted.Store(1)
		s.mu.Unlock()
		return s.Push(new(item), size)
	}
	t.Run("items", func(t *testing.T) {
		s := New[item](Limits{Items: 2})
		first, second, third := push(s, 1), push(s, 1), push(s, 1)
		if !first || !second || third || s.Len() != 2 {
			t.Errorf("kept %t, %t, %t: %d, want the first 2", first, second, third, s.Len())
		}
	})
	t.Run("bytes", func(t *testing.T) {
		s := New[item](Limits{Bytes: 100})
		if !push(s, 60) || push(s, 41) || !push(s, 40) || push(s, 1) || s.Bytes() != 100 {
			t.Errorf("%d bytes kept, want 100", s.Bytes())
		}
	})
	t.Run("a size that is negative", func(t *testing.T) {
		s := New[item](Limits{Bytes: 100})
		if !push(s, -5) || s.Bytes() != 0 {
			t.Errorf("%d bytes kept, want 0", s.Bytes())
		}
	})
	t.Run("budget of two", func(t *testing.T) {
		budget := NewBudget(100)
		a, b := New[item](Limits{Budget: budget}), New[item](Limits{Budget: budget})
		if !push(a, 60) || push(b, 50) || !push(b, 40) || push(a, 1) || budget.Left() != 0 {
			t.Errorf("%d and %d bytes kept, %d left, want 60, 40 and 0", a.Bytes(), b.Bytes(), budget.Left())
		}
		a.Pop()
		if budget.Left() != 60 {
			t.Errorf("Pop gave back %d bytes, want 60", budget.Left())
		}
		b.Trim(0)
		if budget.Left() != 100 {
			t.Errorf("after Trim %d bytes are left, want 100", budget.Left())
		}
	})
	t.Run("what is refused uses up its licence", func(t *testing.T) {
		s := New[item](Limits{Bytes: 10})
		miss(t, s, nil)
		if s.Push(new(item), 11) || s.Wanted() {
			t.Error("after a refusal the slow path stays open")
		}
	})
	t.Run("no more licences than places", func(t *testing.T) {
		s := New[item](Limits{Items: 3})
		for range 100 {
			s.Pop()
		}
		if got := s.wanted.Load(); got != 3 {
			t.Errorf("%d licences for 3 places", got)
		}
	})
}

func TestTrimDropsTheOldestFirst(t *testing.T) {
	noGC(t)
	fill := func() (*Stack[item], []*item) {
		s := New[item](Limits{})
		var all []*item
		for range 4 {
			s.Pop()
		}
		for size := 10; size <= 40; size += 10 {
			all = append(all, new(item))
			s.Push(all[len(all)-1], size)
		}
		return s, all
	}
	for _, c := range []struct {
		to, bytes   int64
		items, left int
	}{
		{1000, 0, 0, 4}, {100, 0, 0, 4}, {99, 10, 1, 3}, {70, 30, 2, 2}, {1, 100, 4, 0}, {0, 100, 4, 0}, {-1, 100, 4, 0},
	} {
		s, all := fill()
		items, bytes := s.Trim(c.to)
		if items != c.items || bytes != c.bytes || s.Len() != c.left || s.Bytes() != 100-c.bytes {
			t.Errorf("Trim(%d) dropped %d objects of %d bytes and left %d of %d, want %d of %d and %d",
				c.to, items, bytes, s.Len(), s.Bytes(), c.items, c.bytes, c.left)
		}
		if c.left > 0 {
			miss(t, s, all[3])
		}
	}
	s := New[item](Limits{})
	s.Pop()
	s.Push(new(item), 0)
	if items, _ := s.Trim(0); items != 1 {
		t.Error("Trim(0) left an object of unknown size")
	}
}

func TestAStackThatNobodyUsesIsCollected(t *testing.T) {
	s := New[item](Limits{})
	s.Pop()
	s.Push(new(item), 1)
	w := weak.Make(s)
	s = nil
	gcepoch.Collect(3)
	if w.Value() != nil {
		t.Error("the stack is still alive")
	}
}

func TestAStackDoesNotKeepWhatItGaveOut(t *testing.T) {
	s := New[item](Limits{})
	s.Pop()
	s.Push(new(item), 1)
	x, _ := s.Pop()
	w := weak.Make(x)
	x = nil
	gcepoch.Collect(2)
	if w.Value() != nil {
		t.Error("the stack still refers to the object")
	}
	runtime.KeepAlive(s)
}

func TestABudgetIsNeverOverspent(t *testing.T) {
	const bytes = 1000
	budget := NewBudget(bytes)
	var taken atomic.Int64
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for i := range int64(20000) {
				n := i%100 + 100
				if !budget.take(n) {
					continue
				}
				if sum := taken.Add(n); sum > bytes {
					t.Errorf("%d bytes taken of %d", sum, bytes)
				}
				taken.Add(-n)
				budget.give(n)
			}
		})
	}
	wg.Wait()
	if budget.Left() != bytes {
		t.Errorf("%d bytes left after all were given back, want %d", budget.Left(), bytes)
	}
}

// TestOneOwnerAtATime runs with the race detector too: an object that two
// goroutines hold is a wrong stamp.
func TestOneOwnerAtATime(t *testing.T) {
	budget := NewBudget(64 * 8)
	s := New[item](Limits{Items: 16, Budget: budget})
	var wg sync.WaitGroup
	for owner := range int64(32) {
		wg.Go(func() {
			for i := range 500 {
				x, _ := s.Pop()
				if x == nil {
					x = new(item)
				}
				if !x.owner.CompareAndSwap(0, owner+1) {
					t.Errorf("owner %d got an object of owner %d", owner, x.owner.Load()-1)
				}
				runtime.Gosched()
				x.owner.Store(0)
				if s.Wanted() {
					s.Push(x, 64)
				}
				if i%100 == 50 {
					runtime.GC()
				}
				if i%100 == 99 {
					s.Trim(64)
				}
			}
		})
	}
	wg.Wait()
	if n := s.Len(); n > 8 || s.Bytes() != int64(n)*64 || budget.Left() != 64*8-s.Bytes() {
		t.Errorf("%d objects of %d bytes with %d left of the budget", n, s.Bytes(), budget.Left())
	}
	s.Trim(0)
	if budget.Left() != 64*8 || s.Bytes() != 0 {
		t.Errorf("after all %d bytes are kept and %d are left of the budget, want 0 and %d", s.Bytes(), budget.Left(), 64*8)
	}
}
