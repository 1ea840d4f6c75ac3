package flow

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// item is the unit of a plain loop: a value, or an error where err is not empty.
type item struct {
	v   int
	err string
}

// program is a random pipeline: the stream, and what a plain loop makes of the same
// input.
type program struct {
	text   string // for failures
	stream Stream[int]
	items  []item
	// unordered says that the order of items is not determined.
	unordered bool
}

// genes are the bytes that a program is made of. Beyond the end they are 0.
type genes struct{ b []byte }

func (g *genes) next() int {
	if len(g.b) == 0 {
		return 0
	}
	n := g.b[0]
	g.b = g.b[1:]
	return int(n)
}

func (g *genes) upTo(n int) int { return g.next() % (n + 1) }

// newProgram makes a program of some stages.
func newProgram(b []byte) *program {
	g := &genes{b}
	p := &program{}
	p.source(g)
	for range g.upTo(7) {
		p.stage(g)
	}
	return p
}

func (p *program) add(s Stream[int], items []item, format string, args ...any) {
	p.stream, p.items = s, items
	p.text += fmt.Sprintf(format, args...) + "\n"
}

// source makes one of the sources, with item errors if it can have them.
func (p *program) source(g *genes) {
	n := g.upTo(3) * (1 + g.upTo(255))
	every := 2 + g.upTo(9)
	var items []item
	var values []int
	fails := func(i int) bool { return i%every == 1 }
	kind := g.upTo(4)
	for i := range n {
		if (kind == 1 || kind == 2) && fails(i) {
			items = append(items, item{err: "source " + strconv.Itoa(i)})
			continue
		}
		items = append(items, item{v: i})
		values = append(values, i)
	}
	yield := func(yield func(int, error) bool) {
		for _, it := range items {
			if it.err != "" {
				if !yield(0, errors.New(it.err)) {
					return
				}
			} else if !yield(it.v, nil) {
				return
			}
		}
	}
	switch kind {
	case 0:
		p.add(FromSlice(values), items, "slice of %d", n)
	case 1:
		p.add(FromSeq2(yield), items, "seq2 of %d, an error each %d", n, every)
	case 2:
		p.add(FromFunc(func(_ context.Context, y func(int, error) bool) error {
			yield(y)
			return nil
		}), items, "func of %d, an error each %d", n, every)
	case 3:
		p.add(FromSeq(slices.Values(values)), items, "seq of %d", n)
	case 4:
		p.add(FromFunc(func(ctx context.Context, y func(int, error) bool) error { // a new channel for each run
			ch := make(chan int, len(values))
			for _, v := range values {
				ch <- v
			}
			close(ch)
			return FromChan(ch).Each(ctx, func(v int, err error) error {
				if !y(v, err) {
					return errors.New("the end of the reader of the channel")
				}
				return nil
			})
		}), items, "channel of %d", n)
	}
	if size := g.upTo(5); size > 0 {
		sizes := []int{1, 2, 3, 7, 64}
		p.add(p.stream.Size(sizes[size-1]), p.items, "size %d", sizes[size-1])
	}
}

// loop applies f to each item.
func (p *program) loop(f func(it item) []item) []item {
	var out []item
	for _, it := range p.items {
		out = append(out, f(it)...)
	}
	return out
}

// outcome says what a user's function does with v, of a program with salt k.
func outcome(v, k int) string {
	switch h := (v*31 + k*17) % 41; {
	case h == 3:
		return "error"
	case h == 7:
		return "panic"
	case h == 11:
		return "drop"
	}
	return "value"
}

// fate makes the outcome of a function happen.
func fate(v, k int) error {
	switch outcome(v, k) {
	case "error":
		return fmt.Errorf("error %d/%d", v, k)
	case "panic":
		panic(fmt.Sprintf("panic %d/%d", v, k))
	case "drop":
		return Drop
	}
	return nil
}

// fated returns what a plain loop gets of an item in place of a value: ok if it gets one.
func fated(v, k int) (items []item, ok bool) {
	switch outcome(v, k) {
	case "error":
		return []item{{err: fmt.Sprintf("error %d/%d", v, k)}}, false
	case "panic":
		return []item{{err: fmt.Sprintf("flow: a function of the pipeline panicked: panic %d/%d", v, k)}}, false
	case "drop":
		return nil, false
	}
	return nil, true
}

