package arrowlog_test

import (
	"bytes"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/parquet-go/parquet-go"

	"github.com/poolproof/poolproof/systems/arrowlog"
	"github.com/poolproof/poolproof/systems/arrowlog/arrowmem"
)

func rowGroups(t testing.TB, b []byte) int {
	t.Helper()
	f, err := parquet.OpenFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return len(f.RowGroups())
}

// dirty hands out memory that is full of 0xAA.
type dirty struct{ *arrowmem.Go }

func (d dirty) Allocate(size int) []byte {
	b := d.Go.Allocate(size)
	stain(b)
	return b
}

func (d dirty) Reallocate(size int, b []byte) []byte {
	moved := d.Allocate(size)
	copy(moved, b)
	d.Free(b)
	return moved
}

func (d dirty) Free(b []byte) {
	stain(b)
	d.Go.Free(b)
}

func stain(b []byte) {
	for i := range b {
		b[i] = 0xAA
	}
}

// allocators returns all that there are. The dirty one must make no difference to a
// file.
func allocators() map[string]arrowmem.Tracked {
	return map[string]arrowmem.Tracked{
		"go":       arrowmem.NewGo(),
		"recycler": arrowmem.NewRecycler(arrowmem.Options{}),
		"no zero":  arrowmem.NewRecycler(arrowmem.Options{NoZero: true}),
		"dirty":    dirty{arrowmem.NewGo()},
		"guard":    arrowmem.NewGuard(arrowmem.NewGo(), arrowmem.GuardOptions{}),
	}
}

func TestAllAllocatorsGiveTheSameBytes(t *testing.T) {
	columns := wide()
	want := rows(columns, 500, 9, 0.4)
	for _, w := range ways() {
		if w.o.Compression > arrowlog.Snappy {
			continue
		}
		var first []byte
		for name, mem := range allocators() {
			o := w.o
			o.Allocator = mem
			e := open(t, arrowlog.Schema{Columns: columns}, o)
			for range 3 { // the third finds used memory
				appendRows(t, e, want)
				var out bytes.Buffer
				if _, err := w.flush(e, &out); err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = out.Bytes()
				} else if !bytes.Equal(out.Bytes(), first) {
					t.Errorf("%s, %s: other bytes than with another allocator", w.name, name)
				}
			}
			if mem.AllocatedBytes() != 0 {
				t.Errorf("%s, %s: %d bytes were not freed", w.name, name, mem.AllocatedBytes())
			}
		}
	}
}

func TestRecordsAreReleased(t *testing.T) {
	columns := wide()
	guard := arrowmem.NewGuard(arrowmem.NewRecycler(arrowmem.Options{}), arrowmem.GuardOptions{})
	e := open(t, arrowlog.Schema{Columns: columns}, arrowlog.Options{Allocator: guard})
	for i := range 5 {
		want := rows(columns, 200, uint64(i), 0.3)
		appendRows(t, e, want)
		r, err := e.Record()
		if err != nil {
			t.Fatal(err)
		}
		appendRows(t, e, rows(columns, 10, 99, 0)) // the record does not see what comes later
		if d := differ(arrowRows(t, r), want); d != "" {
			t.Error(d)
		}
		r.Release()
		e.Reset()
	}
	if err := guard.Close(); err != nil {
		t.Error(err)
	}
}

// TestOldDataStaysOutOfStreams fills and frees memory with a marker and then sends
// a column of nulls that arrow-go's own builder has made: it leaves the slots of
// nulls as they are, and the stream ships them.
func TestOldDataStaysOutOfStreams(t *testing.T) {
	send := func(mem arrowmem.Allocator) int {
		for range 200 {
			b := mem.Allocate(8 << 10)
			for i := 0; i < len(b); i += 8 {
				copy(b[i:], "SECRET!!")
			}
			mem.Free(b)
		}
		schema := arrow.NewSchema([]arrow.Field{{Name: "n", Type: arrow.PrimitiveTypes.Int64, Nullable: true}}, nil)
		builder := array.NewRecordBuilder(mem, schema)
		defer builder.Release()
		builder.Field(0).AppendNulls(1000)
		r := builder.NewRecordBatch()
		defer r.Release()
		var out bytes.Buffer
		w := ipc.NewWriter(&out, ipc.WithSchema(schema), ipc.WithAllocator(mem))
		must(t, w.Write(r))
		must(t, w.Close())

		e := open(t, arrowlog.Schema{Columns: wide()}, arrowlog.Options{Allocator: mem})
		appendRows(t, e, rows(wide(), 300, 5, 0.9))
		if _, err := e.FlushIPC(&out); err != nil {
			t.Fatal(err)
		}
		return bytes.Count(out.Bytes(), []byte("SECRET!!"))
	}
	for name, mem := range allocators() {
		if name == "no zero" || name == "dirty" {
			continue
		}
		if n := send(mem); n != 0 {
			t.Errorf("%s: old data stands %d times in the stream", name, n)
		}
	}
	if raceEnabled {
		t.Log("sync.Pool drops at random under the race detector: no check that NoZero leaks")
		return
	}
	if n := send(arrowmem.NewRecycler(arrowmem.Options{NoZero: true})); n == 0 {
		t.Error("even without clearing no old data is in the stream, so this test finds nothing")
	}
}
