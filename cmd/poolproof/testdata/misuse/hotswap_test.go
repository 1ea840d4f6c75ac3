package misuse

import (
	"context"
	"testing"

	"github.com/poolproof/poolproof/hotswap"
)

type table struct {
	version int
	rows    []int
	note    [64]byte
}

func newTables() (*hotswap.Pool[table], *hotswap.Container[table]) {
	p := hotswap.NewPool(hotswap.Options[table]{
		New:   func() *table { return new(table) },
		Reset: func(x *table) bool { x.version = 0; x.rows = x.rows[:0]; return true },
	})
	return p, hotswap.New(p)
}

func publish(t *testing.T, p *hotswap.Pool[table], c *hotswap.Container[table], version int) {
	t.Helper()
	d := p.Get()
	d.Value().version = version
	for range 4 {
		d.Value().rows = append(d.Value().rows, version)
	}
	if err := c.Update(&d); err != nil {
		t.Error(err)
	}
}

func end(t *testing.T, p *hotswap.Pool[table], c *hotswap.Container[table]) {
	t.Helper()
	c.Clear()
	p.Trim()
}

// form: hotswap: the value is read after Release
// hands on
func TestSwapReadAfterRelease(t *testing.T) {
	defer begin(t)()
	p, c := newTables()
	defer end(t, p, c)
	publish(t, p, c, 1)
	ref := c.Acquire()
	x := ref.Value()
	ref.Release()
	publish(t, p, c, 2)
	publish(t, p, c, 3)
	sink = x.version
}

func current(c *hotswap.Container[table]) *table {
	ref := c.Acquire()
	defer ref.Release()
	return ref.Value()
}

// form: hotswap: the value is returned under a deferred Release
// hands on
func TestSwapValueReturned(t *testing.T) {
	defer begin(t)()
	p, c := newTables()
	defer end(t, p, c)
	publish(t, p, c, 1)
	x := current(c)
	publish(t, p, c, 2)
	publish(t, p, c, 3)
	sink = x.version
}

func rows(c *hotswap.Container[table]) []int {
	ref := c.Acquire()
	defer ref.Release()
	return ref.Value().rows
}

// form: hotswap: a slice in the value is used after Release
// hands on
func TestSwapPartAfterRelease(t *testing.T) {
	defer begin(t)()
	p, c := newTables()
	defer end(t, p, c)
	publish(t, p, c, 1)
	x := rows(c)
	publish(t, p, c, 2)
	publish(t, p, c, 3)
	sink = x[0]
}

// form: hotswap: the function of Do keeps the value
// hands on
func TestSwapDoKeeps(t *testing.T) {
	defer begin(t)()
	p, c := newTables()
	defer end(t, p, c)
	publish(t, p, c, 1)
	var x *table
	c.Do(func(v *table) { x = v })
	publish(t, p, c, 2)
	publish(t, p, c, 3)
	sink = x.version
}

// form: hotswap: a reader keeps what Load returned beyond the next Load
// hands on
func TestSwapLoadKept(t *testing.T) {
	defer begin(t)()
	p, c := newTables()
	defer end(t, p, c)
	publish(t, p, c, 1)
	r := c.Reader()
	x := r.Load()
	publish(t, p, c, 2)
	r.Load()
	publish(t, p, c, 3)
	sink = x.version
	r.Release()
}

// form: hotswap: the draft's value is written after Update
// hands on
func TestSwapWriteAfterUpdate(t *testing.T) {
	defer begin(t)()
	p, c := newTables()
	defer end(t, p, c)
	d := p.Get()
	x := d.Value()
	if err := c.Update(&d); err != nil {
		t.Error(err)
	}
	x.version = 7
}

// form: hotswap: a reader writes the current value
// hands on
func TestSwapReaderWrites(t *testing.T) {
	defer begin(t)()
	p, c := newTables()
	defer end(t, p, c)
	publish(t, p, c, 1)
	ref := c.Acquire()
	ref.Value().version++
	ref.Release()
}

// form: hotswap: a draft is published twice
func TestSwapUpdateTwice(t *testing.T) {
	defer begin(t)()
	p, c := newTables()
	defer end(t, p, c)
	d := p.Get()
	if err := c.Update(&d); err != nil {
		t.Error(err)
	}
	if err := c.Update(&d); err != nil {
		t.Error(err)
	}
}

// form: hotswap: a Ref is copied, and both are released while others read
// hands on
func TestSwapRefCopied(t *testing.T) {
	defer begin(t)()
	p, c := newTables()
	defer end(t, p, c)
	publish(t, p, c, 1)
	ref, other := c.Acquire(), c.Acquire()
	copied := ref //nolint:govet
	ref.Release()
	copied.Release()
	publish(t, p, c, 2)
	publish(t, p, c, 3)
	sink = other.Value().version
	other.Release()
}

// form: hotswap: the next value of RCU shares a slice with the current one
// hands on
func TestSwapRCUAliases(t *testing.T) {
	defer begin(t)()
	p, c := newTables()
	defer end(t, p, c)
	publish(t, p, c, 1)
	err := c.RCU(context.Background(), func(next, cur *table) error {
		next.rows = cur.rows
		next.rows[0] = 9
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// form: hotswap: Reset forgets a field, and the next version has what an older one had
// hands on
func TestSwapResetForgets(t *testing.T) {
	defer begin(t)()
	p, c := newTables()
	defer end(t, p, c)
	for i := range 3 {
		d := p.Get()
		if i == 0 {
			copy(d.Value().note[:], "only for version 0")
		} else if d.Value().note[0] != 0 {
			t.Errorf("version %d: %.18s", i, d.Value().note[:])
		}
		if err := c.Update(&d); err != nil {
			t.Error(err)
		}
	}
}

// form: hotswap: a Ref is never released
func TestSwapNoRelease(t *testing.T) {
	defer begin(t)()
	p, c := newTables()
	defer end(t, p, c)
	publish(t, p, c, 1)
	ref := c.Acquire()
	sink = ref.Value().version
}

// form: hotswap: a draft is neither published nor discarded
func TestSwapNoDiscard(t *testing.T) {
	defer begin(t)()
	p, c := newTables()
	defer end(t, p, c)
	d := p.Get()
	sink = d.Value().version
}
