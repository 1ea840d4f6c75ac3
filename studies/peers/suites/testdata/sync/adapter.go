// Package suite gives pool.Pool the names of package sync.
package suite

import (
	"sync"
	"time"
	_ "unsafe" // for linkname

	"github.com/poolproof/poolproof/pool"
)

type WaitGroup = sync.WaitGroup

// box holds a value, because Put of a sync.Pool takes values of any type.
type box struct{ value any }

type Pool struct {
	New func() any

	once  sync.Once
	boxes *pool.Pool[box]
}

func (p *Pool) init() { p.boxes = pool.New(pool.Options[box]{}) }

func (p *Pool) Get() any {
	p.once.Do(p.init)
	x := p.boxes.Get().value
	if x == nil && p.New != nil {
		x = p.New()
	}
	return x
}

func (p *Pool) Put(x any) {
	p.once.Do(p.init)
	if x != nil {
		p.boxes.Put(&box{x})
	}
}

//go:linkname Runtime_procPin runtime.procPin
func Runtime_procPin() int

//go:linkname Runtime_procUnpin runtime.procUnpin
func Runtime_procUnpin()

// runtime_blockUntilEmptyCleanupQueue waits for cleanups. The runtime's function
// of that name is for package sync's tests alone.
func runtime_blockUntilEmptyCleanupQueue(int64) { time.Sleep(500 * time.Millisecond) }
