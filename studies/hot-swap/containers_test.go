package hotswap

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/poolproof/poolproof/studies/internal/crew"
	"github.com/poolproof/poolproof/studies/internal/exact"
)

// wrong says in what t differs from a version of d, "" if in nothing.
func wrong(d *Data, t *Table, version int) string {
	if t.Version != version {
		return fmt.Sprintf("it is version %d, want %d", t.Version, version)
	}
	if t.Len() != d.entries {
		return fmt.Sprintf("version %d has %d entries, want %d", version, t.Len(), d.entries)
	}
	missing := d.entries // the key that this version must not have
	if version%2 == 1 {
		missing = 0
	}
	for i, key := range d.keys {
		want := d.values[i]
		if i == missing {
			want = ""
		}
		if got := t.Find(key); got != want {
			return fmt.Sprintf("version %d has %q for %q, want %q", version, got, key, want)
		}
	}
	return ""
}

func TestWeightsTellValuesApart(t *testing.T) {
	if weight("") != 0 {
		t.Error("a missing value has a weight")
	}
	if weight("value-1") == weight("value-2") || weight("value-1") == weight("value-11") {
		t.Error("different values have the same weight")
	}
}

func TestReadersSeeWhatWasFilledLast(t *testing.T) {
	d := NewData(few)
	keys := shuffled(d)
	want := sumOf(d, keys)
	for _, arm := range arms {
		t.Run(arm.name, func(t *testing.T) {
			c := arm.create(d.Fill(0))
			for version := range 10 {
				if version > 0 {
					c.Replace(d.Fill(version))
				}
				c.Read(func(table *Table) {
					if s := wrong(d, table, version); s != "" {
						t.Error(s)
					}
				})
				if got := c.Lookup(keys); got != want {
					t.Errorf("version %d: sum %d, want %d", version, got, want)
				}
			}
		})
	}
}

func TestFillGetsAnEmptyTable(t *testing.T) {
	d := NewData(few)
	for _, arm := range arms {
		t.Run(arm.name, func(t *testing.T) {
			c := arm.create(d.Fill(0))
			for version := 1; version < 5; version++ {
				c.Replace(func(table *Table) {
					if table.Len() != 0 || table.Version != 0 {
						t.Errorf("fill gets %d entries of version %d", table.Len(), table.Version)
					}
					d.Fill(version)(table)
				})
			}
		})
	}
}

// A reader of the arm inplace would wait for itself: its readers and writers
// exclude each other.
func TestATableStaysAsItIsWhileItIsRead(t *testing.T) {
	d := NewData(few)
	for _, arm := range arms {
		if arm.name == "inplace" {
			continue
		}
		t.Run(arm.name, func(t *testing.T) {
			c := arm.create(d.Fill(0))
			c.Read(func(first *Table) {
				c.Read(func(again *Table) {
					if first != again {
						t.Error("two reads of one version got two tables")
					}
				})
				for version := 1; version < 5; version++ {
					c.Replace(d.Fill(version))
					if s := wrong(d, first, 0); s != "" {
						t.Fatalf("after version %d was made current, the table that is read: %s", version, s)
					}
					c.Read(func(table *Table) {
						if s := wrong(d, table, version); s != "" {
							t.Error(s)
						}
					})
				}
			})
		})
	}
}

// Versions rise, so a reader must never see one that is older than the last
// that it saw, and always a whole one.
func TestReadersSeeWholeTablesInTheirOrder(t *testing.T) {
	d := NewData(few)
	for _, arm := range arms {
		t.Run(arm.name, func(t *testing.T) {
			const versions = 300
			c := arm.create(d.Fill(0))
			var all sync.WaitGroup
			var written atomic.Bool
			all.Go(func() {
				for version := range versions {
					c.Replace(d.Fill(version + 1))
				}
				written.Store(true)
			})
			for range 4 {
				all.Go(func() {
					for last, end := 0, false; !end && !t.Failed(); {
						end = written.Load() // read once more after that
						c.Read(func(table *Table) {
							if s := wrong(d, table, max(last, table.Version)); s != "" {
								t.Error(s)
							}
							last = max(last, table.Version)
						})
						if end && last != versions {
							t.Errorf("version %d is current after %d were written", last, versions)
						}
					}
				})
			}
			all.Wait()
		})
	}
}

