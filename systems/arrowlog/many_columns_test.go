package arrowlog_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"testing"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"

	collogspb "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	"google.golang.org/protobuf/proto"

	"github.com/poolproof/poolproof/systems/arrowlog"
)

func attribute(key string, v *commonpb.AnyValue) *commonpb.KeyValue {
	return &commonpb.KeyValue{Key: key, Value: v}
}

func textOf(s string) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: s}}
}

func otlpMessage(t testing.TB, resource []*commonpb.KeyValue, logs ...[]*commonpb.KeyValue) []byte {
	t.Helper()
	var records []*logspb.LogRecord
	for i, a := range logs {
		records = append(records, &logspb.LogRecord{TimeUnixNano: uint64(i + 1), Attributes: a})
	}
	b, err := proto.Marshal(&collogspb.ExportLogsServiceRequest{ResourceLogs: []*logspb.ResourceLogs{{Resource: &resourcepb.Resource{Attributes: resource},
		ScopeLogs: []*logspb.ScopeLogs{{LogRecords: records}}}}})
	must(t, err)
	return b
}

// TestColumnsThatAFileDidNotUseAreForgotten: keys that were seen once must not be in
// later files, nor cost anything.
func TestColumnsThatAFileDidNotUseAreForgotten(t *testing.T) {
	for _, o := range []arrowlog.Options{{}, {SortBy: "attr.n"}} {
		e := open(t, arrowlog.Schema{Columns: []arrowlog.Column{{Name: "kept", Kind: arrowlog.String}}}, o)
		var generations []int
		for _, keys := range [][]string{{"a", "b"}, {"b", "c"}, {"b", "c"}, {}, {"a"}} {
			var logs [][]*commonpb.KeyValue
			for i := range 40 {
				var list []*commonpb.KeyValue
				for _, k := range keys {
					list = append(list, attribute(k, textOf(fmt.Sprint(k, i%3))))
				}
				logs = append(logs, list)
			}
			_, err := e.AppendOTLP(otlpMessage(t, nil, logs...))
			must(t, err)
			e.DropUnused()
			var out bytes.Buffer
			s, err := e.FlushParquet(&out)
			must(t, err)
			generations = append(generations, s.Generation)
			want := []string{"kept", "time_unix_nano"}
			for _, k := range keys {
				want = append(want, "attr."+k)
			}
			r, err := arrowlog.OpenReader(bytes.NewReader(out.Bytes()), int64(out.Len()), arrowlog.Query{})
			must(t, err)
			var got []string
			for _, c := range r.Columns() {
				got = append(got, c.Name)
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%+v: the file has %q, want %q", o, got, want)
			}
			b, err := r.Next()
			must(t, err)
			for _, k := range keys {
				if v := b.Value(7, b.Index("attr."+k)); v.Text() != k+"1" {
					t.Errorf("%+v: %s is %v", o, k, v)
				}
			}
		}
		if fmt.Sprint(generations) != "[1 2 2 3 4]" {
			t.Errorf("%+v: the generations are %v", o, generations)
		}
	}
}

// TestWhatHasNoColumnIsInOne has more keys than columns.
func TestWhatHasNoColumnIsInOne(t *testing.T) {
	e := open(t, arrowlog.Schema{}, arrowlog.Options{MaxColumns: 4, InvalidUTF8: arrowlog.ReplaceInvalid})
	list := &commonpb.AnyValue{Value: &commonpb.AnyValue_ArrayValue{ArrayValue: &commonpb.ArrayValue{Values: []*commonpb.AnyValue{textOf("x")}}}}
	number := func(n int64) *commonpb.AnyValue {
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: n}}
	}
	m := otlpMessage(t, []*commonpb.KeyValue{attribute("service.name", textOf("shop"))},
		[]*commonpb.KeyValue{attribute("a", textOf("1")), attribute("b", textOf("2"))},
		[]*commonpb.KeyValue{attribute("c", textOf("a \"quote\"")), attribute("d", number(1<<62+1)), attribute("e", list), attribute("a", textOf("3"))},
		nil)
	for range 2 {
		_, err := e.AppendOTLP(m)
		must(t, err)
		var out bytes.Buffer
		_, err = e.FlushParquet(&out)
		must(t, err)
		got, _ := readAll(t, out.Bytes(), arrowlog.Query{Columns: []string{"attr.a", "attr.b", "rest_json", "resource.service.name"}})
		want := []arrowlog.Row{
			{arrowlog.StringValue("1"), arrowlog.StringValue("2"), arrowlog.NullValue(), arrowlog.StringValue("shop")},
			{arrowlog.StringValue("3"), arrowlog.NullValue(), arrowlog.StringValue(`{"attr.c":"a \"quote\"","attr.d":4611686018427387905,"attr.e":{"arrayValue":{"values":[{"stringValue":"x"}]}}}`), arrowlog.StringValue("shop")},
			{arrowlog.NullValue(), arrowlog.NullValue(), arrowlog.NullValue(), arrowlog.StringValue("shop")},
		}
		if d := differ(got, want); d != "" {
			t.Error(d)
		}
		var object map[string]any
		must(t, json.Unmarshal([]byte(got[1][2].Text()), &object))
	}
}

