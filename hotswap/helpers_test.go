package hotswap_test

import (
	"context"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/poolproof/poolproof/hotswap"
	"github.com/poolproof/poolproof/internal/ledger"
)

// config is a value.
type config struct {
	version int
	names   map[string]string
}

// options are those of most tests.
func options() hotswap.Options[config] {
	return hotswap.Options[config]{
		New: func() *config { return &config{names: make(map[string]string)} },
		Reset: func(x *config) bool {
			clear(x.names)
			x.version = 0
			return true
		},
	}
}

// publish makes a version current.
func publish(t testing.TB, c *hotswap.Container[config], p *hotswap.Pool[config], version int) {
	t.Helper()
	d := p.Get()
	d.Value().version = version
	if err := c.Update(&d); err != nil {
		t.Fatalf("Update: %v", err)
	}
}

// current returns the version that a reader gets now, 0 if there is none.
func current(c *hotswap.Container[config]) (version int) {
	c.Do(func(x *config) { version = x.version })
	return version
}

// exactly switches off what makes allocations vary until the test ends. It skips
// the test under the race detector and in the checked build, which allocate on
// their own account.
func exactly(t *testing.T) {
	t.Helper()
	if raceDetector || ledger.Checked {
		t.Skip("this build allocates on its own account")
	}
	procs, percent := runtime.GOMAXPROCS(1), debug.SetGCPercent(-1)
	t.Cleanup(func() {
		debug.SetGCPercent(percent)
		runtime.GOMAXPROCS(procs)
	})
	runtime.GC() // one that was running before SetGCPercent
}

// ended returns a context that has ended.
func ended() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}
