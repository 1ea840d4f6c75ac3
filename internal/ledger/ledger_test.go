package ledger

import (
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/poolproof/poolproof/internal/expect"
	"github.com/poolproof/poolproof/internal/gcepoch"
)

type item struct {
	next *item // so that no block is shared with other small objects
	n    int
}

const itemSize = int(unsafe.Sizeof(item{}))

func (x *item) p() unsafe.Pointer { return unsafe.Pointer(x) }

func TestABookKnowsWhatIsOut(t *testing.T) {
	b := NewBook("known")
	x, y := new(item), new(item)
	b.Out(x.p(), itemSize, nil)
	b.Out(y.p(), itemSize, nil)
	if b.InUse() != 2 || !b.Has(x.p()) {
		t.Errorf("%d in use, want 2 with x", b.InUse())
	}
	if o, _ := b.In(x.p(), itemSize, nil); o != Owned {
		t.Errorf("origin %d, want Owned", o)
	}
	if b.InUse() != 1 || b.Has(x.p()) {
		t.Errorf("%d in use, want 1 without x", b.InUse())
	}
	if o, _ := b.In(x.p(), itemSize, nil); o != Twice {
		t.Errorf("origin of a second In %d, want Twice", o)
	}
	if b.InUse() != 1 {
		t.Errorf("a second In changed the number in use to %d", b.InUse())
	}
	b.Out(x.p(), itemSize, nil)
	b.Out(x.p(), itemSize, nil) // a pool whose New returns one object again and again
	if o, _ := b.In(x.p(), itemSize, nil); o != Owned || b.InUse() != 1 {
		t.Errorf("origin after a second Out %d with %d in use, want Owned and 1", o, b.InUse())
	}
	runtime.KeepAlive(y)
}

func TestAForeignObjectIsKnownFromItsFirstIn(t *testing.T) {
	b := NewBook("foreign")
	x := new(item)
	if o, _ := b.In(x.p(), itemSize, nil); o != Foreign || b.InUse() != 0 {
		t.Errorf("origin %d with %d in use, want Foreign and 0", o, b.InUse())
	}
	if o, _ := b.In(x.p(), itemSize, nil); o != Twice {
		t.Errorf("origin of a second In %d, want Twice", o)
	}
	b.Out(x.p(), itemSize, nil)
	if o, _ := b.In(x.p(), itemSize, nil); o != Owned {
		t.Errorf("origin after Out %d, want Owned", o)
	}
}

func TestWhatIsCollectedWhileOutIsLostAndNothingElse(t *testing.T) {
	b := NewBook("lost")
	before := Losses()["lost"]
	kept := new(item)
	b.Out(kept.p(), itemSize, nil)
	for i := range 100 {
		x := new(item)
		b.Out(x.p(), itemSize, nil)
		if i%10 != 0 {
			b.In(x.p(), itemSize, nil)
		}
	}
	expect.AfterGC(t, "10 lost", func() bool { return b.Lost() == 10 })
	expect.AfterGC(t, "forgotten", func() bool { return b.tickets() == 1 })
	if b.Lost() != 10 || b.InUse() != 1 || Losses()["lost"]-before != 10 {
		t.Errorf("%d lost, %d in use, %d lost by the list of the process, want 10, 1, 10", b.Lost(), b.InUse(), Losses()["lost"]-before)
	}
	runtime.KeepAlive(kept)
}

// tickets returns the number of objects that b knows.
func (b *Book) tickets() (n int) {
	for i := range b.shards {
		b.shards[i].mu.Lock()
		n += len(b.shards[i].tickets)
		b.shards[i].mu.Unlock()
	}
	return n
}

