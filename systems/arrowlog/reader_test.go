package arrowlog_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/float16"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/parquet-go/parquet-go"

	"github.com/poolproof/poolproof/systems/arrowlog"
	"github.com/poolproof/poolproof/systems/arrowlog/where"
)

func readAll(t testing.TB, file []byte, q arrowlog.Query) ([]arrowlog.Row, arrowlog.ReadStats) {
	t.Helper()
	r, err := arrowlog.OpenReader(bytes.NewReader(file), int64(len(file)), q)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var all []arrowlog.Row
	for row, err := range r.Rows() {
		if err != nil {
			t.Fatal(err)
		}
		kept := make(arrowlog.Row, len(row))
		for i, v := range row {
			switch v.Kind() {
			case arrowlog.String:
				v = arrowlog.StringValue(strings.Clone(v.Text()))
			case arrowlog.Bytes:
				v = arrowlog.BytesValue([]byte(v.Text()))
			}
			kept[i] = v
		}
		all = append(all, kept)
	}
	return all, r.Stats()
}

// TestQueriesEqualAPlainLoop asks random questions of files with several row
// groups and compares the answers with those of a loop over the rows.
func TestQueriesEqualAPlainLoop(t *testing.T) {
	columns := append(wide()[:12], arrowlog.Column{Name: "raw", Kind: arrowlog.Bytes}, arrowlog.Column{Name: "n", Kind: arrowlog.Int64},
		arrowlog.Column{Name: "f", Kind: arrowlog.Float64}, arrowlog.Column{Name: "b", Kind: arrowlog.Bool})
	columns[2].Bloom = true
	want := rows(columns, 3000, 1, 0.2)
	for _, w := range ways()[:2] {
		files := map[string][]byte{}
		for _, sorted := range []string{"", "time"} {
			o := w.o
			o.RowGroup, o.SortBy = 700, sorted
			e := open(t, arrowlog.Schema{Columns: columns}, o)
			appendRows(t, e, want)
			var file, stream bytes.Buffer
			if _, err := e.FlushParquet(&file); err != nil {
				t.Fatal(err)
			}
			appendRows(t, e, want)
			if _, err := e.FlushIPC(&stream); err != nil {
				t.Fatal(err)
			}
			files["parquet "+sorted], files["ipc "+sorted] = file.Bytes(), stream.Bytes()
		}
		random := rand.New(rand.NewPCG(4, 4))
		for range 60 {
			q := randomQuery(random, columns, want)
			for name, file := range files {
				table := want
				if strings.HasSuffix(name, "time") {
					table, _ = readAll(t, file, arrowlog.Query{})
				}
				got, s := readAll(t, file, q)
				expected := plainLoop(columns, table, q)
				if d := differ(got, expected); d != "" {
					t.Fatalf("%s, %s, %+v: %s", w.name, name, q, d)
				}
				if s.Rows != int64(len(expected)) || s.RowsLookedAt < s.Rows {
					t.Fatalf("%s, %+v: the statistics are %+v for %d rows", name, q, s, len(expected))
				}
			}
		}
	}
}

func randomQuery(random *rand.Rand, columns []arrowlog.Column, table []arrowlog.Row) (q arrowlog.Query) {
	for _, i := range random.Perm(len(columns))[:random.IntN(5)] {
		q.Columns = append(q.Columns, columns[i].Name)
	}
	for range random.IntN(3) {
		i := random.IntN(len(columns))
		if random.IntN(2) == 0 {
			i = 0
		}
		v := table[random.IntN(len(table))][i]
		if v.IsNull() {
			continue
		}
		q.Where = append(q.Where, where.Condition{Column: columns[i].Name, Op: where.Op(random.IntN(6)), Value: v})
	}
	if random.IntN(3) == 0 {
		q.Limit = 1 + random.IntN(1000)
	}
	q.BatchRows = []int{0, 1, 7, 500}[random.IntN(4)]
	return q
}

