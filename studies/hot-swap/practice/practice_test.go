package practice

import (
	"fmt"
	"testing"

	hotswap "github.com/poolproof/poolproof/studies/hot-swap"
	"github.com/poolproof/poolproof/studies/internal/exact"
)

// few is the number of entries of a Table where only the number of Tables counts.
const few = 100

// Between two reloads of a configuration there are more collections than two. A
// sync.Pool keeps nothing over these; a pointer does.
func TestTablesMadeForFiftyReloads(t *testing.T) {
	exact.Pools(t)
	want := map[string][]int{ // by the collections between two reloads: 0, 1, 2
		"counted": {2, 2, 51},
		"hotswap": {2, 2, 2},
		"reader":  {2, 2, 2},
		"atomic":  {51, 51, 51},
		"rwmutex": {51, 51, 51},
		"inplace": {1, 1, 1},
	}
	for _, arm := range Arms {
		for i, collections := range Collections {
			if made := Made(arm, few, 50, collections); made != want[arm.Name][i] {
				t.Errorf("%s with %d collections between reloads: %d tables made, want %d", arm.Name, collections, made, want[arm.Name][i])
			}
		}
	}
}

// A sleeping Reader holds one Table, whatever is published meanwhile.
func TestASleepingReaderCostsOneTable(t *testing.T) {
	d := hotswap.NewData(few)
	c := newReaders(d.Fill(0))
	lookup, release := c.Handle()
	lookup(hot(d, 1))
	for version := range 50 {
		c.Replace(d.Fill(version))
	}
	if c.Made() != 3 {
		t.Errorf("%d tables made while a Reader slept, want 3", c.Made())
	}
	release()
	for version := range 50 {
		c.Replace(d.Fill(version))
	}
	if c.Made() != 3 {
		t.Errorf("%d tables made after it was released, want 3 still", c.Made())
	}
}

func TestReadersOfAllArmsFindWhatEachTableHas(t *testing.T) {
	d := hotswap.NewData(few)
	for _, arm := range Arms {
		for _, readers := range Readers {
			t.Run(fmt.Sprintf("%s, %d readers", arm.Name, readers), func(t *testing.T) {
				l := newLatency(arm.New(d.Fill(0)), d, readers)
				defer l.close()
				const replacements = 200
				for range replacements {
					l.run()
				}
				h, err := l.seen()
				if err != nil {
					t.Fatal(err)
				}
				// Each reader looks all keys up once at least in each operation.
				if least := uint64(replacements * readers * hotKeys); h.Count() < least {
					t.Errorf("%d lookups were timed, want %d at least", h.Count(), least)
				}
				if h.Max() < h.Quantile(0.999) || h.Quantile(0.5) <= 0 {
					t.Errorf("half of the lookups took %v, 99.9 %% %v, the longest %v", h.Quantile(0.5), h.Quantile(0.999), h.Max())
				}
			})
		}
	}
}

func TestAServerAnswersAndReplaces(t *testing.T) {
	d := hotswap.NewData(few)
	for _, arm := range Arms {
		t.Run(arm.Name, func(t *testing.T) {
			s := newServer(arm.New(d.Fill(0)), d, 100)
			const runs = 20
			last := -1
			for range runs {
				s.run()
				s.container.Read(func(table *hotswap.Table) {
					if table.Version == last {
						t.Errorf("version %d was not replaced", last)
					}
					last = table.Version
				})
			}
			if s.wrong() {
				t.Error("requests found other values than each table has")
			}
			s.members[1].want++
			s.run()
			if !s.wrong() {
				t.Error("a request that finds another value than it should is not noticed")
			}
			s.close()
		})
	}
}

func TestWrongValuesAreNoticed(t *testing.T) {
	d := hotswap.NewData(few)
	l := newLatency(Arms[0].New(d.Fill(0)), d, 1)
	defer l.close()
	l.readers[0].want++
	l.run()
	if _, err := l.seen(); err == nil {
		t.Error("a reader that found other values than it wanted was not noticed")
	}
}

