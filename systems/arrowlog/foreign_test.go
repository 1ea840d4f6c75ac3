package arrowlog_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	apache "github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/parquet-go/parquet-go"

	"github.com/poolproof/poolproof/systems/arrowlog"
)

// fileWriters write the rows of an encoder as a Parquet file: the package itself, and
// arrow-go, whose files the package must read as well as its own.
var fileWriters = map[string]func(t testing.TB, e *arrowlog.Encoder, rowGroup int) []byte{
	"arrowlog": func(t testing.TB, e *arrowlog.Encoder, _ int) []byte {
		var out bytes.Buffer
		_, err := e.FlushParquet(&out)
		must(t, err)
		return out.Bytes()
	},
	"arrow-go": func(t testing.TB, e *arrowlog.Encoder, rowGroup int) []byte {
		r, err := e.Record()
		must(t, err)
		defer r.Release()
		if rowGroup == 0 {
			rowGroup = 1 << 20
		}
		var out bytes.Buffer
		w, err := pqarrow.NewFileWriter(r.Schema(), &out, apache.NewWriterProperties(apache.WithMaxRowGroupLength(int64(rowGroup)), apache.WithCompression(compress.Codecs.Zstd)), pqarrow.DefaultWriterProps())
		must(t, err)
		must(t, w.WriteBuffered(r))
		must(t, w.Close())
		return out.Bytes()
	},
}

// Other libraries read what the encoder wrote: the table and the names of the
// columns.