func TestWritersMayCoincide(t *testing.T) {
	d := NewData(few)
	for _, arm := range arms {
		t.Run(arm.name, func(t *testing.T) {
			const each = 100
			c := arm.create(d.Fill(0))
			group := crew.New(4, func(i int) {
				for n := range each {
					c.Replace(d.Fill(1 + i*each + n))
					c.Read(func(table *Table) {
						if s := wrong(d, table, table.Version); s != "" {
							t.Error(s)
						}
					})
				}
			})
			defer group.Close()
			group.Run()
			c.Read(func(table *Table) {
				if s := wrong(d, table, table.Version); s != "" {
					t.Error(s)
				}
				if table.Version%each != 0 {
					t.Errorf("version %d is current, which was nobody's last", table.Version)
				}
			})
		})
	}
}

// Between finding the current Table and counting it a reader is in danger: the
// lock must be held for both. Small tables make such moments frequent.
func TestAReaderCountsATableBeforeItCanBeGivenBack(t *testing.T) {
	versions := 1_000_000
	if exact.RaceDetector || testing.Short() {
		versions = 100_000
	}
	d := NewData(1)
	c := NewCounted(d.Fill(0))
	var readers, writers sync.WaitGroup
	var written atomic.Bool
	for range 6 {
		readers.Go(func() {
			for !written.Load() && !t.Failed() {
				c.Read(func(table *Table) {
					version := table.Version
					runtime.Gosched()
					if table.Version != version || table.Len() != 1 {
						t.Errorf("version %d became version %d of %d entries while it was read", version, table.Version, table.Len())
					}
				})
			}
		})
	}
	for range 2 {
		writers.Go(func() {
			for version := range versions {
				fill := d.Fill(version)
				c.Replace(func(table *Table) {
					if table.Len() != 0 && !t.Failed() {
						t.Errorf("a writer gets version %d, which somebody else has too", table.Version)
					}
					fill(table)
				})
			}
		})
	}
	writers.Wait()
	written.Store(true)
	readers.Wait()
}

// A sync.Pool keeps nothing over two collections: where two run between
// updates, the counted container makes as many Tables as the allocating ones.
func TestTablesMadeForFiftyUpdates(t *testing.T) {
	exact.Pools(t)
	want := map[string][]int{ // by the collections between two updates: 0, 1, 2
		"counted": {2, 2, 51},
		"atomic":  {51, 51, 51},
		"rwmutex": {51, 51, 51},
		"inplace": {1, 1, 1},
		"hotswap": {2, 2, 2},
	}
	for _, arm := range arms {
		for i, collections := range collectionsFor {
			c := arm.create(smallData().Fill(0))
			w := reuse(c, collections)
			for range 50 {
				w.share(0)
				if err := w.check(); err != nil {
					t.Fatal(err)
				}
			}
			if made := c.Made(); made != want[arm.name][i] {
				t.Errorf("%s with %d collections between updates: %d tables made, want %d", arm.name, collections, made, want[arm.name][i])
			}
		}
	}
}

func TestTheLastReaderGivesTheTableBack(t *testing.T) {
	exact.Pools(t)
	d := NewData(few)
	c := NewCounted(d.Fill(0))
	c.Read(func(*Table) {
		c.Replace(d.Fill(1))
		c.Replace(d.Fill(2)) // gives version 1 back, which nobody reads
		c.Replace(d.Fill(3))
		if c.Made() != 3 {
			t.Errorf("%d tables made while version 0 was read, want 3", c.Made())
		}
	})
	// Two are in the pool now: version 0, and version 2 with which 3 was not made.
	var taken []*countedTable
	for range 2 {
		taken = append(taken, c.get(d.Fill(4)))
	}
	if c.Made() != 3 || taken[0] == taken[1] || slices.Contains(taken, c.current) {
		t.Errorf("%d tables made, want 3: the reader did not give its table back", c.Made())
	}
}

// TestArmsAgree runs before the study times anything.
func TestArmsAgree(t *testing.T) {
	check := func(name string, of func(a arm) *work) {
		for _, arm := range arms {
			w := of(arm)
			group := crew.New(w.goroutines, w.share)
			for range 2 { // the second finds a used pool
				group.Run()
				if err := w.check(); err != nil {
					t.Errorf("%s, %s: %v", name, arm.name, err)
				}
			}
			group.Close()
			if arm.name == arms[0].name {
				t.Logf("result: %s %d", name, w.want)
			}
		}
	}
	for _, writes := range writeShares {
		check(fmt.Sprint("mixed-", writes), func(a arm) *work { return mixed(a.large(), writes) })
	}
	for _, goroutines := range readers {
		check(fmt.Sprint("read-", goroutines), func(a arm) *work { return readOnly(a.large(), goroutines) })
	}
	for _, collections := range collectionsFor {
		check(fmt.Sprint("reuse-", collections), func(a arm) *work { return reuse(a.small(), collections) })
	}
}
