package daily

import (
	"io"
	"sync"
)

// The frames are freed by a loop, and the first is read afterwards.
type frame struct{ b []byte }

var frames = sync.Pool{New: func() any { return &frame{b: make([]byte, 0, 256)} }}

func freeAll(all []*frame) {
	for _, f := range all {
		f.b = f.b[:0]
		frames.Put(f)
	}
}

func Send(w io.Writer, bodies [][]byte) (first byte, err error) {
	if len(bodies) == 0 {
		return 0, nil
	}
	all := make([]*frame, 0, len(bodies))
	for _, b := range bodies {
		f := frames.Get().(*frame)
		f.b = append(append(f.b[:0], 'D'), b...)
		all = append(all, f)
	}
	for _, f := range all {
		if _, err = w.Write(f.b); err != nil {
			break
		}
	}
	freeAll(all)
	return all[0].b[0], err // want "PV001"
}

// The groups of a map are put, and one of them is asked for its sum after that.
type group struct {
	n   int
	sum float64
}

var groups = sync.Pool{New: func() any { return new(group) }}

func Share(values map[string][]float64, key string) float64 {
	open := make(map[string]*group, len(values))
	for k, vs := range values {
		g := groups.Get().(*group)
		*g = group{n: len(vs)}
		for _, v := range vs {
			g.sum += v
		}
		open[k] = g
	}
	total := 0.0
	for _, g := range open {
		total += g.sum
		groups.Put(g)
	}
	if total == 0 {
		return 0
	}
	return open[key].sum / total // want "PV001"
}

// A tree is freed from its root down: the links are read from a node that has been put.
type node struct {
	value       float64
	left, right *node
}

var nodes = sync.Pool{New: func() any { return new(node) }}

func (n *node) free() {
	if n == nil {
		return
	}
	nodes.Put(n)
	n.left.free() // want "PV001"
	n.right.free()
}

func Sum(values []float64) float64 {
	var root *node
	for _, v := range values {
		n := nodes.Get().(*node)
		n.value, n.left, n.right = v, root, nil
		root = n
	}
	sum := 0.0
	for n := root; n != nil; n = n.left {
		sum += n.value
	}
	root.free()
	return sum
}

// A worker puts itself after each task, and goes on to count in memory that others may have.
type worker struct {
	tasks chan func()
	done  int
}

var workers = sync.Pool{New: func() any { return &worker{tasks: make(chan func())} }}

func (w *worker) loop() {
	for t := range w.tasks {
		t()
		workers.Put(w)
		w.done++ // want "PV001"
	}
}

// A job puts itself in its goroutine, and its starter puts it too.
type job struct {
	f    func()
	wait *sync.WaitGroup
}

var jobs = sync.Pool{New: func() any { return new(job) }}

func (j *job) run() {
	j.f()
	w := j.wait
	j.f, j.wait = nil, nil
	jobs.Put(j)
	w.Done()
}

func Parallel(fs ...func()) {
	var wg sync.WaitGroup
	for _, f := range fs {
		j := jobs.Get().(*job)
		j.f, j.wait = f, &wg
		wg.Add(1)
		go j.run()
		defer jobs.Put(j) // want "PV001|PV002|PV004|PV016"
	}
	wg.Wait()
}

// What outgrew its class goes to the larger one, and then to its own as well.
type table struct{ slots []uint32 }

var (
	smallTables = sync.Pool{New: func() any { return &table{make([]uint32, 0, 64)} }}
	largeTables = sync.Pool{New: func() any { return &table{make([]uint32, 0, 1024)} }}
)

func Count(keys []uint32) int {
	from := &smallTables
	if len(keys) >= 1024 {
		from = &largeTables
	}
	t := from.Get().(*table)
	t.slots = append(t.slots[:0], keys...)
	n := 0
	for _, s := range t.slots {
		n += int(s & 1)
	}
	if cap(t.slots) >= 1024 {
		largeTables.Put(t)
	}
	from.Put(t) // want "PV002"
	return n
}
