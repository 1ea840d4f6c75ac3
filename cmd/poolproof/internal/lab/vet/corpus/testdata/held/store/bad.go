package store

import (
	"context"
	"io"
	"time"

	"example.org/held/lib/iters"
	"example.org/held/lib/timers"
)

// thanos-io/thanos pull 4792: the capacity is read when the slice is somebody
// else's.
func (b *bucketed) put(p *[]byte) {
	if p == nil {
		return
	}
	for i, size := range b.sizes {
		if cap(*p) > size {
			continue
		}
		*p = (*p)[:0]
		b.buckets[i].Put(p)
		break
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if n := uint64(cap(*p)); n >= b.out { // want "PV001"
		b.out = 0
	} else {
		b.out -= n
	}
}

// grafana/cortex pull 25: the error speaks of labels that were given back.
func (g *ingester) push(r *writeRequest) (string, error) {
	var last *rejected
	for _, s := range r.series {
		err := g.add(s)
		if err == nil {
			continue
		}
		if e, ok := err.(*rejected); ok {
			last = e
			continue
		}
		reuse(r)
		return "", err
	}
	reuse(r)
	if last != nil {
		return last.Error(), last // want "PV001|PV003"
	}
	return "", nil
}

// The same with the reuse deferred: the error goes out with the labels.
func (g *ingester) pushDeferred(r *writeRequest) error {
	defer reuse(r)
	for _, s := range r.series {
		for _, v := range s.values {
			if v < 0 {
				return &rejected{labels: s.labels, cause: errOrder} // want "PV003"
			}
		}
	}
	return nil
}

// grafana/mimir pull 11408: the description of both sides is put, and asked for
// what was not used.
func (b *binary) describe(ctx context.Context) ([]meta, error) {
	if err := b.load(ctx); err != nil {
		return nil, err
	}
	out := b.match()
	metaPool.put(b.leftMeta)        // may "PV015"
	metaPool.put(b.rightMeta)       // may "PV015"
	for i, m := range *b.leftMeta { // want "PV001"
		if !b.leftUsed[i] && !m.drop {
			b.left.use(i)
		}
	}
	return out, nil
}

// grafana/loki pull 20969: the slice of before the query is put, never the one
// that has grown.
func lookup(ctx context.Context, idx index, user string, from, through uint32) (int, error) {
	res := chunkPool.get()
	defer chunkPool.put(res) // want "PV013"
	res, err := idx.chunks(ctx, user, from, through, res)
	if err != nil {
		return 0, err
	}
	total := 0
	for _, c := range res {
		total += int(c.through - c.from)
	}
	return total, nil
}

// ethereum/go-ethereum issue 28565: Release may be called twice, says its
// interface; the second closes somebody else's iterator.
func (i *dbIterator) Release() { i.it.Close() } // want "PV015"

func prune(d *db, keep func([]byte) bool) error {
	it := d.newIterator(nil)
	defer it.Release() // may "PV002"
	for it.Next() {
		if !keep(it.Key()) {
			break
		}
	}
	it.Release() // want "PV002"
	return d.compact(nil, nil)
}

// cockroachdb/pebble issue 1884: whoever opened the range deletions closes them,
// and so does the merge.
func spans(b *block) (n int, err error) {
	f, err := iters.NewFragment(b.ranges)
	if err != nil {
		return 0, err
	}
	m := newMerged(f)
	for m.Next() {
		n++
	}
	if err := m.Close(); err != nil {
		return n, err
	}
	return n, f.Close() // want "PV002"
}

// cockroachdb/pebble pull 4442: the iterators that were open already.
func openExternal(files [][][]byte, lower, upper []byte) (*external, error) {
	e := externals.Get().(*external)
	e.bounds = [2][]byte{lower, upper}
	for _, keys := range files {
		it, err := iters.Open(keys, lower, upper)
		if err != nil {
			return nil, err // want "PV005"
		}
		e.levels = append(e.levels, it)
	}
	return e, nil
}

// cockroachdb/cockroach pull 84968: the wrapper of an iterator that could not be
// opened.
func newWrapped(keys [][]byte, lower, upper []byte) (*wrapped, error) {
	w := wrappers.Get().(*wrapped)
	w.inUse = false
	if err := w.open(keys, lower, upper); err != nil {
		return nil, err // want "PV005"
	}
	return w, nil
}

// cockroachdb/cockroach pull 61373: a timer is stopped, which puts it, and runs
// again in the next turn.
func poll(interval time.Duration, changed <-chan time.Duration, stop <-chan struct{}, work func()) {
	t := timers.New()
	defer t.Stop() // may "PV002"
	for {
		if interval <= 0 {
			t.Stop() // may "PV002"
		} else {
			t.Reset(interval) // want "PV001|PV002"
		}
		select {
		case <-t.C: // may "PV001"
			t.Read = true
			work()
		case interval = <-changed:
		case <-stop:
			return
		}
	}
}

// cockroachdb/cockroach pull 119595: each turn ends with a Stop.
func heartbeat(interval time.Duration, stop <-chan struct{}, beat func() error) error {
	t := timers.New()
	for {
		t.Reset(interval) // want "PV001"
		select {
		case <-t.C: // may "PV001"
			t.Read = true
		case <-stop:
			t.Stop() // may "PV002"
			return nil
		}
		if err := beat(); err != nil {
			t.Stop() // may "PV002"
			return err
		}
		t.Stop() // may "PV002"
	}
}

// VictoriaMetrics pull 11426: the worker is lost with the query.
func evalRollup(r *results, n int, f func(*series) float64) (map[int]float64, error) {
	w := getWorker(n)
	err := r.parallel(n, func(s *series, i int) error {
		w.slots[i] = append(w.slots[i], series{values: []float64{f(s)}})
		return nil
	})
	if err != nil {
		return nil, err // want "PV005"
	}
	sums := make(map[int]float64)
	for i, slot := range w.slots {
		for _, s := range slot {
			sums[i] += s.values[0]
		}
	}
	putWorker(w)
	return sums, nil
}

// VictoriaMetrics pull 11255: the rows go back only where there are rules for
// the labels, though both ways take them.
func remoteWrite(rows []series, rules map[string]string, aggregate func([]series) int) (int, error) {
	var ctx *relabel
	batch := batches.Get().(*[]series)
	defer func() {
		if ctx == nil {
			return // want "PV005"
		}
		putBatch(batch)
		putRelabel(ctx)
	}()
	if len(rules) > 0 {
		ctx = relabels.Get().(*relabel)
		for k, v := range rules {
			ctx.rules[k] = v
		}
	}
	*batch = append(*batch, rows...)
	return aggregate(*batch), nil
}

// vitessio/vitess pull 7231: the packet that could not be read.
func (c *mysql) readPacket(n int) ([]byte, error) {
	if c.last != nil {
		panic("store: the last packet was not recycled")
	}
	p, err := c.sizes.get(n)
	if err != nil {
		return nil, err
	}
	*p = (*p)[:n]
	if _, err := io.ReadFull(c.r, *p); err != nil {
		return nil, err // want "PV005"
	}
	c.last = p
	return *p, nil
}

// prebid/prebid-cache pull 55, and dgraph pull 4089: a struct in an interface.
func save(kind string, value []byte, put func(*object) error) error {
	o := objects.Get().(object)
	defer objects.Put(o) // want "PV008"
	o.kind, o.value, o.ttl = kind, value, 300
	return put(&o)
}

// cockroachdb/pebble pull 6076: an iterator without a name is closed at once,
// and again with all the others.
func runScript(keys [][]byte, names []string, run func(*iters.Iterator)) error {
	open := make(map[string]*iters.Iterator)
	defer func() {
		for _, it := range open {
			it.Close() // want "PV002"
		}
	}()
	for _, name := range names {
		it, err := iters.Open(keys, nil, nil)
		if err != nil {
			return err
		}
		open[name] = it
		run(it)
		if name == "" {
			if err := it.Close(); err != nil { // may "PV002|PV004"
				return err
			}
		}
	}
	return nil
}
