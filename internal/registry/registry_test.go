package registry

import (
	"runtime"
	"slices"
	"testing"
)

type thing struct {
	name string
	_    [32]byte
}

func (t *thing) stats() string { return t.name }

func names(l *List[string]) (all []string) {
	for s := range l.All {
		all = append(all, s)
	}
	return all
}

func TestEachGivesWhatIsAliveInOrder(t *testing.T) {
	var l List[string]
	if got := names(&l); got != nil {
		t.Fatalf("an empty list gives %v", got)
	}
	a, b, c := &thing{name: "a"}, &thing{name: "b"}, &thing{name: "a"}
	for _, x := range []*thing{a, b, c} {
		Add(&l, x, (*thing).stats)
	}
	if got, want := names(&l), []string{"a", "b", "a"}; !slices.Equal(got, want) {
		t.Errorf("All gave %v, want %v", got, want)
	}
	runtime.KeepAlive(a)
	runtime.KeepAlive(c)
	b.name = "B" // alive until here
	b = nil
	runtime.GC()
	if got, want := names(&l), []string{"a", "a"}; !slices.Equal(got, want) {
		t.Errorf("after b was collected All gave %v, want %v", got, want)
	}
	runtime.KeepAlive(a)
	runtime.KeepAlive(c)
}

func TestTheListDoesNotGrowByWhatIsGone(t *testing.T) {
	var l List[string]
	for range 100 {
		for range 100 {
			Add(&l, &thing{name: "short"}, (*thing).stats)
		}
		runtime.GC()
	}
	if n := cap(l.sources); n > 1000 {
		t.Errorf("room for %d sources, of which at most 100 were alive at a time", n)
	}
}

func TestTheLoopMayUseTheList(t *testing.T) {
	var l List[string]
	a := &thing{name: "a"}
	Add(&l, a, (*thing).stats)
	var nested []string
	for range l.All {
		Add(&l, a, (*thing).stats)
		nested = names(&l)
	}
	if len(nested) != 2 {
		t.Errorf("a nested All gave %v", nested)
	}
	runtime.KeepAlive(a)
}
