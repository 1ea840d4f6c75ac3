package drain

import (
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
)

func TestTakeMakesNothingWhileGetsDo(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	made := 0
	p := sync.Pool{New: func() any {
		if Asked() {
			return nil
		}
		made++
		return new(int)
	}}
	if x := Take(&p); x != nil || made != 0 {
		t.Fatalf("took %v, made %d", x, made)
	}
	x := p.Get()
	if x == nil || made != 1 {
		t.Fatalf("got %v, made %d", x, made)
	}
	draining.Add(1) // another goroutine drains
	if y := p.Get(); y == nil || made != 2 {
		t.Errorf("beside a Take: got %v, made %d", y, made)
	}
	draining.Add(-1)
}
