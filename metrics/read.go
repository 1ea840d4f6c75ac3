package metrics

import (
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/buffer"
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

// Read returns what the sources know now; without sources, what Named knows. No
// two samples have the same metric and labels. It is safe for concurrent use.
func Read(sources ...Source) []Sample {
	if len(sources) == 0 {
		sources = []Source{Named()}
	}
	r := &reading{at: make(map[series]int), sizes: make(map[string]asked)}
	for _, s := range sources {
		if s.read != nil {
			s.read(r)
		}
	}
	r.finish()
	return r.samples
}

// oversize is the class of buffers above Options.Max.
const oversize = "oversize"

// reading is one call of Read.
type reading struct {
	samples []Sample
	at      map[series]int // index in samples
	sizes   map[string]asked
	pools   []string // the keys of sizes, in order
}

// series is what tells samples apart. No metric has more labels than two.
type series struct {
	metric        *Metric
	first, second string
}

// asked is what Metric waste is made of. Quotients of pools of the same name
// cannot be added, so they are formed at the end.
type asked struct{ asked, handed uint64 }

func (r *reading) objects(name string, s pool.Stats) {
	name = valid(name)
	if s.Level >= pool.Uses {
		r.add(gets, name, "", s.Gets)
	}
	r.add(misses, name, "", s.Misses)
	r.add(fromReserve, name, "", s.FromReserve)

	d := s.Dropped
	r.add(dropped, name, "keep", d.Keep)
	r.add(dropped, name, "max_size", d.MaxSize)
	r.add(dropped, name, "utilised", d.Utilised)
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

func (r *reading) buffers(name string, s buffer.Stats) {
	name = valid(name)
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
func (r *reading) add(m *Metric, pool, second string, value uint64) {
	r.addFloat(m, pool, second, float64(value))
}

// addFloat is add with a value that need not be whole, and for labels of any names.
func (r *reading) addFloat(m *Metric, first, second string, value float64) {
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

// finish adds what needs all pools.
func (r *reading) finish() {
	for _, name := range r.pools {
		s := r.sizes[name]
		r.samples = append(r.samples, Sample{Metric: waste, Labels: []string{name}, Value: float64(s.handed) / float64(s.asked)})
	}
}

// valid returns a name that Prometheus and OpenTelemetry accept as a label.
func valid(name string) string { return strings.ToValidUTF8(name, "\uFFFD") }
