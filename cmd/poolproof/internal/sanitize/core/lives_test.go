package core

import (
	"math/rand/v2"
	"testing"
	"unsafe"
)

func newLives(t *testing.T) *Lives {
	t.Helper()
	l := new(Lives)
	reserve, memory := make([]byte, LivesReserve), make([]uint64, LivesMemory/8)
	l.Init(unsafe.Pointer(&reserve[0]), unsafe.Pointer(&memory[0]))
	t.Cleanup(func() { _, _ = reserve[0], memory[0] })
	return l
}

func TestALifeIsFoundByItsAddressUntilItIsFreed(t *testing.T) {
	l := newLives(t)
	model := map[uintptr]*Life{}
	r := rand.New(rand.NewPCG(1, 2))
	heavy := map[*Life]uintptr{}
	for range 20000 {
		addr := uintptr(r.IntN(500)+1) * 16
		if x := model[addr]; x != nil {
			if l.Find(addr) != x {
				t.Fatalf("%#x is not found", addr)
			}
			l.Freed(x)
			if !x.Dead || l.Find(addr) != nil {
				t.Fatalf("%#x is freed and found", addr)
			}
			delete(model, addr)
			continue
		}
		light := r.IntN(3) != 0
		before := l.Len()
		x := l.Add(addr, 16, light)
		if x == nil || x.Addr != addr || x.Light != light || x.Dead {
			t.Fatalf("%+v", x)
		}
		if !light {
			if l.Len() != before+1 || l.At(before) != x {
				t.Fatal("one that is not light is not the last")
			}
			heavy[x] = addr
		}
		model[addr] = x
	}
	for x, addr := range heavy {
		if x.Addr != addr || x.Light {
			t.Fatal("one that is not light has lost its place")
		}
	}
	if int(l.Len()) > len(heavy)+500 {
		t.Errorf("%d places for %d heavy ones: those of light ones are not used again", l.Len(), len(heavy))
	}
}

func TestLivesThatAreFullCountWhatIsLost(t *testing.T) {
	l := newLives(t)
	for i := range uintptr(livesCount) {
		if l.Add(16*(i+1), 16, i%2 == 0) == nil {
			t.Fatalf("full after %d", i)
		}
	}
	if l.Add(8, 16, true) != nil || l.Lost != 1 {
		t.Fatalf("lost %d", l.Lost)
	}
	l.Freed(l.Find(16)) // a light one
	if l.Add(8, 16, false) != nil {
		t.Error("one that is not light has a place of before")
	}
	if l.Add(8, 16, true) == nil {
		t.Error("no place for a light one")
	}
}

func newActivations(t *testing.T) *Activations {
	t.Helper()
	a := new(Activations)
	reserve := make([]byte, ActivationsReserve)
	a.Init(unsafe.Pointer(&reserve[0]))
	t.Cleanup(func() { _ = reserve[0] })
	return a
}

func TestActivationsKnowWhatIsAroundThem(t *testing.T) {
	a := newActivations(t)
	outer := a.Begin(1, 0, 7, 5, true)
	inner := a.Begin(2, outer, 7, 6, true)
	number := a.At(inner).Number
	if !a.Has(inner, a.At(outer).Number) || a.Has(outer, number) || a.Outermost(inner) != a.At(outer).Number {
		t.Error("the call around one is not known")
	}
	if x := a.At(inner); x.Depth != 1 || x.First != 6 || x.Goroutine != 7 || x.Func != 2 || number <= a.At(outer).Number {
		t.Errorf("%+v", *x)
	}
	if a.End(inner) != outer {
		t.Error("the call around the one that has ended is another")
	}
	again := a.Begin(2, outer, 7, 6, true)
	if again != inner {
		t.Error("a free place is not used")
	}
	if a.Has(again, number) {
		t.Error("a call that has ended counts as one around its successor")
	}
	if a.End(a.Begin(3, 0, 8, 0, true)) != 0 {
		t.Error("an outermost call has one around it")
	}
}

func TestCallsAreTestedEverLessOften(t *testing.T) {
	a := newActivations(t)
	tested := func(fn, parent uint32, ask bool) bool {
		place := a.Begin(fn, parent, 1, 0, ask)
		defer a.End(place)
		return a.At(place).Tested
	}
	count := func(n int, f func() bool) (tested int) {
		for range n {
			if f() {
				tested++
			}
		}
		return tested
	}
	outermost := func() bool { return tested(1, 0, true) }
	if n := count(16, outermost); n != 6 { // 1 to 4, 8, 16
		t.Errorf("%d of 16 outermost calls", n)
	}
	if n := count(15, outermost); n != 0 {
		t.Errorf("%d of the next 15", n)
	}
	a.Operation()
	if n := count(4, outermost); n != 4 {
		t.Errorf("%d of the first 4 of another operation", n)
	}
	a.Operation()
	if tested(1, 0, false) {
		t.Error("a call in an operation that is not tested")
	}
	a.Operation()
	outer := a.Begin(1, 0, 1, 0, true)
	if n := count(16, func() bool { return tested(2, outer, true) }); n != 6 {
		t.Errorf("%d of 16 inner calls", n)
	}
	if n := count(4, func() bool { return tested(3, outer, true) }); n != 4 {
		t.Errorf("%d of 4 inner calls of another function", n)
	}
	untested := a.Begin(2, outer, 1, 0, true)
	if !a.OutermostTested(untested) || !a.OutermostTested(outer) || a.OutermostTested(a.Begin(1, 0, 2, 0, false)) {
		t.Error("whether the outermost call is tested is not known")
	}
	if a.At(untested).Tested || tested(4, untested, true) {
		t.Error("a call is tested in one that is not")
	}
	if tested(activationFuncs, outer, true) {
		t.Error("a call of a function beyond the last is tested")
	}
}

func TestActivationsThatAreFullCountWhatIsLost(t *testing.T) {
	a := newActivations(t)
	last := uint32(0)
	for range activationsCount - 1 {
		last = a.Begin(1, 0, 1, 0, true)
	}
	if last == 0 || a.Begin(1, 0, 1, 0, true) != 0 || a.Lost != 1 {
		t.Errorf("last place %d, lost %d", last, a.Lost)
	}
	a.End(last)
	if a.Begin(1, 0, 1, 0, true) != last {
		t.Error("the free place is not used")
	}
}