// plainLoop answers a query as it is written.
func plainLoop(columns []arrowlog.Column, table []arrowlog.Row, q arrowlog.Query) (all []arrowlog.Row) {
	index := map[string]int{}
	names := q.Columns
	for i, c := range columns {
		index[c.Name] = i
		if q.Columns == nil {
			names = append(names, c.Name)
		}
	}
	for _, row := range table {
		fits := true
		for _, c := range q.Where {
			fits = fits && compare(row[index[c.Column]], c.Op, c.Value.(arrowlog.Value))
		}
		if !fits {
			continue
		}
		if q.Limit > 0 && len(all) == q.Limit {
			break
		}
		var out arrowlog.Row
		for _, n := range names {
			out = append(out, row[index[n]])
		}
		all = append(all, out)
	}
	return all
}

func compare(a arrowlog.Value, op where.Op, b arrowlog.Value) bool {
	if a.IsNull() {
		return false
	}
	var less, equal bool
	switch a.Kind() {
	case arrowlog.Float64:
		less, equal = a.Float64() < b.Float64(), a.Float64() == b.Float64()
		if a.Float64() != a.Float64() || b.Float64() != b.Float64() {
			return op == where.NotEqual
		}
	case arrowlog.Bool:
		less, equal = !a.Bool() && b.Bool(), a.Bool() == b.Bool()
	case arrowlog.Int64, arrowlog.Timestamp:
		less, equal = a.Int64() < b.Int64(), a.Int64() == b.Int64()
	default:
		less, equal = a.Text() < b.Text(), a.Text() == b.Text()
	}
	return [...]bool{equal, !equal, less, less || equal, !less && !equal, !less}[op]
}

func TestRowGroupsAreSkipped(t *testing.T) {
	columns := []arrowlog.Column{{Name: "time", Kind: arrowlog.Timestamp}, {Name: "id", Kind: arrowlog.String, Bloom: true}}
	for writer, write := range fileWriters {
		e := open(t, arrowlog.Schema{Columns: columns}, arrowlog.Options{RowGroup: 100})
		for i := range 1000 {
			must(t, e.AppendRow(arrowlog.Row{arrowlog.TimestampValue(int64(i)), arrowlog.StringValue(fmt.Sprintf("%x", i*7919%1000))}))
		}
		file := write(t, e, 100)
		conditions, err := where.Parse("time >= 250 and time < 320")
		must(t, err)
		got, s := readAll(t, file, arrowlog.Query{Where: conditions})
		if len(got) != 70 || s.GroupsSkipped != 8 || s.RowsLookedAt != 200 {
			t.Errorf("%s: %d rows, %+v", writer, len(got), s)
		}
		if writer == "arrowlog" { // "zzz" lies between no bounds, "1f3x" does
			_, s := readAll(t, file, arrowlog.Query{Where: []where.Condition{{Column: "id", Value: arrowlog.StringValue("1f3x")}}})
			if s.GroupsSkipped < 9 {
				t.Errorf("the Bloom filters skip %d of 10 row groups", s.GroupsSkipped)
			}
		}
	}
}

// TestNumbersAreComparedAsNumbers: an integer with a fraction or a number that no
// integer is, a number with an integer.
func TestNumbersAreComparedAsNumbers(t *testing.T) {
	e := open(t, arrowlog.Schema{Columns: []arrowlog.Column{{Name: "n", Kind: arrowlog.Int64}, {Name: "f", Kind: arrowlog.Float64}}}, arrowlog.Options{RowGroup: 2})
	integers := []int64{math.MinInt64, -3, -1, 0, 1, 2, math.MaxInt64}
	for _, n := range integers {
		must(t, e.AppendRow(arrowlog.Row{arrowlog.Int64Value(n), arrowlog.Float64Value(float64(n))}))
	}
	var out bytes.Buffer
	_, err := e.FlushParquet(&out)
	must(t, err)
	for _, x := range []float64{1.5, -1.5, 0, math.Copysign(0, -1), 2, 1e300, -1e300, math.Inf(1), math.Inf(-1), math.NaN(), 1 << 63, -1 << 63, 0.5, -0.5} {
		for op := where.Equal; op <= where.GreaterOrEqual; op++ {
			want := 0
			for _, n := range integers {
				c := 0
				switch {
				case x != x:
					if op == where.NotEqual {
						want++
					}
					continue
				case math.IsInf(x, 0):
					c = -int(math.Copysign(1, x))
				default:
					c = new(big.Float).SetInt64(n).Cmp(big.NewFloat(x))
				}
				if compare(arrowlog.Int64Value(int64(c)), op, arrowlog.Int64Value(0)) {
					want++
				}
			}
			for _, value := range []any{x, strconv.FormatFloat(x, 'g', -1, 64)} {
				if got, _ := readAll(t, out.Bytes(), arrowlog.Query{Where: []where.Condition{{Column: "n", Op: op, Value: value}}}); len(got) != want {
					t.Errorf("n %v %v (%T): %d rows, want %d", op, value, value, len(got), want)
				}
			}
		}
	}
	if got, _ := readAll(t, out.Bytes(), arrowlog.Query{Where: []where.Condition{{Column: "f", Op: where.Greater, Value: 0}}}); len(got) != 3 {
		t.Errorf("f > 0: %d rows, want 3", len(got))
	}
}