// stage adds one stage.
func (p *program) stage(g *genes) {
	kind, k := g.upTo(18), g.next()
	s := p.stream
	pass := func(value func(v int) []item) func(item) []item {
		return func(it item) []item {
			if it.err != "" {
				return []item{it}
			}
			return value(it.v)
		}
	}
	switch kind {
	case 0, 1, 2:
		model := p.loop(pass(func(v int) []item {
			if items, ok := fated(v, k); !ok {
				return items
			}
			return []item{{v: v + k}}
		}))
		one := func(v int) (int, error) {
			if err := fate(v, k); err != nil {
				return -1, err // the value of an error does not count
			}
			return v + k, nil
		}
		withContext := func(_ context.Context, v int) (int, error) { return one(v) }
		switch kind {
		case 0:
			p.add(Map(s, one), model, "map %d", k)
		case 1:
			p.add(MapOrdered(s, 1+k%4, withContext), model, "map in order, %d workers, %d", 1+k%4, k)
		case 2:
			p.unordered = p.unordered || k%4 > 0
			p.add(MapUnordered(s, 1+k%4, withContext), model, "map out of order, %d workers, %d", 1+k%4, k)
			if k%4 == 0 && !p.unordered { // a single worker keeps the order of its jobs
				return
			}
		}
	case 3, 4, 5, 6:
		fan := k % 12
		if k%16 == 15 {
			fan = 700
		}
		if fan*len(p.items) > 1<<15 {
			return
		}
		outputs := func(dst []int, v int) []int {
			for i := range fan * (v % 3) {
				dst = append(dst, v+i)
			}
			return dst
		}
		model := p.loop(pass(func(v int) (items []item) {
			if items, ok := fated(v, k); !ok {
				return items
			}
			for _, o := range outputs(nil, v) {
				items = append(items, item{v: o})
			}
			return items
		}))
		appends := func(dst []int, v int) ([]int, error) {
			before := outputs(dst, v)
			if err := fate(v, k); err != nil {
				return before, err
			}
			switch {
			case v%7 == 3:
				return outputs(nil, v), nil // foreign
			case v%7 == 4:
				return append([]int(nil), before...), nil
			}
			return before, nil
		}
		switch kind {
		case 3, 4:
			p.add(FlatMap(s, appends), model, "flat map x%d %d", fan, k)
		case 5:
			p.add(FlatMapSlice(s, func(v int) ([]int, error) { return appends(nil, v) }), model, "flat map slice x%d %d", fan, k)
		case 6:
			model = p.loop(func(it item) []item {
				if it.err != "" {
					return []item{{v: len(it.err)}, {v: -1}}
				}
				if items, ok := fated(it.v, k); !ok {
					return items
				}
				return []item{{v: it.v}}
			})
			p.add(Handle(s, func(dst []int, v int, err error) ([]int, error) {
				if err != nil {
					return append(dst, len(err.Error()), -1), nil
				}
				if err := fate(v, k); err != nil {
					return nil, err
				}
				return append(dst, v), nil
			}), model, "handle %d", k)
		}
	case 7, 8:
		keep := func(v int) bool {
			if outcome(v, k) == "panic" {
				panic(fmt.Sprintf("panic %d/%d", v, k))
			}
			return (v+k)%3 > 0
		}
		p.add(s.Filter(keep), p.loop(pass(func(v int) []item {
			if outcome(v, k) == "panic" {
				items, _ := fated(v, k)
				return items
			}
			if keep(v) {
				return []item{{v: v}}
			}
			return nil
		})), "filter %d", k)
	case 9:
		n := k * 3
		if p.unordered {
			return
		}
		left := n
		var model []item
		for _, it := range p.items {
			if left == 0 {
				break
			}
			model = append(model, it)
			if it.err == "" {
				left--
			}
		}
		if n == 0 {
			model = nil
		}
		p.add(s.Take(n), model, "take %d", n)
	case 10:
		if p.unordered {
			return
		}
		left := k
		p.add(s.Skip(k), p.loop(pass(func(v int) []item {
			if left > 0 {
				left--
				return nil
			}
			return []item{{v: v}}
		})), "skip %d", k)
	case 11:
		if p.unordered {
			return
		}
		limit := k * 5
		var model []item
		for _, it := range p.items {
			if it.err == "" && outcome(it.v, k) == "panic" {
				items, _ := fated(it.v, k)
				model = append(model, items...)
				continue
			}
			if it.err == "" && it.v > limit {
				break
			}
			model = append(model, it)
		}
		p.add(s.TakeWhile(func(v int) bool {
			if outcome(v, k) == "panic" {
				panic(fmt.Sprintf("panic %d/%d", v, k))
			}
			return v <= limit
		}), model, "take while <= %d", limit)
	case 12:
		recovered := func(text string) (int, string, bool) {
			switch len(text) % 3 {
			case 0:
				return len(text), "", true
			case 1:
				return 0, "again: " + text, true
			}
			return 0, "", false
		}
		p.add(s.Recover(func(err error) (int, error) {
			v, text, some := recovered(err.Error())
			switch {
			case !some:
				return 0, Drop
			case text != "":
				return 0, errors.New(text)
			}
			return v, nil
		}), p.loop(func(it item) []item {
			if it.err == "" {
				return []item{it}
			}
			v, text, some := recovered(it.err)
			switch {
			case !some:
				return nil
			case text != "":
				return []item{{err: text}}
			}
			return []item{{v: v}}
		}), "recover")
	case 13, 14:
		p.add(s.Async(k%4), p.items, "async %d", k%4)
	case 15:
		p.add(FlatMapSlice(Batch(s, 1+k%9), func(group []int) ([]int, error) { return group, nil }).Filter(func(int) bool { return true }),
			batched(p.items, 1+k%9), "batch %d and back", 1+k%9)
	case 16:
		if p.unordered {
			return
		}
		p.add(Map(Zip(s, FromSeq(naturals)), func(pair Pair[int, int]) (int, error) { return pair.A + pair.B, nil }), zipped(p.items), "zip with 0, 1, 2, ...")
	case 17:
		seen := 0
		p.add(s.Tap(func(v int) { seen += v }), p.items, "tap")
	case 18:
		n := k % 5
		p.add(Tee(s, k%3, func(ctx context.Context, side Stream[int]) error {
			if n == 0 {
				return nil // at once
			}
			return side.Take(n*100).Each(ctx, func(int, error) error { return nil })
		}), p.items, "tee, %d of it", n*100)
	}
}

