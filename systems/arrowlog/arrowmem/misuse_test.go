package arrowmem_test

import (
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/systems/arrowlog/arrowmem"
)

func mustPanic(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if got := fmt.Sprint(recover()); !strings.Contains(got, want) {
			t.Errorf("the panic says %q, want %q in it", got, want)
		}
	}()
	f()
}

func offheap(t *testing.T) *arrowmem.Offheap {
	t.Helper()
	o, err := arrowmem.NewOffheap(arrowmem.Options{})
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestOffheapPanicsOnMisuse(t *testing.T) {
	o := offheap(t)
	defer o.Close()
	b := o.Allocate(1000)
	mustPanic(t, "is not from this allocator", func() { o.Free(make([]byte, 64)) })
	mustPanic(t, "begins 64 bytes after the block", func() { o.Free(b[64:]) })
	o.Free(b)
	mustPanic(t, "is free already", func() { o.Free(b) })
	mustPanic(t, "is free already", func() { o.Reallocate(1001, b) })
	large := o.Allocate(100 << 20) // above the largest class: unmapped by Free
	o.Free(large)
	mustPanic(t, "is not from this allocator", func() { o.Free(large) })
}

func TestOffheapCloseNamesWhatIsOut(t *testing.T) {
	o := offheap(t)
	o.Allocate(1000)
	o.Free(o.Allocate(50))
	o.Allocate(2 << 20)
	err := o.Close()
	if err == nil || !strings.Contains(err.Error(), "2 blocks, 2098152 bytes, were not freed") {
		t.Errorf("Close returned %v", err)
	}
	if got := o.MappedBytes(); got != 0 {
		t.Errorf("%d bytes are mapped after Close", got)
	}
	if err := o.Close(); err != nil {
		t.Errorf("a second Close returned %v", err)
	}
	mustPanic(t, "after Close", func() { o.Allocate(1) })
}

func TestOffheapTrimUnmapsWhatIsFree(t *testing.T) {
	o := offheap(t)
	defer o.Close()
	kept, small, large := o.Allocate(100), o.Allocate(5000), o.Allocate(3<<20)
	kept[99] = 7
	o.Free(small)
	o.Free(large)
	before := o.MappedBytes()
	o.Trim()
	if after := o.MappedBytes(); after >= before || after == 0 {
		t.Errorf("%d bytes are mapped after Trim, %d before", after, before)
	}
	if kept[99] != 7 {
		t.Error("Trim took memory that is out")
	}
	again := o.Allocate(5000)
	again[4999] = 1
	o.Free(again)
	o.Free(kept)
}

func TestOffheapKeepsAtMostMaxRetained(t *testing.T) {
	if _, err := arrowmem.NewOffheap(arrowmem.Options{}); err != nil {
		t.Skip(err)
	}
	o, err := arrowmem.NewOffheap(arrowmem.Options{MaxRetained: 5 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	var blocks [][]byte
	for range 4 {
		blocks = append(blocks, o.Allocate(2<<20))
	}
	for _, b := range blocks {
		o.Free(b)
	}
	if got := o.MappedBytes(); got != 4<<20 {
		t.Errorf("%d bytes are mapped, want two blocks of 2 MiB", got)
	}
}

func TestRecyclerRefusesWhatIsNotItsOwn(t *testing.T) {
	r := arrowmem.NewRecycler(arrowmem.Options{})
	b := r.Allocate(1000)
	r.Free(b[64:])             // misaligned class, wrong capacity
	r.Free(make([]byte, 1000)) // no class has this capacity, most likely
	r.Free(b[:500:700])
	if got := r.Stats().Foreign; got != 3 {
		t.Errorf("%d slices were refused, want 3", got)
	}
}

func TestRecyclerMovesShrunkenBlocks(t *testing.T) {
	for name, mem := range map[string]arrowmem.Allocator{"recycler": arrowmem.NewRecycler(arrowmem.Options{}), "offheap": offheap(t)} {
		b := mem.Reallocate(900, mem.Allocate(10_000))
		if cap(b) > 2000 {
			t.Errorf("%s: 900 bytes hold a block of %d", name, cap(b))
		}
		mem.Free(b)
	}
}

func TestNoZeroLeavesOldBytes(t *testing.T) {
	if raceEnabled {
		t.Skip("sync.Pool drops at random under the race detector")
	}
	for name, mem := range map[string]arrowmem.Allocator{
		"recycler": arrowmem.NewRecycler(arrowmem.Options{NoZero: true}),
		"offheap":  must(arrowmem.NewOffheap(arrowmem.Options{NoZero: true})),
	} {
		b := mem.Allocate(300)
		copy(b, "SECRET!!")
		mem.Free(b)
		if got := string(mem.Allocate(300)[:8]); got != "SECRET!!" {
			t.Errorf("%s: the memory reads %q, so nothing was used again or it was cleared", name, got)
		}
	}
}

func must(o *arrowmem.Offheap, err error) arrowmem.Allocator {
	if err != nil {
		return arrowmem.NewRecycler(arrowmem.Options{NoZero: true})
	}
	return o
}

func TestGuardFindsMisuse(t *testing.T) {
	open := func() *arrowmem.Guard { return arrowmem.NewGuard(arrowmem.NewGo(), arrowmem.GuardOptions{}) }
	for name, c := range map[string]struct {
		want []string
		do   func(g *arrowmem.Guard)
	}{
		"twice": {[]string{"free already", "allocated at", "freed at", "misuse_test.go"}, func(g *arrowmem.Guard) {
			b := g.Allocate(100)
			g.Free(b)
			g.Free(b)
		}},
		"foreign": {[]string{"never allocated here"}, func(g *arrowmem.Guard) { g.Free(make([]byte, 10)) }},
		"part":    {[]string{"begins 8 bytes after the start"}, func(g *arrowmem.Guard) { g.Free(g.Allocate(100)[8:]) }},
		"length":  {[]string{"with 50 bytes of a block that was handed out with 100"}, func(g *arrowmem.Guard) { g.Free(g.Allocate(100)[:50]) }},
		"late write": {[]string{"byte 3 of a block of 100 was written after its Free", "freed at"}, func(g *arrowmem.Guard) {
			b := g.Allocate(100)
			g.Free(b)
			b[3] = 1
			g.Close()
		}},
		"old slice": {[]string{"free already"}, func(g *arrowmem.Guard) {
			b := g.Allocate(100)
			g.Reallocate(101, b)
			g.Free(b)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, want := range c.want {
				mustPanic(t, want, func() { c.do(open()) })
			}
		})
	}
}

func TestGuardNamesLeaks(t *testing.T) {
	g := arrowmem.NewGuard(arrowmem.NewGo(), arrowmem.GuardOptions{})
	g.Free(g.Allocate(10))
	leak(g)
	err := g.Close()
	if err == nil || strings.Count(err.Error(), "not freed") != 1 || !strings.Contains(err.Error(), "77 bytes") ||
		!strings.Contains(err.Error(), "arrowmem_test.leak") {
		t.Errorf("Close returned %v", err)
	}
}

func leak(g *arrowmem.Guard) { g.Allocate(77) }

// TestThePackageImportsNoArrow holds the promise that users of the allocators
// link neither arrow-go nor what it needs.
func TestThePackageImportsNoArrow(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").CombinedOutput()
	if err != nil {
		t.Skipf("go list: %v\n%s", err, out)
	}
	for _, path := range strings.Fields(string(out)) {
		if strings.Contains(strings.SplitN(path, "/", 2)[0], ".") && !strings.HasPrefix(path, "github.com/poolproof/poolproof/") {
			t.Errorf("the package needs %s", path)
		}
	}
}

func TestReuseAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("sync.Pool drops at random under the race detector")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for name, mem := range map[string]arrowmem.Allocator{"recycler": arrowmem.NewRecycler(arrowmem.Options{}), "offheap": offheap(t)} {
		mem.Free(mem.Allocate(5000))
		if n := testing.AllocsPerRun(100, func() { mem.Free(mem.Allocate(5000)) }); n != 0 {
			t.Errorf("%s: %v allocations for an Allocate and a Free", name, n)
		}
	}
}