func TestBadQueriesSayWhy(t *testing.T) {
	e := open(t, arrowlog.Schema{Columns: []arrowlog.Column{{Name: "n", Kind: arrowlog.Int64}, {Name: "t", Kind: arrowlog.Timestamp}}}, arrowlog.Options{})
	must(t, e.AppendRow(arrowlog.Row{arrowlog.Int64Value(1)}))
	var out bytes.Buffer
	if _, err := e.FlushParquet(&out); err != nil {
		t.Fatal(err)
	}
	file := out.Bytes()
	for want, q := range map[string]arrowlog.Query{
		`no column "x"; it has n, t`:            {Columns: []string{"x"}},
		`has no column "y"`:                     {Where: []where.Condition{{Column: "y"}}},
		`"n" twice`:                             {Columns: []string{"n", "n"}},
		`column "n" is int64, which "x" is not`: {Where: []where.Condition{{Column: "n", Value: arrowlog.StringValue("x")}}},
		`want a time such as`:                   {Where: []where.Condition{{Column: "t", Value: arrowlog.StringValue("yesterday")}}},
		`times from 1678 to 2261`:               {Where: []where.Condition{{Column: "t", Value: "0001-01-01"}}},
		`a time.Time; want`:                     {Where: []where.Condition{{Column: "t", Value: time.Time{}}}},
		`the condition compares it with bool`:   {Where: []where.Condition{{Column: "n", Value: arrowlog.BoolValue(true)}}},
		`has the operator Op(9)`:                {Where: []where.Condition{{Column: "n", Op: 9}}},
		`Query.Limit is -1`:                     {Limit: -1},
		`Query.BatchRows is -1`:                 {BatchRows: -1},
	} {
		if _, err := arrowlog.OpenReader(bytes.NewReader(file), int64(len(file)), q); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %q in it", err, want)
		}
	}
	for _, other := range []string{"", "x", "hello, world", "PAR1", "PAR1PAR1", "ARROW1", "\xff\xff\xff\xff\x10"} {
		if _, err := arrowlog.OpenReader(strings.NewReader(other), int64(len(other)), arrowlog.Query{}); err == nil {
			t.Errorf("%q is opened as a file", other)
		}
	}
}

func TestReaderAfterClose(t *testing.T) {
	e := open(t, arrowlog.Schema{Columns: wide()}, arrowlog.Options{})
	appendRows(t, e, rows(wide(), 10, 1, 0))
	var out bytes.Buffer
	if _, err := e.FlushParquet(&out); err != nil {
		t.Fatal(err)
	}
	r, err := arrowlog.OpenReader(bytes.NewReader(out.Bytes()), int64(out.Len()), arrowlog.Query{})
	must(t, err)
	must(t, r.Close())
	must(t, r.Close())
	if _, err := r.Next(); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("the error is %v", err)
	}
}

