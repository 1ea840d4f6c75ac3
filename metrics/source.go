package metrics

import (
	"time"

	"github.com/poolproof/poolproof/buffer"
	"github.com/poolproof/poolproof/hotswap"
	"github.com/poolproof/poolproof/metrics/internal/figures"
	"github.com/poolproof/poolproof/pool"
)

// Source is where statistics come from: what the functions of this package return.
// The zero value has none. It is safe for concurrent use.
type Source = figures.Source

// Named is all pools that have a name and are in use at the time of reading:
// those of pool.New, buffer.New and hotswap.NewPool with Options.Name. It keeps
// none of them alive.
func Named() Source {
	return figures.NewSource(func(r *figures.Reading) {
		for s := range pool.All() {
			r.Objects(s.Name, s)
		}
		for s := range buffer.All() {
			r.Buffers(s.Name, s)
		}
		for s := range hotswap.All() {
			r.Values(s.Name, s)
		}
	})
}

// Objects is one pool of package pool, called name whatever its own name is. The
// usual stats is the method Stats of the pool, which keeps the pool alive as
// long as the Source. A pool that Named covers too is counted twice.
func Objects(name string, stats func() pool.Stats) Source {
	return figures.NewSource(func(r *figures.Reading) { r.Objects(name, stats()) })
}

// Buffers is one pool of package buffer, as Objects is one of package pool.
func Buffers(name string, stats func() buffer.Stats) Source {
	return figures.NewSource(func(r *figures.Reading) { r.Buffers(name, stats()) })
}

// Values is one pool of package hotswap, as Objects is one of package pool.
func Values(name string, stats func() hotswap.Stats) Source {
	return figures.NewSource(func(r *figures.Reading) { r.Values(name, stats()) })
}

// Stage holds the counts of one stage of a pipeline since its start.
type Stage struct {
	Pipeline string // label pipeline
	Stage    string // label stage

	Runs    uint64
	Batches uint64 // sent by the stage
	Values  uint64 // in them
	Errors  uint64 // of single items, in them

	Busy    time.Duration // taken by the stage itself
	Blocked time.Duration // that the stages before waited for it
	Starved time.Duration // that it waited for the stages before

	Queued int // batches that wait at the stage now
	Room   int // how many can
}

// Stages is the stages of pipelines, as many as read returns at each reading.
// Stages of the same pipeline and name are added up. The StageStats of package
// systems/flow, which this module does not need for it, has the fields of a Stage:
//
//	metrics.Stages(func() (stages []metrics.Stage) {
//		for _, s := range watch.Stats() {
//			stages = append(stages, metrics.Stage(s))
//		}
//		return stages
//	})
func Stages(read func() []Stage) Source {
	return figures.NewSource(func(r *figures.Reading) {
		for _, s := range read() {
			r.Stage(figures.Stage(s))
		}
	})
}
