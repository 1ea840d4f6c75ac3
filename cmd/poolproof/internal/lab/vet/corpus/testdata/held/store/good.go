package store

import (
	"context"
	"io"
	"slices"
	"time"

	"example.org/held/lib/iters"
	"example.org/held/lib/timers"
)

func (b *bucketed) putCounted(p *[]byte) {
	if p == nil {
		return
	}
	n := uint64(cap(*p))
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
	if n >= b.out { // fine "PV001" a number from before
		b.out = 0
	} else {
		b.out -= n
	}
}

// The error is put into words while the labels are there.
func (g *ingester) pushWords(r *writeRequest) (string, error) {
	defer reuse(r)
	var last error
	words := ""
	for _, s := range r.series {
		if err := g.add(s); err != nil {
			words, last = err.Error(), errOrder
		}
	}
	return words, last // fine "PV001|PV003" a string, and an error of the package
}

func (g *ingester) pushCloned(r *writeRequest) error {
	defer reuse(r)
	for _, s := range r.series {
		for _, v := range s.values {
			if v < 0 {
				labels := make([]pair, len(s.labels))
				for i, l := range s.labels {
					labels[i] = pair{slices.Clone(l.name), slices.Clone(l.value)}
				}
				return &rejected{labels: labels, cause: errOrder} // fine "PV003" a deep copy
			}
		}
	}
	return nil
}

func (b *binary) describeFirst(ctx context.Context) ([]meta, error) {
	if err := b.load(ctx); err != nil {
		return nil, err
	}
	out := b.match()
	for i, m := range *b.leftMeta {
		if !b.leftUsed[i] && !m.drop {
			b.left.use(i)
		}
	}
	metaPool.put(b.leftMeta)
	metaPool.put(b.rightMeta)
	b.leftMeta, b.rightMeta = nil, nil
	return out, nil // fine "PV001|PV003|PV015" structs by value; nothing refers to the two any more
}

// What is put is what has grown.
func lookupGrown(ctx context.Context, idx index, user string, from, through uint32) (int, error) {
	res := chunkPool.get()
	defer func() { chunkPool.put(res) }() // fine "PV002|PV013" what res is at the end
	res, err := idx.chunks(ctx, user, from, through, res)
	if err != nil {
		return 0, err
	}
	return len(res), nil
}

// releasable may be released more than once.
type releasable struct{ it *iters.Iterator }

func (r *releasable) Release() {
	if r.it != nil {
		r.it.Close()
		r.it = nil // fine "PV015" once
	}
}

func pruneOnce(d *db, keep func([]byte) bool) error {
	it, err := iters.Open(d.keys, nil, nil)
	if err != nil {
		return err
	}
	r := &releasable{it}
	defer r.Release()
	for it.Next() {
		if !keep(it.Key()) {
			break
		}
	}
	r.Release() // fine "PV001|PV002" the second finds nothing
	return d.compact(nil, nil)
}

// A new iterator takes the place of each that is released.
func pruneInParts(d *db, part int) (n int, err error) {
	it, err := iters.Open(d.keys, nil, nil)
	if err != nil {
		return 0, err
	}
	for it.Next() {
		if n++; n%part == 0 {
			key := slices.Clone(it.Key())
			it.Close()
			if it, err = iters.Open(d.keys, key, key); err != nil {
				return n, err
			}
		}
	}
	return n, it.Close() // fine "PV001|PV002" the last one
}

// The merge owns what it was made of.
func spansOwned(b *block) (n int, err error) {
	f, err := iters.NewFragment(b.ranges)
	if err != nil {
		return 0, err
	}
	m := newMerged(f)
	for m.Next() {
		n++
	}
	return n, m.Close() // fine "PV005|PV006" closed with the merge
}

func openExternalClosed(files [][][]byte, lower, upper []byte) (_ *external, err error) {
	e := externals.Get().(*external)
	e.bounds = [2][]byte{lower, upper}
	defer func() {
		if err != nil {
			e.Close()
		}
	}()
	for _, keys := range files {
		it, err := iters.Open(keys, lower, upper)
		if err != nil {
			return nil, err // fine "PV005" the deferred function closes it
		}
		e.levels = append(e.levels, it)
	}
	return e, nil // fine "PV003" only closed where there is an error
}

