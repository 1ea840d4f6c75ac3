package vetunit

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
)

// firstCollection is how much memory a process may have before it collects for the
// first time. Most packages need less, and a process analyses one: from the usual
// start of 4 MiB it would mark all that it keeps five times on the way there, for a
// fifth of its time.
const firstCollection = 128 << 20

// startLarge puts off the first collection. All is as usual after it, and from the
// start where the environment says how to collect.
func startLarge() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(firstCollection)
	type sentinel struct{ p *int }
	runtime.AddCleanup(&sentinel{new(int)}, func(percent int) {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(math.MaxInt64)
	}, 100)
}
