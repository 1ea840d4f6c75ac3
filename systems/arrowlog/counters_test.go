package arrowlog_test

import (
	"io"
	"runtime"
	"runtime/debug"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/poolproof/poolproof/systems/arrowlog"
	"github.com/poolproof/poolproof/systems/arrowlog/arrowmem"
)

// counters returns the allocations and bytes of one operation, without garbage
// collections, on a number of processors. The operation is run before, so that
// memory that is kept is there.
func counters(t *testing.T, processors int, f func()) (allocs, bytes uint64) {
	t.Helper()
	if raceEnabled {
		t.Skip("sync.Pool drops at random under the race detector")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for range 20 {
		f()
	}
	const n = 10
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range n {
		f()
	}
	runtime.ReadMemStats(&after)
	return (after.Mallocs - before.Mallocs) / n, (after.TotalAlloc - before.TotalAlloc) / n
}

// TestAppendingAllocatesNothing: what is appended goes into memory that is kept.
func TestAppendingAllocatesNothing(t *testing.T) {
	columns := wide()
	table := rows(columns, 500, 1, 0.4)
	data := dataOf(columns, table)
	maps := make([]map[string]any, len(table))
	for i, r := range table {
		maps[i] = map[string]any{}
		for j, v := range r {
			if !v.IsNull() {
				maps[i][columns[j].Name] = v
			}
		}
	}
	e := open(t, arrowlog.Schema{Columns: columns}, arrowlog.Options{})
	otlp := open(t, arrowlog.Schema{}, arrowlog.Options{})
	message, err := proto.Marshal(request(2))
	must(t, err)
	for name, f := range map[string]func(){
		"AppendRow": func() { appendRows(t, e, table); e.Reset() },
		"AppendColumns": func() {
			must(t, e.AppendColumns(len(table), data...))
			e.Reset()
		},
		"AppendMap": func() {
			for _, m := range maps {
				must(t, e.AppendMap(m))
			}
			e.Reset()
		},
	} {
		if allocs, bytes := counters(t, 1, f); allocs != 0 {
			t.Errorf("%s: %d allocations of %d bytes for 500 rows", name, allocs, bytes)
		}
	}
	// Lists and maps become JSON, each text of theirs by an allocation or two; the
	// message has 34 of them in about 30 logs.
	if allocs, bytes := counters(t, 1, func() {
		if _, err := otlp.AppendOTLP(message); err != nil {
			t.Fatal(err)
		}
		otlp.Reset()
	}); allocs > 200 {
		t.Errorf("AppendOTLP: %d allocations of %d bytes", allocs, bytes)
	}
}

// TestTheBudgetOfAFlush: 900 rows of 52 columns. The figures are budgets, as the
// libraries' own pools decide a part. With two processors a goroutine that moves
// to the other one finds those pools empty there, so the least of five runs
// counts: memory that every flush makes is in each of them.
func TestTheBudgetOfAFlush(t *testing.T) {
	columns := wide()
	data := dataOf(columns, rows(columns, 900, 1, 0.35))
	for name, c := range map[string]struct {
		o             arrowlog.Options
		flush         func(*arrowlog.Encoder, io.Writer) (arrowlog.Stats, error)
		allocs, bytes uint64
	}{
		"parquet-go": {arrowlog.Options{}, (*arrowlog.Encoder).FlushParquet, 900, 40_000},
		"ipc":        {arrowlog.Options{}, (*arrowlog.Encoder).FlushIPC, 700, 120_000},
	} {
		for _, processors := range []int{1, 2} {
			e := open(t, arrowlog.Schema{Columns: columns}, c.o)
			flush := func() {
				must(t, e.AppendColumns(900, data...))
				if _, err := c.flush(e, io.Discard); err != nil {
					t.Fatal(err)
				}
			}
			allocs, bytes := counters(t, processors, flush)
			for range 4 * (processors - 1) {
				a, b := counters(t, processors, flush)
				allocs, bytes = min(allocs, a), min(bytes, b)
			}
			t.Logf("%s, %d processors: %d allocations of %d bytes", name, processors, allocs, bytes)
			if allocs > c.allocs || bytes > c.bytes {
				t.Errorf("%s, %d processors: %d allocations of %d bytes, the budget is %d of %d", name, processors, allocs, bytes, c.allocs, c.bytes)
			}
			must(t, e.Close())
		}
	}
}

// TestARecordOnTheRecyclerMakesATenthOfTheBytes compares the allocators.
func TestARecordOnTheRecyclerMakesATenthOfTheBytes(t *testing.T) {
	columns := wide()
	data := dataOf(columns, rows(columns, 900, 1, 0.35))
	bytes := map[string]uint64{}
	for name, mem := range map[string]arrowlog.Allocator{"go": arrowmem.NewGo(), "recycler": arrowmem.NewRecycler(arrowmem.Options{})} {
		e := open(t, arrowlog.Schema{Columns: columns}, arrowlog.Options{Allocator: mem})
		_, bytes[name] = counters(t, 1, func() {
			must(t, e.AppendColumns(900, data...))
			r, err := e.Record()
			must(t, err)
			r.Release()
		})
	}
	if bytes["recycler"]*10 > bytes["go"] {
		t.Errorf("a record makes %d bytes with the recycler and %d with the Go allocator", bytes["recycler"], bytes["go"])
	}
}