func arrowReadsParquet(t testing.TB, b []byte) ([]string, []arrowlog.Row) {
	t.Helper()
	f, err := file.NewParquetReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := pqarrow.NewFileReader(f, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	if err != nil {
		t.Fatal(err)
	}
	table, err := r.ReadTable(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer table.Release()
	var all []arrowlog.Row
	chunks := array.NewTableReader(table, 0)
	defer chunks.Release()
	for chunks.Next() {
		all = append(all, arrowRows(t, chunks.RecordBatch())...)
	}
	return fieldNames(table.Schema()), all
}

func arrowReadsIPC(t testing.TB, b []byte) ([]string, []arrowlog.Row) {
	t.Helper()
	r, err := ipc.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	var all []arrowlog.Row
	for r.Next() {
		all = append(all, arrowRows(t, r.RecordBatch())...)
	}
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	return fieldNames(r.Schema()), all
}

func arrowReadsIPCFile(t testing.TB, b []byte) ([]string, []arrowlog.Row) {
	t.Helper()
	r, err := ipc.NewFileReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var all []arrowlog.Row
	for i := range r.NumRecords() {
		record, err := r.RecordBatch(i)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, arrowRows(t, record)...)
	}
	return fieldNames(r.Schema()), all
}

func fieldNames(s *arrow.Schema) (names []string) {
	for _, f := range s.Fields() {
		names = append(names, f.Name)
	}
	return names
}

func arrowRows(t testing.TB, r arrow.RecordBatch) []arrowlog.Row {
	t.Helper()
	all := make([]arrowlog.Row, r.NumRows())
	for i := range all {
		for _, c := range r.Columns() {
			all[i] = append(all[i], arrowCell(t, c, i))
		}
	}
	return all
}

func arrowCell(t testing.TB, c arrow.Array, i int) arrowlog.Value {
	t.Helper()
	if c.IsNull(i) {
		return arrowlog.NullValue()
	}
	switch c := c.(type) {
	case *array.String:
		return arrowlog.StringValue(strings.Clone(c.Value(i)))
	case *array.Binary:
		return arrowlog.BytesValue(bytes.Clone(c.Value(i)))
	case *array.Int64:
		return arrowlog.Int64Value(c.Value(i))
	case *array.Float64:
		return arrowlog.Float64Value(c.Value(i))
	case *array.Boolean:
		return arrowlog.BoolValue(c.Value(i))
	case *array.Timestamp:
		if got := c.DataType().String(); got != "timestamp[ns, tz=UTC]" {
			t.Fatalf("the column has type %s", got)
		}
		return arrowlog.TimestampValue(int64(c.Value(i)))
	case *array.Dictionary:
		return arrowCell(t, c.Dictionary(), c.GetValueIndex(i))
	}
	t.Fatalf("a column of type %s", c.DataType())
	return arrowlog.Value{}
}

func parquetGoReads(t testing.TB, b []byte) ([]string, []arrowlog.Row) {
	t.Helper()
	f, err := parquet.OpenFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	kinds := map[int]string{}
	for i, c := range f.Root().Columns() {
		names = append(names, c.Name())
		kinds[i] = c.Type().String()
	}
	var all []arrowlog.Row
	for _, g := range f.RowGroups() {
		r := g.Rows()
		buffer := make([]parquet.Row, 10)
		for {
			n, err := r.ReadRows(buffer)
			for _, row := range buffer[:n] {
				out := make(arrowlog.Row, len(row))
				for _, v := range row {
					out[v.Column()] = parquetCell(t, v, kinds[v.Column()])
				}
				all = append(all, out)
			}
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		r.Close()
	}
	return names, all
}

func parquetCell(t testing.TB, v parquet.Value, kind string) arrowlog.Value {
	t.Helper()
	switch {
	case v.IsNull():
		return arrowlog.NullValue()
	case v.Kind() == parquet.Boolean:
		return arrowlog.BoolValue(v.Boolean())
	case v.Kind() == parquet.Double:
		return arrowlog.Float64Value(v.Double())
	case v.Kind() == parquet.Int64 && strings.HasPrefix(kind, "TIMESTAMP(isAdjustedToUTC=true,unit=NANOS)"):
		return arrowlog.TimestampValue(v.Int64())
	case v.Kind() == parquet.Int64:
		return arrowlog.Int64Value(v.Int64())
	case v.Kind() == parquet.ByteArray && kind == "STRING":
		return arrowlog.StringValue(string(v.ByteArray()))
	case v.Kind() == parquet.ByteArray:
		return arrowlog.BytesValue(bytes.Clone(v.ByteArray()))
	}
	t.Fatalf("a value of %v in a column of type %s", v.Kind(), kind)
	return arrowlog.Value{}
}

// writers are all ways to write, with a reader of another implementation for each.
type way struct {
	name  string
	o     arrowlog.Options
	flush func(*arrowlog.Encoder, io.Writer) (arrowlog.Stats, error)
	reads func(testing.TB, []byte) ([]string, []arrowlog.Row)
}

func ways() (all []way) {
	for _, c := range []struct {
		name string
		c    arrowlog.Compression
	}{{"zstd", arrowlog.Zstd}, {"fastest", arrowlog.ZstdFastest}, {"better", arrowlog.ZstdBetter}, {"snappy", arrowlog.Snappy}, {"none", arrowlog.Uncompressed}} {
		for i, d := range []arrowlog.Dictionary{arrowlog.DictionaryAuto, arrowlog.DictionaryLow, arrowlog.DictionaryNone} {
			if i > 0 && c.name != "zstd" {
				continue
			}
			o := arrowlog.Options{Compression: c.c, Dictionary: d}
			name := fmt.Sprintf("%s/%s", c.name, []string{"auto", "low", "none"}[i])
			all = append(all, way{"parquet-go/" + name, o, (*arrowlog.Encoder).FlushParquet, arrowReadsParquet})
			all = append(all, way{"parquet-go/" + name + "/read by itself", o, (*arrowlog.Encoder).FlushParquet, parquetGoReads})
		}
	}
	all = append(all,
		way{"ipc", arrowlog.Options{}, (*arrowlog.Encoder).FlushIPC, arrowReadsIPC},
		way{"ipc/file", arrowlog.Options{IPCFile: true}, (*arrowlog.Encoder).FlushIPC, arrowReadsIPCFile},
		way{"ipc/zstd", arrowlog.Options{CompressIPC: true}, (*arrowlog.Encoder).FlushIPC, arrowReadsIPC})
	return all
}