// A ticket whose object was collected, and whose cleanup has not run, must not
// be taken for that of a later object at the same address.
func TestAStaleTicketIsNotTakenForALaterObject(t *testing.T) {
	for _, out := range []bool{true, false} {
		b := NewBook("stale")
		gone, later := new(item), new(item)
		b.Out(gone.p(), itemSize, nil)
		if !out {
			b.In(gone.p(), itemSize, nil)
		}
		// As if later had been allocated where gone was.
		s, at := b.shard(uintptr(gone.p())), b.shard(uintptr(later.p()))
		stale := s.tickets[uintptr(gone.p())]
		delete(s.tickets, uintptr(gone.p()))
		stale.addr = uintptr(later.p())
		at.tickets[stale.addr] = stale

		if o, _ := b.In(later.p(), itemSize, nil); o != Foreign {
			t.Errorf("out %t: origin %d of an object that was never seen, want Foreign", out, o)
		}
		want := uint64(0)
		if out {
			want = 1
		}
		if b.Lost() != want || b.InUse() != 0 {
			t.Errorf("out %t: %d lost and %d in use, want %d and 0", out, b.Lost(), b.InUse(), want)
		}
		stale.collected() // late, and without effect
		if b.Lost() != want || b.tickets() != 1 {
			t.Errorf("out %t: the late cleanup made it %d lost, %d tickets", out, b.Lost(), b.tickets())
		}
		runtime.KeepAlive(gone)
		runtime.KeepAlive(later)
	}
}

// static is not on the heap.
var static [4]item

func TestObjectsThatAreNotOnTheHeapOfTheirOwn(t *testing.T) {
	whole := new([8]item)
	for name, x := range map[string]*item{"of the linker": &static[1], "inside another": &whole[3]} {
		b := NewBook("odd")
		b.Out(x.p(), itemSize, nil)
		gcepoch.Collect(2)
		if o, _ := b.In(x.p(), itemSize, nil); o != Owned {
			t.Errorf("%s: origin %d, want Owned", name, o)
		}
		if o, _ := b.In(x.p(), itemSize, nil); o != Twice {
			t.Errorf("%s: origin %d, want Twice", name, o)
		}
	}
	runtime.KeepAlive(whole)
}

func TestCallsForAKnownObjectAllocateNothing(t *testing.T) {
	if Checked {
		t.Skip("the checked build stores a stack for each call")
	}
	b := NewBook("allocations")
	x := new(item)
	b.Out(x.p(), itemSize, Here())
	if n := testing.AllocsPerRun(100, func() {
		b.In(x.p(), itemSize, Here())
		b.Out(x.p(), itemSize, Here())
	}); n != 0 {
		t.Errorf("%v allocations for In and Out, want 0", n)
	}
}

func TestOutstandingListsWhatIsOutInOrder(t *testing.T) {
	a, b := NewBook("first"), NewBook("second")
	since := Now()
	objects := []*item{new(item), new(item), new(item), new(item)}
	for i, x := range objects {
		book := a
		if i%2 == 1 {
			book = b
		}
		book.Out(x.p(), itemSize, Here())
	}
	a.In(objects[2].p(), itemSize, Here())
	if n := len(b.Outstanding()); n != 2 {
		t.Errorf("%d out of the second book, want 2", n)
	}
	var got []string
	for _, e := range Outstanding() {
		if e.Seq > since {
			got = append(got, e.Pool)
		}
	}
	want := ""
	if Checked {
		want = "first second second"
	}
	if strings.Join(got, " ") != want {
		t.Errorf("out of all books: %q, want %q", got, want)
	}
	runtime.KeepAlive(objects)
}

func TestABookOfAPoolThatIsGoneStaysListedForWhatIsOut(t *testing.T) {
	if !Checked {
		t.Skip("the normal build lists no books")
	}
	empty, busy := NewBook("empty"), NewBook("busy")
	x := new(item)
	busy.Out(x.p(), itemSize, Here())
	x = nil
	expect.AfterGC(t, "lost", func() bool { return busy.Lost() == 1 })
	empty.Close()
	busy.Close()
	collected := false
	for _, e := range Outstanding() {
		collected = collected || e.Pool == "busy" && e.Collected
	}
	if !collected {
		t.Error("what was collected while it was out is not listed")
	}
	for _, b := range listed() {
		if b == empty {
			t.Error("the book of a pool that is gone is listed for nothing")
		}
	}
}

func TestManyGoroutines(t *testing.T) {
	b := NewBook("many")
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			for i := range 200 {
				x := new(item)
				for range 3 {
					b.Out(x.p(), itemSize, Here())
					if o, _ := b.In(x.p(), itemSize, Here()); o != Owned {
						t.Errorf("origin %d, want Owned", o)
					}
				}
				if i%50 == 0 {
					runtime.GC()
				}
			}
		})
	}
	wg.Wait()
	expect.AfterGC(t, "forgotten", func() bool { return b.tickets() == 0 })
	if b.Lost() != 0 || b.InUse() != 0 {
		t.Errorf("%d lost and %d in use, want none", b.Lost(), b.InUse())
	}
}
