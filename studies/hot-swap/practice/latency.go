package practice

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	hotswap "github.com/poolproof/poolproof/studies/hot-swap"
	"github.com/poolproof/poolproof/studies/internal/crew"
)

// Readers are the goroutines that read that Latency has.
var Readers = []int{1, 4}

// Latency replaces a Table of 100,000 entries once in an operation, while
// goroutines look up keys, each with a clock in its hand. p50-ns, p99-ns and
// p99.9-ns are quantiles of a lookup, that of the clock included, and max-ns the
// longest, all of the lookups of a measurement. The keys are few, so that a
// lookup waits for memory only where a Table is new to the reader's processor.
func Latency(b *testing.B, arms []Arm) {
	for _, readers := range Readers {
		for _, arm := range arms {
			b.Run(fmt.Sprintf("readers=%d/impl=%s", readers, arm.Name), func(b *testing.B) {
				l := newLatency(containerOf(arm), data(), readers)
				defer l.close()
				b.ReportAllocs()
				b.ResetTimer()
				for range b.N {
					l.run()
				}
				b.StopTimer()
				h, err := l.seen()
				if err != nil {
					b.Fatal(err)
				}
				for unit, d := range map[string]time.Duration{
					"p50-ns":   h.Quantile(0.5),
					"p99-ns":   h.Quantile(0.99),
					"p99.9-ns": h.Quantile(0.999),
					"max-ns":   h.Max(),
				} {
					b.ReportMetric(float64(d), unit)
				}
			})
		}
	}
}

// hotKeys is how many keys a reader asks for, again and again.
const hotKeys = 64

// latency is one writer and its readers.
type latency struct {
	container hotswap.Container
	next      func() func(*hotswap.Table)
	readers   []*timed
	replaced  atomic.Bool // of the operation that runs
	crew      *crew.Crew
}

// timed is a goroutine that reads, and what it has seen.
type timed struct {
	lookup  func(keys []string) int
	release func()
	keys    []string
	want    int // the sum of all keys
	wrong   int // how often it was another
	seen    Histogram
}

func newLatency(c hotswap.Container, d *hotswap.Data, readers int) *latency {
	l := &latency{container: c, next: fills(d)}
	keys := hot(d, hotKeys)
	want := l.container.Lookup(keys)
	for range readers {
		lookup, release := handle(l.container)
		l.readers = append(l.readers, &timed{lookup: lookup, release: release, keys: keys, want: want})
	}
	l.crew = crew.New(1+readers, l.share)
	return l
}

// close ends the goroutines of l.
func (l *latency) close() {
	for _, r := range l.readers {
		r.release()
	}
	l.crew.Close()
}

// run is one operation.
func (l *latency) run() {
	l.replaced.Store(false)
	l.crew.Run()
}

func (l *latency) share(i int) {
	if i == 0 {
		l.container.Replace(l.next())
		l.replaced.Store(true)
		return
	}
	r := l.readers[i-1]
	for end := false; !end; {
		end = l.replaced.Load() // one round more: the new Table must be right too
		r.round()
	}
}

var epoch = time.Now()

// round looks each key up once.
func (r *timed) round() {
	sum := 0
	for i := range r.keys {
		start := time.Since(epoch)
		sum += r.lookup(r.keys[i : i+1])
		r.seen.Add(time.Since(epoch) - start)
	}
	if sum != r.want {
		r.wrong++
	}
}

// seen returns what all readers have seen.
func (l *latency) seen() (*Histogram, error) {
	h, wrong := &Histogram{}, 0
	for _, r := range l.readers {
		h.Merge(&r.seen)
		wrong += r.wrong
	}
	if wrong > 0 {
		return nil, fmt.Errorf("in %d rounds of %d lookups the values found were not those that each table has", wrong, hotKeys)
	}
	if h.Count() == 0 {
		return nil, fmt.Errorf("nothing was read")
	}
	return h, nil
}
