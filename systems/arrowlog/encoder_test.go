package arrowlog_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/poolproof/poolproof/systems/arrowlog"
	"github.com/poolproof/poolproof/systems/arrowlog/arrowmem"
)

func open(t testing.TB, s arrowlog.Schema, o arrowlog.Options) *arrowlog.Encoder {
	t.Helper()
	e, err := arrowlog.New(s, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func appendRows(t testing.TB, e *arrowlog.Encoder, all []arrowlog.Row) {
	t.Helper()
	for _, r := range all {
		if err := e.AppendRow(r); err != nil {
			t.Fatal(err)
		}
	}
}

func TestOtherLibrariesReadWhatIsWritten(t *testing.T) {
	columns := append(wide(), arrowlog.Column{Name: "raw", Kind: arrowlog.Bytes})
	for _, w := range ways() {
		t.Run(w.name, func(t *testing.T) {
			e := open(t, arrowlog.Schema{Columns: columns}, w.o)
			defer e.Close()
			for round, c := range []struct {
				rows  int
				nulls float64
			}{{900, 0.4}, {100, 0}, {1, 1}, {0, 0}, {77, 0.9}, {900, 0.4}} {
				want := rows(columns, c.rows, uint64(round), c.nulls)
				appendRows(t, e, want)
				var out bytes.Buffer
				s, err := w.flush(e, &out)
				if err != nil {
					t.Fatal(err)
				}
				if s.Rows != c.rows || s.Bytes != int64(out.Len()) || len(s.Columns) != len(columns) || e.Rows() != 0 {
					t.Errorf("round %d: the statistics say %d rows, %d bytes, %d columns; %d bytes came, %d rows wait", round, s.Rows, s.Bytes, len(s.Columns), out.Len(), e.Rows())
				}
				names, got := w.reads(t, out.Bytes())
				for i, c := range columns {
					if names[i] != c.Name {
						t.Fatalf("column %d is %q, want %q", i, names[i], c.Name)
					}
				}
				if d := differ(got, want); d != "" {
					t.Fatalf("round %d: %s", round, d)
				}
				if !strings.HasPrefix(w.name, "ipc") {
					checkPaths(t, out.Bytes(), columns)
				}
			}
		})
	}
}

// checkPaths fails unless the metadata of each column chunk names its column, as
// Spark and others require.
func checkPaths(t *testing.T, b []byte, columns []arrowlog.Column) {
	t.Helper()
	f, err := parquet.OpenFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range f.Metadata().RowGroups {
		for i, c := range g.Columns {
			if got := fmt.Sprintf("%q", c.MetaData.PathInSchema); got != fmt.Sprintf("[%q]", columns[i].Name) {
				t.Fatalf("column %d has the path %s in the metadata, want %q", i, got, columns[i].Name)
			}
		}
	}
}

func TestRowGroupsAreCut(t *testing.T) {
	columns := wide()[:4]
	e := open(t, arrowlog.Schema{Columns: columns}, arrowlog.Options{RowGroup: 1500})
	want := rows(columns, 4000, 3, 0.3)
	appendRows(t, e, want)
	var out bytes.Buffer
	if _, err := e.FlushParquet(&out); err != nil {
		t.Fatal(err)
	}
	_, got := parquetGoReads(t, out.Bytes())
	if d := differ(got, want); d != "" {
		t.Error(d)
	}
	if got := rowGroups(t, out.Bytes()); got != 3 {
		t.Errorf("%d row groups, want 3", got)
	}
}

func TestRowsAreSorted(t *testing.T) {
	columns := []arrowlog.Column{{Name: "n", Kind: arrowlog.Int64}, {Name: "s", Kind: arrowlog.String}}
	e := open(t, arrowlog.Schema{Columns: columns}, arrowlog.Options{SortBy: "n"})
	for round := range 2 {
		for i, n := range []int64{5, -1, 5, 3} {
			appendRows(t, e, []arrowlog.Row{{arrowlog.Int64Value(n), arrowlog.StringValue(fmt.Sprint(round, i))}})
		}
		appendRows(t, e, []arrowlog.Row{{arrowlog.NullValue(), arrowlog.StringValue("null")}})
		var out bytes.Buffer
		if _, err := e.FlushParquet(&out); err != nil {
			t.Fatal(err)
		}
		_, got := arrowReadsParquet(t, out.Bytes())
		var order []string
		for _, r := range got {
			order = append(order, r[1].Text())
		}
		want := fmt.Sprint([]string{fmt.Sprint(round, 1), fmt.Sprint(round, 3), fmt.Sprint(round, 0), fmt.Sprint(round, 2), "null"})
		if fmt.Sprint(order) != want {
			t.Errorf("round %d: the order is %v, want %v", round, order, want)
		}
	}
}

func TestAppendMap(t *testing.T) {
	e := open(t, arrowlog.Schema{Columns: []arrowlog.Column{{Name: "at", Kind: arrowlog.Timestamp}, {Name: "s", Kind: arrowlog.String}}}, arrowlog.Options{})
	at := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	for _, m := range []map[string]any{
		{"at": at, "s": "x", "u8": uint8(255), "f": float32(0.5), "b": true, "raw": []byte{1}},
		{"at": at.UnixNano(), "s": nil, "u8": int64(math.MinInt64), "nothing": nil},
		{},
	} {
		if err := e.AppendMap(m); err != nil {
			t.Fatal(err)
		}
	}
	var names []string
	for i := range e.Batch().Columns() {
		names = append(names, fmt.Sprint(e.Batch().Column(i).Name, " ", e.Batch().Column(i).Kind))
	}
	if got, want := strings.Join(names, ", "), "at timestamp, s string, b bool, f float64, raw bytes, u8 int64"; got != want {
		t.Errorf("the columns are %s, want %s", got, want)
	}
	null := arrowlog.NullValue()
	want := []arrowlog.Row{
		{arrowlog.TimestampValue(at.UnixNano()), arrowlog.StringValue("x"), arrowlog.BoolValue(true), arrowlog.Float64Value(0.5), arrowlog.BytesValue([]byte{1}), arrowlog.Int64Value(255)},
		{arrowlog.TimestampValue(at.UnixNano()), null, null, null, null, arrowlog.Int64Value(math.MinInt64)},
		{null, null, null, null, null, null},
	}
	var got []arrowlog.Row
	for i := range e.Rows() {
		got = append(got, e.Batch().AppendRow(nil, i))
	}
	if d := differ(got, want); d != "" {
		t.Error(d)
	}
}

func TestAppendColumnsEqualsAppendRow(t *testing.T) {
	columns := append(wide(), arrowlog.Column{Name: "raw", Kind: arrowlog.Bytes})
	e := open(t, arrowlog.Schema{Columns: columns}, arrowlog.Options{})
	for round, n := range []int{13, 0, 8, 100, 1} { // bitmaps that begin within a byte
		want := rows(columns, n, uint64(round), 0.5)
		before := e.Rows()
		if err := e.AppendColumns(n, dataOf(columns, want)...); err != nil {
			t.Fatal(err)
		}
		var got []arrowlog.Row
		for i := before; i < e.Rows(); i++ {
			got = append(got, e.Batch().AppendRow(nil, i))
		}
		if d := differ(got, want); d != "" {
			t.Fatalf("round %d: %s", round, d)
		}
	}
	for i := range columns {
		nulls := 0
		for row := range e.Rows() {
			if e.Batch().Value(row, i).IsNull() {
				nulls++
			}
		}
		if got := e.Batch().Nulls(i); got != nulls {
			t.Errorf("column %d counts %d nulls, has %d", i, got, nulls)
		}
	}
}

// dataOf turns rows into columns. Where a row is null the slices hold something,
// which must not be written.
func dataOf(columns []arrowlog.Column, all []arrowlog.Row) []arrowlog.Data {
	data := make([]arrowlog.Data, len(columns))
	for i, c := range columns {
		d := &data[i]
		d.Name = c.Name
		d.Valid = make([]bool, len(all))
		for row, r := range all {
			v := r[i]
			d.Valid[row] = !v.IsNull()
			switch c.Kind {
			case arrowlog.String:
				d.Strings = append(d.Strings, v.Text())
			case arrowlog.Bytes:
				d.Bytes = append(d.Bytes, v.AsBytes())
			case arrowlog.Float64:
				f := v.Float64()
				if v.IsNull() {
					f = 77
				}
				d.Float64s = append(d.Float64s, f)
			case arrowlog.Bool:
				d.Bools = append(d.Bools, v.Bool() || v.IsNull())
			default:
				n := v.Int64()
				if v.IsNull() {
					n = 77
				}
				d.Int64s = append(d.Int64s, n)
			}
		}
		if len(all) == 0 {
			d.Strings, d.Valid = []string{}, nil
			switch c.Kind {
			case arrowlog.Bytes:
				d.Strings, d.Bytes = nil, [][]byte{}
			case arrowlog.Float64:
				d.Strings, d.Float64s = nil, []float64{}
			case arrowlog.Bool:
				d.Strings, d.Bools = nil, []bool{}
			case arrowlog.Int64, arrowlog.Timestamp:
				d.Strings, d.Int64s = nil, []int64{}
			}
		}
	}
	return data
}

func TestAColumnThatComesLater(t *testing.T) {
	for _, w := range ways()[:2] {
		e := open(t, arrowlog.Schema{Columns: []arrowlog.Column{{Name: "a", Kind: arrowlog.Int64}}}, w.o)
		var generations []int
		flush := func() []arrowlog.Row {
			var out bytes.Buffer
			s, err := w.flush(e, &out)
			if err != nil {
				t.Fatal(err)
			}
			generations = append(generations, s.Generation)
			_, got := w.reads(t, out.Bytes())
			return got
		}
		must(t, e.AppendMap(map[string]any{"a": 1}))
		flush()
		must(t, e.AppendMap(map[string]any{"a": 2}))
		must(t, e.AppendMap(map[string]any{"a": 3, "b": "new"}))
		if d := differ(flush(), []arrowlog.Row{{arrowlog.Int64Value(2), {}}, {arrowlog.Int64Value(3), arrowlog.StringValue("new")}}); d != "" {
			t.Errorf("%s: %s", w.name, d)
		}
		must(t, e.AppendMap(map[string]any{"a": 4}))
		flush()
		if fmt.Sprint(generations) != "[1 2 2]" {
			t.Errorf("%s: the generations are %v", w.name, generations)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestBadInputIsRefusedAndNothingIsAdded(t *testing.T) {
	schema := arrowlog.Schema{Columns: []arrowlog.Column{{Name: "s", Kind: arrowlog.String}, {Name: "n", Kind: arrowlog.Int64}}}
	fixed := schema
	fixed.Fixed = true
	for name, c := range map[string]struct {
		schema arrowlog.Schema
		want   string
		do     func(e *arrowlog.Encoder) error
	}{
		"kind of a row":     {schema, `row 1, column "n": want int64, got string`, func(e *arrowlog.Encoder) error { return e.AppendRow(arrowlog.Row{{}, arrowlog.StringValue("x")}) }},
		"kind of a map":     {schema, `row 1, column "n": want int64, got float64`, func(e *arrowlog.Encoder) error { return e.AppendMap(map[string]any{"s": "kept?", "n": 1.5}) }},
		"unknown Go type":   {schema, `row 1, column "n": want int64, got struct {}`, func(e *arrowlog.Encoder) error { return e.AppendMap(map[string]any{"n": struct{}{}}) }},
		"unknown new type":  {schema, `column "new": want string, got chan int`, func(e *arrowlog.Encoder) error { return e.AppendMap(map[string]any{"new": make(chan int)}) }},
		"too large for int": {schema, `column "n"`, func(e *arrowlog.Encoder) error { return e.AppendMap(map[string]any{"n": uint64(math.MaxUint64)}) }},
		"long row":          {schema, `the row has 3 cells, the schema has 2 columns`, func(e *arrowlog.Encoder) error { return e.AppendRow(make(arrowlog.Row, 3)) }},
		"UTF-8":             {schema, `row 1, column "s": the text "a\xff" is not valid UTF-8`, func(e *arrowlog.Encoder) error { return e.AppendRow(arrowlog.Row{arrowlog.StringValue("a\xff")}) }},
		"fixed map":         {fixed, `row 1, column "new": the fixed schema has no such column`, func(e *arrowlog.Encoder) error { return e.AppendMap(map[string]any{"s": "x", "new": 1}) }},
		"fixed columns": {fixed, `column "new"`, func(e *arrowlog.Encoder) error {
			return e.AppendColumns(1, arrowlog.Data{Name: "s", Strings: []string{"x"}}, arrowlog.Data{Name: "new", Strings: []string{"x"}})
		}},
		"empty name":     {schema, "the name is empty", func(e *arrowlog.Encoder) error { return e.AppendMap(map[string]any{"": 1}) }},
		"bad new name":   {schema, "not valid UTF-8", func(e *arrowlog.Encoder) error { return e.AppendMap(map[string]any{"\xff": 1}) }},
		"second new bad": {schema, "not valid UTF-8", func(e *arrowlog.Encoder) error { return e.AppendMap(map[string]any{"fine": 1, "other": "\xff"}) }},
		"number of values": {schema, `column "s" has 2 values`, func(e *arrowlog.Encoder) error {
			return e.AppendColumns(3, arrowlog.Data{Name: "n", Int64s: []int64{1, 2, 3}}, arrowlog.Data{Name: "s", Strings: []string{"a", "b"}})
		}},
		"two slices": {schema, `column "s" has 2 slices`, func(e *arrowlog.Encoder) error {
			return e.AppendColumns(0, arrowlog.Data{Name: "s", Strings: []string{}, Int64s: []int64{}})
		}},
		"no slice": {schema, `column "s" has 0 slices`, func(e *arrowlog.Encoder) error { return e.AppendColumns(0, arrowlog.Data{Name: "s"}) }},
		"given twice": {schema, "given twice", func(e *arrowlog.Encoder) error {
			return e.AppendColumns(1, arrowlog.Data{Name: "n", Int64s: []int64{1}}, arrowlog.Data{Name: "n", Int64s: []int64{1}})
		}},
		"other kind": {schema, "want int64, got bool", func(e *arrowlog.Encoder) error {
			return e.AppendColumns(1, arrowlog.Data{Name: "n", Bools: []bool{true}})
		}},
		"text in the middle": {schema, "row 2", func(e *arrowlog.Encoder) error {
			return e.AppendColumns(2, arrowlog.Data{Name: "n", Int64s: []int64{1, 2}}, arrowlog.Data{Name: "s", Strings: []string{"a", "\xff"}})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			e := open(t, c.schema, arrowlog.Options{})
			first := arrowlog.Row{arrowlog.StringValue("first"), arrowlog.Int64Value(1)}
			must(t, e.AppendRow(first))
			err := c.do(e)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want %q in it", err, c.want)
			}
			if e.Rows() != 1 || e.Batch().Columns() != 2 {
				t.Errorf("%d rows and %d columns are left", e.Rows(), e.Batch().Columns())
			}
			second := arrowlog.Row{arrowlog.NullValue(), arrowlog.Int64Value(2)}
			must(t, e.AppendRow(second))
			var out bytes.Buffer
			if _, err := e.FlushParquet(&out); err != nil {
				t.Fatal(err)
			}
			_, got := arrowReadsParquet(t, out.Bytes())
			if d := differ(got, []arrowlog.Row{first, second}); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestNewRefusesBadSchemasAndOptions(t *testing.T) {
	for want, c := range map[string]struct {
		s arrowlog.Schema
		o arrowlog.Options
	}{
		`columns 0 and 2 have the same name "a"`: {s: arrowlog.Schema{Columns: []arrowlog.Column{{Name: "a", Kind: arrowlog.Bool}, {Name: "b", Kind: arrowlog.Bool}, {Name: "a", Kind: arrowlog.Bool}}}},
		"column 0: the name is empty":            {s: arrowlog.Schema{Columns: []arrowlog.Column{{Kind: arrowlog.Bool}}}},
		"null is not a kind of column":           {s: arrowlog.Schema{Columns: []arrowlog.Column{{Name: "a"}}}},
		"Options.Compression is 9":               {o: arrowlog.Options{Compression: 9}},
		"Options.Dictionary is 9":                {o: arrowlog.Options{Dictionary: 9}},
		"Options.InvalidUTF8 is 9":               {o: arrowlog.Options{InvalidUTF8: 9}},
		"Options.RowGroup is -1":                 {o: arrowlog.Options{RowGroup: -1}},
		`Options.SortBy is "x"`:                  {s: arrowlog.Schema{Fixed: true}, o: arrowlog.Options{SortBy: "x"}},
	} {
		if _, err := arrowlog.New(c.s, c.o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %q in it", err, want)
		}
	}
}

func TestInvalidUTF8IsReplaced(t *testing.T) {
	e := open(t, arrowlog.Schema{Columns: []arrowlog.Column{{Name: "s", Kind: arrowlog.String}}}, arrowlog.Options{InvalidUTF8: arrowlog.ReplaceInvalid})
	must(t, e.AppendRow(arrowlog.Row{arrowlog.StringValue("a\xff\xfeb")}))
	if got := e.Batch().Value(0, 0).Text(); got != "a\uFFFDb" {
		t.Errorf("the text is %q", got)
	}
}

// failing is a writer that fails after some bytes, or panics there.
type failing struct {
	left   int
	panics bool
}

var errFull = errors.New("the disk is full")

func (f *failing) Write(p []byte) (int, error) {
	if len(p) <= f.left {
		f.left -= len(p)
		return len(p), nil
	}
	if f.panics {
		panic(errFull)
	}
	n := f.left
	f.left = 0
	return n, errFull
}

func TestAFailingWriterLosesNothing(t *testing.T) {
	columns := wide()
	want := rows(columns, 300, 1, 0.3)
	for _, w := range ways() {
		if strings.Contains(w.name, "fastest") || strings.Contains(w.name, "better") {
			continue
		}
		t.Run(w.name, func(t *testing.T) {
			guard := arrowmem.NewGuard(arrowmem.NewGo(), arrowmem.GuardOptions{})
			o := w.o
			o.Allocator = guard
			e := open(t, arrowlog.Schema{Columns: columns}, o)
			appendRows(t, e, want)
			for _, after := range []int{0, 1, 4, 100, 1000, 5000, 15_000} {
				if _, err := w.flush(e, &failing{left: after}); !errors.Is(err, errFull) {
					t.Errorf("after %d bytes: the error is %v", after, err)
				}
				func() {
					defer func() {
						if r := recover(); r != nil && r != any(errFull) && !strings.Contains(fmt.Sprint(r), errFull.Error()) {
							t.Errorf("after %d bytes: the panic is %v", after, r)
						}
					}()
					if _, err := w.flush(e, &failing{left: after, panics: true}); err == nil {
						t.Errorf("after %d bytes: no error and no panic", after)
					}
				}()
				if e.Rows() != len(want) {
					t.Fatalf("after %d bytes: %d rows are left", after, e.Rows())
				}
			}
			var out bytes.Buffer
			if _, err := w.flush(e, &out); err != nil {
				t.Fatal(err)
			}
			_, got := w.reads(t, out.Bytes())
			if d := differ(got, want); d != "" {
				t.Error(d)
			}
			must(t, e.Close())
			if err := guard.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestAfterClose(t *testing.T) {
	e := open(t, arrowlog.Schema{Columns: wide()}, arrowlog.Options{})
	must(t, e.Close())
	_, record := e.Record()
	_, file := e.FlushParquet(io.Discard)
	_, stream := e.FlushIPC(io.Discard)
	for i, err := range []error{e.AppendRow(nil), e.AppendMap(nil), e.AppendColumns(0), e.AddColumn(arrowlog.Column{Name: "x", Kind: arrowlog.Bool}), e.Close(), record, file, stream} {
		if !errors.Is(err, arrowlog.ErrClosed) {
			t.Errorf("call %d returned %v", i, err)
		}
	}
	e.Reset()
}

func TestNothingToWriteWithoutColumns(t *testing.T) {
	e := open(t, arrowlog.Schema{}, arrowlog.Options{})
	if _, err := e.FlushParquet(io.Discard); err == nil || !strings.Contains(err.Error(), "no columns") {
		t.Errorf("the error is %v", err)
	}
}

func TestNothingIsReadFromTheCallersMemoryLater(t *testing.T) {
	e := open(t, arrowlog.Schema{Columns: []arrowlog.Column{{Name: "b", Kind: arrowlog.Bytes}}}, arrowlog.Options{})
	b := []byte("first")
	must(t, e.AppendRow(arrowlog.Row{arrowlog.BytesValue(b)}))
	must(t, e.AppendMap(map[string]any{"b": b}))
	must(t, e.AppendColumns(1, arrowlog.Data{Name: "b", Bytes: [][]byte{b}}))
	copy(b, "later")
	for i := range 3 {
		if got := e.Batch().Value(i, 0).Text(); got != "first" {
			t.Errorf("row %d reads %q", i, got)
		}
	}
}
