package figures

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/buffer"
	"github.com/poolproof/poolproof/hotswap"
	"github.com/poolproof/poolproof/pool"
)

// Sample is the value of a Metric for one set of labels.
type Sample struct {
	Metric *Metric
	// Labels are the values of Metric.Labels, in their order: valid UTF-8. The
	// class of what has none is empty.
	Labels []string
	Value  float64
}

// Source is where statistics come from. The zero value has none.
type Source struct {
	read func(*Reading)
}

// NewSource returns a Source that read adds to a Reading. read must be safe for
// concurrent use.
func NewSource(read func(*Reading)) Source { return Source{read} }

// Read returns what the sources know now. No two samples have the same metric and
// labels. It is safe for concurrent use.
func Read(sources ...Source) []Sample {
	r := &Reading{at: make(map[series]int), sizes: make(map[string]asked), unknown: make(map[unknown]bool)}
	for _, s := range sources {
		if s.read != nil {
			s.read(r)
		}
	}
	return r.finish()
}

// oversize is the class of buffers above Options.Max.
const oversize = "oversize"

// Reading is one call of Read. Figures of the same name and labels are added up.
type Reading struct {
	samples []Sample
	at      map[series]int // index in samples
	sizes   map[string]asked
	pools   []string         // the keys of sizes, in order
	unknown map[unknown]bool // what a pool does not count
}

// unknown is a figure that a pool of that name does not count. The sum over all
// pools of that name is not known then, whatever the others count: a sum over some
// of them, set beside one over all, would tell of a hit rate that none has.
type unknown struct {
	metric *Metric
	pool   string
}

// series is the key of a sample. No metric has more labels than two.
type series struct {
	metric        *Metric
	first, second string
}

// asked holds the two sums of Metric waste. Quotients of pools of the same name
// cannot be added, so they are formed at the end.
type asked struct{ asked, handed uint64 }

// Objects adds the figures of a pool of package pool.
func (r *Reading) Objects(name string, s pool.Stats) {
	name = valid(name)
	r.level(name, s.Level)
	if s.Level >= pool.Uses {
		r.add(gets, name, "", s.Gets)
	}
	r.add(misses, name, "", s.Misses)
	r.add(fromReserve, name, "", s.FromReserve)

	d := s.Dropped
	r.add(dropped, name, "keep", d.Keep)
	r.add(dropped, name, "max_size", d.MaxSize)
	r.add(dropped, name, "underused", d.Underused)
	r.add(dropped, name, "abandoned", d.Abandoned)
	if s.Level >= pool.Leaks {
		r.add(dropped, name, "twice", d.Twice)
		r.add(foreign, name, "", s.Foreign)
		r.add(lost, name, "", s.Lost)
		r.add(inUse, name, "", uint64(s.InUse))
	}

	r.add(reserved, name, "", uint64(s.Reserved))
	if s.Reserved == 0 || s.ReservedBytes > 0 { // else the pool knows no sizes
		r.add(reservedBytes, name, "", uint64(s.ReservedBytes))
	}
	r.add(decayed, name, "", s.Decayed)
}

// level notes what a pool of that level does not count.
func (r *Reading) level(name string, l pool.StatsLevel) {
	if l < pool.Uses {
		r.unknown[unknown{gets, name}] = true
		r.unknown[unknown{waste, name}] = true
	}
	if l < pool.Leaks {
		r.unknown[unknown{lost, name}] = true
		r.unknown[unknown{inUse, name}] = true
		r.unknown[unknown{inUseBytes, name}] = true
	}
}

