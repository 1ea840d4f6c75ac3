package duet

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Launch is one fresh pair of processes to measure. It is a plain value; Run
// changes nothing in it.
type Launch struct {
	Plan       string // Plan.Digest
	Seed       uint64 // of the coins, with the fields that say which launch this is
	Rule       study.Rule
	Comparison string
	Form       study.Form
	Layout     int
	Number     int // of the launch
	Old, New   Side
	OldLeaf    string
	NewLeaf    string
	Pace       study.Pace    // of FormRate
	Shape      *Shape        // nil: calibrate
	Limit      time.Duration // as long as the launch may take, as far as fewer pairs can help; 0: no limit
	Timeout    time.Duration // of one answer
}

// Run measures the launch. A benchmark that cannot be measured gives a record
// with its status; an error is returned only when ctx ends or the environment
// fails, and then nothing is to be recorded. The shape is that of l, or the
// one just found.
func (l Launch) Run(ctx context.Context) (study.Record, Shape, error) {
	return l.record(ctx, l.Form, func(r *study.Record) (m measured, err error) {
		pair := &pair{}
		m.shape, err = l.measure(ctx, pair, r)
		m.cpu, m.turn = pair.close(), pair.turn
		return m, err
	})
}

// pair is the two processes and whose turn it is.
type pair struct {
	old, new *Proc
	turn     string // "old" or "new": the side that was asked last
}

// close ends both and returns the CPU time that they took.
func (p *pair) close() time.Duration {
	var cpu time.Duration
	for _, proc := range []*Proc{p.old, p.new} {
		if proc != nil {
			proc.Leave()
			cpu += proc.CPU()
		}
	}
	return cpu
}

func (p *pair) run(ctx context.Context, side string, n int, gc bool) (Slice, error) {
	p.turn = side
	if side == "new" {
		return p.new.Run(ctx, n, gc)
	}
	return p.old.Run(ctx, n, gc)
}

// runners are the two sides as calibration runs them, in the order given.
func (p *pair) runners(sides [2]string) (r [2]runner) {
	for i, side := range sides {
		r[i] = func(ctx context.Context, n int, gc bool) (Slice, error) { return p.run(ctx, side, n, gc) }
	}
	return r
}

// start starts one side and brings it to its leaf.
func (p *pair) start(ctx context.Context, side string, s Side, leaf string, timeout time.Duration) (err error) {
	p.turn = side
	proc, err := Start(ctx, s, Pattern(leaf), timeout)
	if err != nil {
		return err
	}
	if side == "new" {
		p.new = proc
	} else {
		p.old = proc
	}
	proc.expected = leaf
	for { // the pattern of a/b matches a leaf a/b/c too
		got, err := proc.Next(ctx)
		if errors.Is(err, io.EOF) {
			text := leaf + " is not there: no benchmark of that name, or it skipped itself"
			if why, ok := proc.ranNothing(); ok {
				text = leaf + " is not there: " + why
			}
			return &BenchError{study.StatusFailed, text}
		}
		if err != nil || got == leaf {
			return err
		}
	}
}

func (l Launch) measure(ctx context.Context, p *pair, r *study.Record) (Shape, error) {
	coin := l.coins()
	sides := [2]string{"old", "new"}
	if coin() {
		sides[0], sides[1] = sides[1], sides[0]
	}
	for _, side := range sides {
		s, leaf := l.Old, l.OldLeaf
		if side == "new" {
			s, leaf = l.New, l.NewLeaf
		}
		if err := p.start(ctx, side, s, leaf, l.Timeout); err != nil {
			return Shape{}, err
		}
	}
	if r.Go = p.old.Version; p.new.Version != r.Go {
		r.GoNew = p.new.Version
	}
	var shape Shape
	var first []Slice // the first pair, if calibration measured it
	if l.Shape != nil {
		shape = *l.Shape
	} else {
		var err error
		if shape, first, err = shapeOf(ctx, p.runners(sides), l.Rule, l.Form, l.Limit); err != nil {
			return shape, err
		}
	}
	r.N, r.Note = shape.N, shape.Note
	for i := range shape.WarmUp {
		for _, side := range sides {
			if _, err := p.run(ctx, side, shape.N, i == 0); err != nil {
				return shape, err
			}
		}
	}
	for i, s := range first {
		if sides[i] == "new" {
			add(&r.New, s)
		} else {
			add(&r.Old, s)
		}
	}
	if first != nil {
		r.NewFirst = append(r.NewFirst, sides[0] == "new")
	}
	for len(r.NewFirst) < shape.Pairs {
		newFirst := coin()
		order := [2]string{"old", "new"}
		if newFirst {
			order = [2]string{"new", "old"}
		}
		for _, side := range order {
			s, err := p.run(ctx, side, shape.N, false)
			if err != nil {
				return shape, err
			}
			if side == "new" {
				add(&r.New, s)
			} else {
				add(&r.Old, s)
			}
		}
		r.NewFirst = append(r.NewFirst, newFirst)
	}
	mean(&r.Old)
	mean(&r.New)
	return shape, nil
}

// coins returns a fair coin that depends on the plan's seed and on which
// launch this is, so that a resumed run tosses as an unbroken one.
func (l Launch) coins() func() bool {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %s %d %d", l.Comparison, l.Form, l.Layout, l.Number)
	rng := rand.New(rand.NewPCG(l.Seed, h.Sum64()))
	return func() bool { return rng.Uint64()&1 == 1 }
}

func add(c *study.Columns, s Slice) {
	c.Wall = append(c.Wall, s.Wall)
	c.CPU = append(c.CPU, s.CPU)
	c.Drain = append(c.Drain, s.Drain)
	c.DrainW = append(c.DrainW, s.DrainW)
	c.Allocs = append(c.Allocs, s.Allocs)
	c.Bytes = append(c.Bytes, s.Bytes)
	c.GCs = append(c.GCs, s.GCs)
	c.GCCPU = append(c.GCCPU, s.GCCPU)
	c.Pause = append(c.Pause, s.Pause)
	c.Heap = append(c.Heap, s.Heap)
	if s.paced {
		c.Late = append(c.Late, s.Late)
		c.Price = append(c.Price, s.Price)
		c.PricePause = append(c.PricePause, s.PricePause)
		c.Room = append(c.Room, s.Room)
	}
	addExtra(c, s.Extra)
}

func addExtra(c *study.Columns, extra map[string]float64) {
	for unit, v := range extra {
		if c.Extra == nil {
			c.Extra = map[string]float64{}
		}
		c.Extra[unit] += v
	}
}

// mean turns the sums of Extra into means. What is not finite is left out: a
// benchmark may divide by zero, and a record cannot hold it.
func mean(c *study.Columns) {
	for unit, sum := range c.Extra {
		if math.IsNaN(sum) || math.IsInf(sum, 0) {
			delete(c.Extra, unit)
			continue
		}
		c.Extra[unit] = sum / float64(c.Len())
	}
}

// Pattern returns the -test.bench pattern that matches exactly the benchmark
// of that full name.
func Pattern(leaf string) string {
	parts := strings.Split(leaf, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return strings.Join(parts, "/")
}