// TestConditionsOnTypesOfOthers: text that is not in the order of what it means must
// not be compared.
func TestConditionsOnTypesOfOthers(t *testing.T) {
	type row struct {
		Decimal int64 `parquet:"decimal,decimal(2:12)"`
		Wide    int64 `parquet:"wide,decimal(3:18)"`
		Clock   int64 `parquet:"clock,time(microsecond)"`
	}
	var out bytes.Buffer
	w := parquet.NewGenericWriter[row](&out)
	if _, err := w.Write([]row{{-1000, 9000, 1}, {900, 10_000, 3_600_000_000}, {1000, 11_000, 7_200_000_000}}); err != nil {
		t.Fatal(err)
	}
	must(t, w.Close())
	for conditions, want := range map[string]int{"decimal < 9.5": 2, "decimal > -2": 2, "clock >= 01:00": 2, "clock < 02:00": 2, "wide = 10.000": 1, "wide != 10.000": 2, "wide < 10": -1} {
		c, err := where.Parse(conditions)
		must(t, err)
		r, err := arrowlog.OpenReader(bytes.NewReader(out.Bytes()), int64(out.Len()), arrowlog.Query{Where: c})
		got := 0
		if err != nil {
			got = -1
		} else if b, err := r.Next(); err == nil {
			got = b.Rows()
		}
		if got != want {
			t.Errorf("%s: %d rows, want %d (%v)", conditions, got, want, err)
		}
	}
}

// TestFilesOfOthers reads types that the encoder does not write.
func TestFilesOfOthers(t *testing.T) {
	type row struct {
		I8      int8              `parquet:"i8"`
		U32     uint32            `parquet:"u32"`
		F32     float32           `parquet:"f32,optional"`
		Millis  int64             `parquet:"millis,timestamp(millisecond)"`
		Micros  int64             `parquet:"micros,timestamp(microsecond)"`
		Day     int32             `parquet:"day,date"`
		Enum    string            `parquet:"enum,enum"`
		UUID    [16]byte          `parquet:"uuid,uuid"`
		Nested  struct{ X int64 } `parquet:"nested"`
		List    []string          `parquet:"list"`
		Decimal int64             `parquet:"decimal,decimal(2:12)"`
		Wide    int64             `parquet:"wide,decimal(3:18)"`
		Clock   int64             `parquet:"clock,time(microsecond)"`
	}
	var out bytes.Buffer
	w := parquet.NewGenericWriter[row](&out)
	if _, err := w.Write([]row{{I8: -3, U32: 1 << 31, F32: 0.5, Millis: 1500, Micros: 2_000_001, Day: 1, Enum: "A", UUID: [16]byte{1, 15: 2}, Decimal: -105, Wide: -7, Clock: 3_600_000_001}}); err != nil {
		t.Fatal(err)
	}
	must(t, w.Close())
	file := out.Bytes()
	for _, c := range []string{"nested", "list"} {
		if _, err := arrowlog.OpenReader(bytes.NewReader(file), int64(len(file)), arrowlog.Query{Columns: []string{c}}); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("column %q", c)) {
			t.Errorf("%s: the error is %v", c, err)
		}
	}
	got, _ := readAll(t, file, arrowlog.Query{Columns: []string{"i8", "u32", "f32", "millis", "micros", "day", "enum", "uuid", "decimal", "wide", "clock"}})
	want := []arrowlog.Row{{arrowlog.Int64Value(-3), arrowlog.Int64Value(1 << 31), arrowlog.Float64Value(0.5), arrowlog.TimestampValue(1_500_000_000),
		arrowlog.TimestampValue(2_000_001_000), arrowlog.TimestampValue(86_400_000_000_000), arrowlog.StringValue("A"), arrowlog.BytesValue(append([]byte{1}, append(make([]byte, 14), 2)...)),
		arrowlog.Float64Value(-1.05), arrowlog.StringValue("-0.007"), arrowlog.StringValue("01:00:00.000001000")}}
	if d := differ(got, want); d != "" {
		t.Error(d)
	}
}