// Buffers adds the figures of a pool of package buffer.
func (r *Reading) Buffers(name string, s buffer.Stats) {
	name = valid(name)
	r.level(name, s.Level)
	r.add(dropped, name, "oversize", s.Dropped.Oversize)
	r.add(dropped, name, "abandoned", s.Dropped.Abandoned)
	r.add(foreign, name, "", s.Foreign)
	for _, c := range s.Class {
		class := oversize
		if c.Size > 0 {
			class = strconv.Itoa(c.Size)
		}
		if s.Level >= pool.Uses {
			r.add(gets, name, class, c.Gets)
		}
		r.add(misses, name, class, c.Misses)
		r.add(fromReserve, name, class, c.FromReserve)
		if s.Level >= pool.Leaks {
			r.add(lost, name, class, c.Lost)
			r.add(inUse, name, class, uint64(max(c.InUse, 0)))
			r.add(inUseBytes, name, class, uint64(max(c.InUseBytes, 0)))
		}
		r.add(reserved, name, class, uint64(c.Reserved))
		r.add(reservedBytes, name, class, uint64(c.ReservedBytes))
		r.add(decayed, name, class, c.Decayed)
	}
	if s.Level >= pool.Uses && s.Asked > 0 {
		sum, known := r.sizes[name]
		if !known {
			r.pools = append(r.pools, name)
		}
		sum.asked += s.Asked
		sum.handed += s.Handed
		r.sizes[name] = sum
	}
}

// add adds value to a sample, which begins with 0. second is the value of the
// second label, if m has one.
func (r *Reading) add(m *Metric, pool, second string, value uint64) {
	r.addFloat(m, pool, second, float64(value))
}

// addMax adds a sample that does not add up: of several the largest counts.
func (r *Reading) addMax(m *Metric, pool string, value float64) {
	if i, known := r.at[series{m, pool, ""}]; known {
		r.samples[i].Value = max(r.samples[i].Value, value)
		return
	}
	r.addFloat(m, pool, "", value)
}

// addFloat is add with a value that need not be whole, and for labels of any names.
func (r *Reading) addFloat(m *Metric, first, second string, value float64) {
	key := series{m, first, second}
	i, known := r.at[key]
	if !known {
		i = len(r.samples)
		r.at[key] = i
		labels := []string{first, second}
		r.samples = append(r.samples, Sample{Metric: m, Labels: labels[:len(m.Labels)]})
	}
	r.samples[i].Value += value
}

// finish adds what needs all pools, and leaves out what one of them does not know.
func (r *Reading) finish() []Sample {
	for _, name := range r.pools {
		s := r.sizes[name]
		r.samples = append(r.samples, Sample{Metric: waste, Labels: []string{name}, Value: float64(s.handed) / float64(s.asked)})
	}
	return slices.DeleteFunc(r.samples, func(s Sample) bool { return r.unknown[unknown{s.Metric, s.Labels[0]}] })
}

// valid returns a name that Prometheus and OpenTelemetry accept as a label.
func valid(name string) string { return strings.ToValidUTF8(name, "\uFFFD") }

// Values adds the figures of a pool of package hotswap.
func (r *Reading) Values(name string, s hotswap.Stats) {
	name = valid(name)
	r.add(swapValues, name, "current", uint64(s.Live))
	r.add(swapValues, name, "retired", uint64(s.Retired))
	r.add(swapValues, name, "free", uint64(s.Spare))
	r.add(swapValues, name, "draft", uint64(s.Drafts))
	r.add(swapHolds, name, "", uint64(max(s.Outstanding, 0))) // holds come and go while they are added up
	r.addMax(swapOldest, name, s.OldestRetired.Seconds())
	r.add(swapMade, name, "", s.News)
	r.add(swapReused, name, "", s.Reuses)
	r.add(swapDropped, name, "", s.Drops)
}

// Stage holds the counts of one stage of a pipeline: metrics.Stage.
type Stage struct {
	Pipeline, Stage               string
	Runs, Batches, Values, Errors uint64
	Busy, Blocked, Starved        time.Duration
	Queued, Room                  int
}

// Stage adds the figures of a stage.
func (r *Reading) Stage(s Stage) {
	pipeline, name := valid(s.Pipeline), valid(s.Stage)
	add := func(m *Metric, value float64) { r.addFloat(m, pipeline, name, value) }
	add(stageRuns, float64(s.Runs))
	add(stageBatches, float64(s.Batches))
	add(stageValues, float64(s.Values))
	add(stageErrors, float64(s.Errors))
	add(stageBusy, s.Busy.Seconds())
	if s.Room > 0 || s.Blocked > 0 || s.Starved > 0 { // has a goroutine of its own
		add(stageBlocked, s.Blocked.Seconds())
		add(stageStarved, s.Starved.Seconds())
		add(stageQueued, float64(s.Queued))
		add(stageRoom, float64(s.Room))
	}
}