func newWrappedDestroyed(keys [][]byte, lower, upper []byte) (*wrapped, error) {
	w := wrappers.Get().(*wrapped)
	w.inUse = false
	if err := w.open(keys, lower, upper); err != nil {
		w.destroy()
		return nil, err // fine "PV001|PV005" destroyed
	}
	return w, nil
}

func (w *wrapped) Close() error {
	if !w.inUse {
		panic("store: closed twice")
	}
	w.inUse = false
	err := w.it.Close()
	w.destroy() // fine "PV001|PV002" the wrapper, after what it wraps
	return err
}

// A stopped timer is replaced by another.
func pollFresh(interval time.Duration, changed <-chan time.Duration, stop <-chan struct{}, work func()) {
	for {
		t := timers.New()
		if interval > 0 {
			t.Reset(interval)
		}
		select {
		case <-t.C:
			t.Read = true
			t.Stop()
			work()
		case interval = <-changed:
			t.Stop()
		case <-stop:
			t.Stop() // fine "PV001|PV002|PV005" each turn has its own
			return
		}
	}
}

func heartbeatOnce(interval time.Duration, stop <-chan struct{}, beat func() error) error {
	t := timers.New()
	defer t.Stop()
	for {
		t.Reset(interval) // fine "PV001" it is stopped at the end only
		select {
		case <-t.C:
			t.Read = true
		case <-stop:
			return nil
		}
		if err := beat(); err != nil {
			return err
		}
	}
}

func evalRollupPut(r *results, n int, f func(*series) float64) (map[int]float64, error) {
	w := getWorker(n)
	defer putWorker(w)
	err := r.parallel(n, func(s *series, i int) error {
		w.slots[i] = append(w.slots[i], series{values: []float64{f(s)}})
		return nil
	})
	if err != nil {
		return nil, err // fine "PV005" deferred
	}
	sums := make(map[int]float64)
	for i, slot := range w.slots {
		for _, s := range slot {
			sums[i] += s.values[0]
		}
	}
	return sums, nil // fine "PV003" a map of numbers
}

// Each of the two is put if it was taken.
func remoteWriteEach(rows []series, rules map[string]string, aggregate func([]series) int) (int, error) {
	var (
		ctx   *relabel
		batch *[]series
	)
	defer func() {
		if batch != nil {
			putBatch(batch) // fine "PV001|PV005" if it was taken
		}
		if ctx != nil {
			putRelabel(ctx)
		}
	}()
	if len(rules) > 0 {
		ctx = relabels.Get().(*relabel)
		batch = batches.Get().(*[]series)
		for k, v := range rules {
			ctx.rules[k] = v
		}
		*batch = append(*batch, rows...)
		rows = *batch
	}
	return aggregate(rows), nil
}

func (c *mysql) readPacketRecycled(n int) ([]byte, error) {
	p, err := c.sizes.get(n)
	if err != nil {
		return nil, err
	}
	*p = (*p)[:n]
	if _, err := io.ReadFull(c.r, *p); err != nil {
		c.sizes.putCounted(p)
		return nil, err // fine "PV001|PV005" recycled
	}
	c.last = p
	return *p, nil // fine "PV003" the connection keeps it until recycle
}

func (c *mysql) recycle() {
	if c.last == nil {
		panic("store: recycled without a packet")
	}
	c.sizes.putCounted(c.last)
	c.last = nil // fine "PV015" cleared
}

func (c *mysql) query(n int, each func([]byte)) error {
	p, err := c.readPacketRecycled(n)
	if err != nil {
		return err
	}
	defer c.recycle()
	each(p) // fine "PV001" recycled when this returns
	return nil
}

// Only iterators with a name stay open.
func runScriptNamed(keys [][]byte, names []string, run func(*iters.Iterator)) error {
	open := make(map[string]*iters.Iterator)
	defer func() {
		for _, it := range open {
			it.Close()
		}
	}()
	for _, name := range names {
		it, err := iters.Open(keys, nil, nil)
		if err != nil {
			return err
		}
		run(it)
		if name == "" {
			if err := it.Close(); err != nil { // fine "PV001|PV002|PV004" it is not in the map
				return err
			}
			continue
		}
		open[name] = it
	}
	return nil
}
