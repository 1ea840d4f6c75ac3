package practice

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	lib "github.com/poolproof/poolproof/hotswap"
	hotswap "github.com/poolproof/poolproof/studies/hot-swap"
)

// Edit changes some entries of a Table.
type Edit struct {
	First int // the first key that is changed; the others are far from it
	Value string
}

// changed is how many entries an Edit changes.
const changed = 10

// each calls set with the number of each of n keys that the edit changes.
func (e Edit) each(n int, set func(key int)) {
	for i := range changed {
		set((e.First + i*(n/changed+1)) % n)
	}
}

// Changer holds a current Table that can be changed in a few entries. One
// goroutine may change it while others read.
type Changer interface {
	Change(Edit)
	Read(look func(*hotswap.Table))
}

// Way is a way of changing a Table.
type Way struct {
	Name string // as in benchmark names
	New  func(keys, values []string) Changer
}

// Ways are all that are compared. The first is the baseline.
var Ways = []Way{
	{"counted", func(keys, values []string) Changer { return newRebuild(hotswap.NewCounted, keys, values) }},
	{"delta", func(keys, values []string) Changer { return newReplayed(keys, values, (*hotswap.Table).CopyFrom) }},
	{"hotswap", func(keys, values []string) Changer { return newRebuild(hotswap.NewSwapped, keys, values) }},
	{"atomic", newCloned},
	{"inplace", newLocked},
}

// rebuild loads the whole Table for each edit, from a source that has it.
type rebuild struct {
	hotswap.Container
	keys, values []string
	load         func(*hotswap.Table)
}

func newRebuild[C hotswap.Container](create func(func(*hotswap.Table)) C, keys, values []string) Changer {
	r := &rebuild{keys: keys, values: slices.Clone(values)}
	r.load = func(t *hotswap.Table) { t.Load(r.keys, r.values) }
	r.Container = create(r.load)
	return r
}

// Change implements Changer.
func (r *rebuild) Change(e Edit) {
	e.each(len(r.keys), func(i int) { r.values[i] = e.Value })
	r.Replace(r.load)
}

// replayed changes the Table before last by the edits that it has missed.
type replayed struct {
	*hotswap.Swapped
	delta *lib.Delta[hotswap.Table, Edit]
}

func newReplayed(keys, values []string, clone func(to, from *hotswap.Table)) *replayed {
	s := hotswap.NewSwapped(func(t *hotswap.Table) { t.Load(keys, values) })
	apply := func(t *hotswap.Table, e Edit) { e.apply(t, keys) }
	return &replayed{s, lib.NewDelta(s.Current(), apply, clone)}
}

// Change implements Changer.
func (r *replayed) Change(e Edit) {
	if err := r.delta.Update(e); err != nil {
		panic(err) // nothing is ever closed
	}
}

// cloned changes a copy.
type cloned struct {
	current atomic.Pointer[hotswap.Table]
	keys    []string
}

func newCloned(keys, values []string) Changer {
	c := &cloned{keys: keys}
	t := new(hotswap.Table)
	t.Load(keys, values)
	c.current.Store(t)
	return c
}

// Change implements Changer.
func (c *cloned) Change(e Edit) {
	t := c.current.Load().Clone()
	e.apply(t, c.keys)
	c.current.Store(t)
}

// Read implements Changer.
func (c *cloned) Read(look func(*hotswap.Table)) { look(c.current.Load()) }

// locked changes the one Table while readers wait.
type locked struct {
	mu    sync.RWMutex
	table hotswap.Table
	keys  []string
}

func newLocked(keys, values []string) Changer {
	l := &locked{keys: keys}
	l.table.Load(keys, values)
	return l
}

// Change implements Changer.
func (l *locked) Change(e Edit) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e.apply(&l.table, l.keys)
}

// Read implements Changer.
func (l *locked) Read(look func(*hotswap.Table)) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	look(&l.table)
}

// apply changes t, in which the keys have those numbers.
func (e Edit) apply(t *hotswap.Table, keys []string) {
	e.each(len(keys), func(i int) { t.Put(keys[i], e.Value) })
}

// Change changes 10 of 100,000 entries.
func Change(b *testing.B, ways []Way) {
	for _, way := range ways {
		b.Run("impl="+way.Name, func(b *testing.B) {
			c := once("change "+way.Name, func() *changes { return newChanges(way, Entries) })
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				c.next()
			}
		})
	}
}

// changes is a Changer and where it stands.
type changes struct {
	changer Changer
	values  []string
	edits   int
}

func newChanges(way Way, entries int) *changes {
	keys, values := hotswap.NewData(entries).Columns()
	c := &changes{changer: way.New(keys, values), values: values}
	for range 4 { // until the tables that go around exist
		c.next()
	}
	return c
}

// next makes the next edit.
func (c *changes) next() {
	c.changer.Change(c.edit(c.edits))
	c.edits++
}

// edit returns an edit by its number: all of them differ from their neighbours.
func (c *changes) edit(n int) Edit {
	return Edit{First: n * 7919 % len(c.values), Value: c.values[(n*31+1)%len(c.values)]}
}
