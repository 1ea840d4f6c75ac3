package daily

import (
	"strconv"
	"sync"
	"time"
)

// An expression is a tree of pooled nodes, which a function frees by calling itself.

type node struct {
	op          byte
	value       float64
	left, right *node
	args        []*node
}

var nodes = sync.Pool{New: func() any { return new(node) }}

func leaf(v float64) *node {
	n := nodes.Get().(*node)
	n.op, n.value = 0, v
	return n
}

func binaryNode(op byte, l, r *node) *node {
	n := nodes.Get().(*node)
	n.op, n.left, n.right = op, l, r
	return n
}

func (n *node) eval() float64 {
	switch n.op {
	case '+':
		return n.left.eval() + n.right.eval()
	case '*':
		return n.left.eval() * n.right.eval()
	case 'S':
		sum := 0.0
		for _, a := range n.args {
			sum += a.eval()
		}
		return sum
	}
	return n.value
}

func (n *node) free() {
	if n == nil {
		return
	}
	n.left.free()
	n.right.free()
	for i, a := range n.args {
		a.free()
		n.args[i] = nil
	}
	n.left, n.right, n.args = nil, nil, n.args[:0]
	nodes.Put(n)
}

func Polynomial(x float64, coefficients ...float64) float64 {
	var sum *node
	for _, c := range coefficients {
		term := leaf(c)
		if sum == nil {
			sum = term
			continue
		}
		sum = binaryNode('+', binaryNode('*', sum, leaf(x)), term) // fine "PV005" the root has it
	}
	if sum == nil {
		return 0
	}
	defer sum.free()
	return sum.eval() // fine "PV003" a number
}

func Total(texts []string) (float64, error) {
	root := nodes.Get().(*node)
	root.op = 'S'
	for _, t := range texts {
		v, err := strconv.ParseFloat(t, 64)
		if err != nil {
			root.free()
			return 0, err
		}
		root.args = append(root.args, leaf(v)) // fine "PV006" free frees its arguments
	}
	v := root.eval()
	root.free()
	return v, nil
}

// A job runs in a goroutine of its own and goes back when it is done.

type job struct {
	f    func(arg any)
	arg  any
	wait *sync.WaitGroup
}

var jobs = sync.Pool{New: func() any { return new(job) }}

func (j *job) run() {
	j.f(j.arg)
	w := j.wait
	*j = job{}
	jobs.Put(j)
	w.Done() // fine "PV001" w was read before the put
}

type Group struct{ wg sync.WaitGroup }

func (g *Group) Go(f func(any), arg any) {
	j := jobs.Get().(*job)
	j.f, j.arg, j.wait = f, arg, &g.wg
	g.wg.Add(1)
	go j.run() // fine "PV006" run puts j
}

func (g *Group) Wait() { g.wg.Wait() }

// A deadline is put by the function that set it: at once if it has not fired, and otherwise after
// its callback has ended.

type deadline struct {
	timer *time.Timer
	what  func()
	fired chan struct{}
}

var deadlines sync.Pool

func newDeadline(d time.Duration, what func()) *deadline {
	if v := deadlines.Get(); v != nil {
		dl := v.(*deadline) // fine "PV018" v is not nil
		dl.what = what
		dl.timer.Reset(d)
		return dl
	}
	dl := &deadline{what: what, fired: make(chan struct{}, 1)}
	dl.timer = time.AfterFunc(d, dl.fire) // fine "PV004" stop waits for fire
	return dl
}

func (d *deadline) fire() {
	d.what()
	d.fired <- struct{}{}
}

func (d *deadline) stop() {
	if !d.timer.Stop() {
		<-d.fired
	}
	d.what = nil
	deadlines.Put(d)
}

func Within(d time.Duration, late func(), f func()) {
	dl := newDeadline(d, late)
	defer dl.stop() // fine "PV002" fire puts nothing
	f()
}

// A table that outgrew its class goes to the pool of the next one, on purpose.

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
	t.slots = t.slots[:0]
next:
	for _, k := range keys {
		for _, s := range t.slots {
			if s == k {
				continue next
			}
		}
		t.slots = append(t.slots, k)
	}
	n := len(t.slots)
	if cap(t.slots) >= 1024 {
		largeTables.Put(t) // fine "PV021" by its capacity it belongs there
	} else {
		smallTables.Put(t)
	}
	return n
}