func naturals(yield func(int) bool) {
	for i := 0; yield(i); i++ {
	}
}

// batched returns the order after grouping and ungrouping: errors come before the
// group that their neighbours are in.
func batched(items []item, n int) (out []item) {
	var group []item
	for _, it := range items {
		if it.err != "" {
			out = append(out, it)
			continue
		}
		if group = append(group, it); len(group) == n {
			out, group = append(out, group...), nil
		}
	}
	return append(out, group...)
}

func zipped(items []item) (out []item) {
	i := 0
	for _, it := range items {
		if it.err == "" {
			it.v += i
			i++
		}
		out = append(out, it)
	}
	return out
}

// run runs the program and stops it after limit items, if limit is not negative.
func (p *program) run(ctx context.Context, limit int) (items []item, err error) {
	enough := errors.New("enough")
	err = p.stream.Each(ctx, func(v int, err error) error {
		if len(items) == limit {
			return enough
		}
		if err != nil {
			items = append(items, item{err: err.Error()})
		} else {
			items = append(items, item{v: v})
		}
		return nil
	})
	if err == enough {
		err = nil
	}
	return items, err
}

// differ says how got differs from want, "" if it does not.
func (p *program) differ(got, want []item) string {
	if p.unordered {
		got, want = sorted(got), sorted(want)
	}
	if slices.Equal(got, want) {
		return ""
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			var b bytes.Buffer
			fmt.Fprintf(&b, "%d items, want %d; they differ from item %d on:\n", len(got), len(want), i)
			fmt.Fprintf(&b, "got  %v\nwant %v\n", around(got, i), around(want, i))
			return b.String() + p.text
		}
	}
	return ""
}

func around(items []item, i int) []item {
	return items[min(max(i-1, 0), len(items)):min(i+4, len(items))]
}

func sorted(items []item) []item {
	items = slices.Clone(items)
	slices.SortFunc(items, func(a, b item) int {
		if a.v != b.v {
			return a.v - b.v
		}
		return bytes.Compare([]byte(a.err), []byte(b.err))
	})
	return items
}