// The clock of Release must start after the replacement, and the reader must be
// the last one of the Table that it read.
func TestTheReaderLeavesAReplacedTable(t *testing.T) {
	d := hotswap.NewData(few)
	for _, arm := range Arms {
		if arm.Blocks {
			continue
		}
		t.Run(arm.Name, func(t *testing.T) {
			r := newLeave(arm.New(d.Fill(0)), d)
			begun := 0
			r.begin = func() { begun++ }
			for turn := range 5 {
				var first *hotswap.Table
				r.container.Read(func(table *hotswap.Table) {
					first = table
					version := table.Version
					r.stay(table)
					if begun != turn+1 {
						t.Errorf("the clock was started %d times in %d turns", begun, turn+1)
					}
					if table.Version != version || table.Len() != few {
						t.Errorf("version %d became version %d of %d entries while it was read", version, table.Version, table.Len())
					}
					r.container.Read(func(now *hotswap.Table) {
						if now == table {
							t.Error("the table was not replaced before the reader left")
						}
					})
				})
				// The published design empties it in this reader's release, ours
				// leaves that to a writer.
				switch empty := first.Len() == 0; {
				case arm.Name == "counted" && !empty:
					t.Error("the last reader of counted has not emptied the table")
				case arm.Name != "counted" && empty:
					t.Errorf("the last reader of %s has emptied the table", arm.Name)
				}
			}
		})
	}
}

func TestAllWaysOfChangingEndWithTheSameTable(t *testing.T) {
	const edits = 300
	for _, entries := range []int{few, 1234} {
		keys, values := hotswap.NewData(entries).Columns()
		want := map[string]string{}
		for i, key := range keys {
			want[key] = values[i]
		}
		var changers []*changes
		for _, way := range Ways {
			changers = append(changers, newChanges(way, entries))
		}
		for n := range changers[0].edits + edits {
			e := changers[0].edit(n)
			touched := map[int]bool{}
			e.each(entries, func(i int) {
				touched[i] = true
				want[keys[i]] = e.Value
			})
			if len(touched) != changed {
				t.Fatalf("edit %d changes %d entries, want %d", n, len(touched), changed)
			}
		}
		for i, c := range changers {
			for range edits {
				c.next()
			}
			c.changer.Read(func(table *hotswap.Table) {
				if table.Len() != len(want) {
					t.Errorf("%s: %d entries, want %d", Ways[i].Name, table.Len(), len(want))
				}
				for key, value := range want {
					if got := table.Find(key); got != value {
						t.Fatalf("%s of %d entries: %q for %q, want %q", Ways[i].Name, entries, got, key, value)
					}
				}
			})
		}
	}
}

// The way delta must change what is there and not copy it, but for the first two
// changes: the first table was not made by a change, so it is copied into the
// second one, and that into the first.
func TestAReplayedChangeMakesAndCopiesNoTable(t *testing.T) {
	keys, values := hotswap.NewData(few).Columns()
	clones := 0
	r := newReplayed(keys, values, func(to, from *hotswap.Table) {
		clones++
		to.CopyFrom(from)
	})
	c := &changes{changer: r, values: values}
	for range 100 {
		c.next()
	}
	if r.Made() != 2 || clones != 2 {
		t.Errorf("100 changes made %d tables and copied %d times, want 2 and 2", r.Made(), clones)
	}
}

// TestArmsAgree runs before the study times anything.
func TestArmsAgree(t *testing.T) {
	d := data()
	keys := hot(d, hotKeys)
	for i, arm := range Arms {
		c := containerOf(arm)
		next := fills(d)
		for range 3 {
			c.Replace(next())
		}
		sum := c.Lookup(keys)
		if i == 0 {
			t.Logf("result: sum %d", sum)
		}
		if want := containerOf(Arms[0]).Lookup(keys); sum != want {
			t.Errorf("%s: the sum of the values is %d, want %d", arm.Name, sum, want)
		}
	}
	TestAllWaysOfChangingEndWithTheSameTable(t)
}
