// Package drain takes out of a sync.Pool what waits there, and nothing that its New
// would make for it.
package drain

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
)

// draining counts the calls of Take that run.
var draining atomic.Int32

// Take returns what p has, or nil. The New of p must ask [Asked] first.
//
//go:noinline
func Take(p *sync.Pool) any {
	draining.Add(1)
	defer draining.Add(-1)
	return p.Get() //poolproof:drop what waits is what is taken out
}

// Asked reports whether the New that calls it was called by Take: then it returns
// nil and makes nothing. It costs one load while nothing is drained, and a look at
// the stack while something is.
func Asked() bool {
	if draining.Load() == 0 {
		return false
	}
	var pcs [16]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		frame, more := frames.Next()
		switch {
		case strings.HasSuffix(frame.Function, "internal/drain.Take"):
			return true
		case !more:
			return false
		}
	}
}