// TestAMessageThatStandsForMuch: the text of a resource is in each of its logs.
func TestAMessageThatStandsForMuch(t *testing.T) {
	e := open(t, arrowlog.Schema{}, arrowlog.Options{MaxBytes: 1 << 20})
	many := otlpMessage(t, []*commonpb.KeyValue{attribute("long", textOf(string(make([]byte, 1<<16))))}, make([][]*commonpb.KeyValue, 1000)...)
	few := otlpMessage(t, nil, make([][]*commonpb.KeyValue, 10)...)
	_, err := e.AppendOTLP(few)
	must(t, err)
	if _, err := e.AppendOTLP(many); !errors.Is(err, arrowlog.ErrTooLarge) || e.Rows() != 10 || e.Bytes() > 1<<12 {
		t.Errorf("the error is %v, %d rows of %d bytes wait", err, e.Rows(), e.Bytes())
	}
	_, err = e.AppendOTLP(few)
	must(t, err)
}

// TestEachRowCountsInAllColumns: when a batch is written each column has all rows, also
// the columns that only the first log uses and those that only the last one does.
func TestEachRowCountsInAllColumns(t *testing.T) {
	const most = 1 << 20
	var keys []*commonpb.KeyValue
	for i := range 400 {
		keys = append(keys, attribute(fmt.Sprint("k", i), textOf("v")))
	}
	plain := make([][]*commonpb.KeyValue, 10_000) // 16 MB of offsets in 400 columns
	for name, logs := range map[string][][]*commonpb.KeyValue{
		"the first": append([][]*commonpb.KeyValue{keys}, plain...),
		"the last":  append(plain[:len(plain):len(plain)], keys),
		"none":      plain,
	} {
		e := open(t, arrowlog.Schema{}, arrowlog.Options{MaxBytes: most})
		if _, err := e.AppendOTLP(otlpMessage(t, nil, logs...)); (err == nil) != (name == "none") {
			t.Errorf("%s has keys: in an empty encoder the error is %v", name, err)
		}
		e.Reset()
		_, err := e.AppendOTLP(otlpMessage(t, nil, keys))
		must(t, err)
		before := e.Bytes()
		if _, err := e.AppendOTLP(otlpMessage(t, nil, logs...)); !errors.Is(err, arrowlog.ErrTooLarge) || e.Bytes() != before {
			t.Errorf("%s has keys: the error is %v, %d bytes wait, %d did before", name, err, e.Bytes(), before)
		}
		rows := 0
		for ; err == nil && rows < 1<<20; rows++ {
			_, err = e.AppendOTLP(otlpMessage(t, nil, logs[rows%len(logs)]))
		}
		if n := e.Bytes(); n > most || n < most*9/10 {
			t.Errorf("%s has keys: %d rows of %d bytes are taken, at most %d", name, e.Rows(), n, most)
		}
	}
}

