package pooltest

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/poolproof/poolproof/internal/gcepoch"
	"github.com/poolproof/poolproof/internal/ledger"
)

var said sync.Once

// sayThatThisIsWeaker logs, once in the process, what the normal build cannot
// see.
func (c *check) sayThatThisIsWeaker() {
	c.t.Helper()
	said.Do(func() {
		c.t.Log("pooltest: this build reports only what pools at the level Leaks lost to the garbage collector;" +
			" run go test -tags poolproofdebug to see each object that is not put, and where it was got")
	})
}

// collect runs collections and gives the cleanups of what they took some time:
// they run on goroutines of their own, in no order, on a busy machine late. So
// it waits for one of its own each time, and a little longer.
func collect() {
	for pause := time.Millisecond; pause <= 16*time.Millisecond; pause *= 2 {
		collectOnce(pause)
	}
}

// collectOnce runs a collection, waits for a cleanup of its own, and pauses.
func collectOnce(pause time.Duration) {
	cleaned := drop()
	gcepoch.Collect(1)
	select {
	case <-cleaned:
	case <-time.After(patience):
	}
	time.Sleep(pause)
}

// drop makes an object that nothing refers to and returns a channel that its
// cleanup closes.
//
//go:noinline
func drop() <-chan struct{} {
	cleaned := make(chan struct{})
	runtime.AddCleanup(new([64]byte), func(c chan struct{}) { close(c) }, cleaned)
	return cleaned
}

// endWeak is end in the normal build.
func (c *check) endWeak() {
	c.t.Helper()
	if !ledger.Watching() {
		return
	}
	collect()
	lost := ledger.Losses()
	for _, pool := range slices.Sorted(maps.Keys(lost)) {
		if n := lost[pool] - c.lost[pool]; n > 0 && !c.ignored[pool] {
			c.t.Errorf("pooltest: %s: %s got and never put: the garbage collector found it out;"+
				" go test -tags poolproofdebug shows where each was got", pool, count(int(n)))
		}
	}
}

// patience is how long Check waits for goroutines that still finish.
var patience = time.Second

// poll asks done until it says yes or patience is over, and reports which.
func poll(done func() bool) bool {
	pause := time.Millisecond
	for deadline := time.Now().Add(patience); ; {
		if done() {
			return true
		}
		if time.Now().After(deadline) {
			return false
		}
		time.Sleep(pause)
		pause = min(2*pause, 100*time.Millisecond)
	}
}

// count returns "1 object was", "2 objects were", and so on.
func count(n int) string {
	if n == 1 {
		return "1 object was"
	}
	return fmt.Sprintf("%d objects were", n)
}