func TestArrowTypesOfOthers(t *testing.T) {
	fields := []arrow.Field{
		{Name: "u8", Type: arrow.PrimitiveTypes.Uint8}, {Name: "f32", Type: arrow.PrimitiveTypes.Float32},
		{Name: "seconds", Type: arrow.FixedWidthTypes.Timestamp_s}, {Name: "large", Type: arrow.BinaryTypes.LargeString},
		{Name: "dict", Type: &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}},
		{Name: "date", Type: arrow.FixedWidthTypes.Date32}, {Name: "list", Type: arrow.ListOf(arrow.PrimitiveTypes.Int8)},
		{Name: "view", Type: arrow.BinaryTypes.StringView}, {Name: "null", Type: arrow.Null}, {Name: "clock", Type: arrow.FixedWidthTypes.Time64us},
		{Name: "d9", Type: &arrow.Decimal128Type{Precision: 9, Scale: 2}}, {Name: "d30", Type: &arrow.Decimal128Type{Precision: 30, Scale: 2}},
		{Name: "f16", Type: arrow.FixedWidthTypes.Float16},
	}
	schema := arrow.NewSchema(fields, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	b.Field(0).(*array.Uint8Builder).Append(200)
	b.Field(1).(*array.Float32Builder).Append(2.5)
	b.Field(2).(*array.TimestampBuilder).Append(3)
	b.Field(3).(*array.LargeStringBuilder).Append("large")
	must(t, b.Field(4).(*array.BinaryDictionaryBuilder).AppendString("word"))
	b.Field(5).(*array.Date32Builder).Append(2)
	b.Field(6).AppendNull()
	b.Field(7).(*array.StringViewBuilder).Append("a text of more than twelve bytes")
	b.Field(8).AppendNull()
	b.Field(9).(*array.Time64Builder).Append(3_600_000_001)
	b.Field(10).(*array.Decimal128Builder).Append(decimal128.FromI64(-105))
	b.Field(11).(*array.Decimal128Builder).Append(decimal128.FromI64(-7))
	b.Field(12).(*array.Float16Builder).Append(float16.New(0.5))
	r := b.NewRecordBatch()
	var file, stream bytes.Buffer
	fw, err := ipc.NewFileWriter(&file, ipc.WithSchema(schema))
	must(t, err)
	must(t, fw.Write(r))
	must(t, fw.Close())
	sw := ipc.NewWriter(&stream, ipc.WithSchema(schema))
	must(t, sw.Write(r))
	must(t, sw.Write(r))
	must(t, sw.Close())
	one := arrowlog.Row{arrowlog.Int64Value(200), arrowlog.Float64Value(2.5), arrowlog.TimestampValue(3e9), arrowlog.StringValue("large"),
		arrowlog.StringValue("word"), arrowlog.TimestampValue(2 * 86_400e9), arrowlog.StringValue("a text of more than twelve bytes"), arrowlog.NullValue(),
		arrowlog.StringValue("01:00:00.000001000"), arrowlog.Float64Value(-1.05), arrowlog.StringValue("-0.07"), arrowlog.Float64Value(0.5)}
	q := arrowlog.Query{Columns: []string{"u8", "f32", "seconds", "large", "dict", "date", "view", "null", "clock", "d9", "d30", "f16"}}
	for name, c := range map[string]struct {
		file []byte
		want []arrowlog.Row
	}{"file": {file.Bytes(), []arrowlog.Row{one}}, "stream": {stream.Bytes(), []arrowlog.Row{one, one}}} {
		got, _ := readAll(t, c.file, q)
		if d := differ(got, c.want); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if _, err := arrowlog.OpenReader(bytes.NewReader(c.file), int64(len(c.file)), arrowlog.Query{}); err == nil || !strings.Contains(err.Error(), `column "list" has the type list`) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}

// FuzzReader damages files: the reader must end with an error or with rows, not
// with a panic.
func FuzzReader(f *testing.F) {
	for _, file := range smallFiles(f, wide()[:6]) {
		f.Add(file, uint16(0), byte(0))
		f.Add(file, uint16(70), byte(0xff))
	}
	f.Fuzz(func(t *testing.T, file []byte, at uint16, with byte) {
		file = bytes.Clone(file)
		if len(file) > 1<<16 {
			return
		}
		if len(file) > 0 {
			file[int(at)%len(file)] ^= with
		}
		r, err := arrowlog.OpenReader(bytes.NewReader(file), int64(len(file)), arrowlog.Query{})
		if err != nil {
			return
		}
		defer r.Close()
		for range 100 {
			if _, err := r.Next(); err != nil {
				if errors.Is(err, io.EOF) && err != io.EOF {
					t.Fatalf("the error wraps io.EOF: %v", err)
				}
				return
			}
		}
	})
}