// TestARowCostsWhatItHas counts what a log with two keys allocates beside 10,000
// columns that others have made.
func TestARowCostsWhatItHas(t *testing.T) {
	e := open(t, arrowlog.Schema{}, arrowlog.Options{})
	var keys []*commonpb.KeyValue
	for i := range 10_000 {
		keys = append(keys, attribute(fmt.Sprint("k", i), textOf("v")))
	}
	_, err := e.AppendOTLP(otlpMessage(t, nil, keys))
	must(t, err)
	small := otlpMessage(t, nil, make([][]*commonpb.KeyValue, 100)...)
	_, err = e.AppendOTLP(small)
	must(t, err)
	if n := testing.AllocsPerRun(20, func() { e.AppendOTLP(small) }); n > 5 {
		t.Errorf("a message of logs without keys makes %v allocations", n)
	}
}

func TestCellsAndWiderColumns(t *testing.T) {
	e := open(t, arrowlog.Schema{Columns: []arrowlog.Column{{Name: "a", Kind: arrowlog.Int64}, {Name: "b", Kind: arrowlog.String}}}, arrowlog.Options{})
	must(t, e.AppendCells([]arrowlog.Cell{{Column: 1, Value: arrowlog.StringValue("x")}}))
	must(t, e.AppendCells([]arrowlog.Cell{{Column: 0, Value: arrowlog.Int64Value(1 << 53)}}))
	for _, bad := range [][]arrowlog.Cell{{{Column: 2}}, {{Column: -1}}, {{Column: 0, Value: arrowlog.Int64Value(1)}, {Column: 0, Value: arrowlog.Int64Value(2)}}, {{Column: 0, Value: arrowlog.StringValue("x")}}} {
		if err := e.AppendCells(bad); err == nil || e.Rows() != 2 {
			t.Errorf("%+v: no error, %d rows", bad, e.Rows())
		}
	}
	if e.Widen(1) || !e.Widen(0) || e.Widen(0) {
		t.Error("Widen widens text, not integers, or twice")
	}
	must(t, e.AppendCells([]arrowlog.Cell{{Column: 0, Value: arrowlog.Float64Value(1.5)}, {Column: 1, Value: arrowlog.StringValue("y")}}))
	var out bytes.Buffer
	_, err := e.FlushParquet(&out)
	must(t, err)
	got, _ := readAll(t, out.Bytes(), arrowlog.Query{})
	want := []arrowlog.Row{{arrowlog.NullValue(), arrowlog.StringValue("x")}, {arrowlog.Float64Value(1 << 53), arrowlog.NullValue()}, {arrowlog.Float64Value(1.5), arrowlog.StringValue("y")}}
	if d := differ(got, want); d != "" {
		t.Error(d)
	}
	exact := open(t, arrowlog.Schema{Columns: []arrowlog.Column{{Name: "a", Kind: arrowlog.Int64}}}, arrowlog.Options{})
	must(t, exact.AppendCells([]arrowlog.Cell{{Value: arrowlog.Int64Value(1<<53 + 1)}}))
	if exact.Widen(0) {
		t.Error("2^53+1 became a float64")
	}
}

// TestTheWriterOfManyColumns keeps a page of each column, which must not be one of
// a quarter of a megabyte and its levels.
func TestTheWriterOfManyColumns(t *testing.T) {
	var columns []arrowlog.Column
	for i := range 400 {
		columns = append(columns, arrowlog.Column{Name: fmt.Sprint("k", i), Kind: arrowlog.String})
	}
	e := open(t, arrowlog.Schema{Columns: columns}, arrowlog.Options{})
	full := make(arrowlog.Row, len(columns))
	for i := range full {
		full[i] = arrowlog.StringValue(fmt.Sprintf("%030x", i))
	}
	for r := range 20_000 {
		row := arrowlog.Row(nil)
		if r%2000 == 0 {
			row = full
		}
		must(t, e.AppendRow(row))
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	_, err := e.WriteParquet(io.Discard)
	must(t, err)
	runtime.GC()
	runtime.ReadMemStats(&after)
	kept := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) >> 20
	t.Logf("the writer of 20,000 rows of 400 columns, %d MB of values, keeps %d MB", e.Bytes()>>20, kept)
	if kept > 64 {
		t.Errorf("the writer keeps %d MB", kept)
	}
	runtime.KeepAlive(e)
}
