package arrowmem_test

import (
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
	mem := arrowmem.NewRecycler(arrowmem.Options{})
	b := mem.Reallocate(900, mem.Allocate(10_000))
	if cap(b) > 2000 {
		t.Errorf("900 bytes hold a block of %d", cap(b))
	}
	mem.Free(b)
}

func TestNoZeroLeavesOldBytes(t *testing.T) {
	if raceEnabled {
		t.Skip("sync.Pool drops at random under the race detector")
	}
	mem := arrowmem.NewRecycler(arrowmem.Options{NoZero: true})
	b := mem.Allocate(300)
	copy(b, "SECRET!!")
	mem.Free(b)
	if got := string(mem.Allocate(300)[:8]); got != "SECRET!!" {
		t.Errorf("the memory reads %q, so nothing was used again or it was cleared", got)
	}
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
	mem := arrowmem.NewRecycler(arrowmem.Options{})
	mem.Free(mem.Allocate(5000))
	if n := testing.AllocsPerRun(100, func() { mem.Free(mem.Allocate(5000)) }); n != 0 {
		t.Errorf("%v allocations for an Allocate and a Free", n)
	}
}
