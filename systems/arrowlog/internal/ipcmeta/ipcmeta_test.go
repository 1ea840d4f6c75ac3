package ipcmeta_test

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/poolproof/poolproof/systems/arrowlog/internal/ipcmeta"
)

// nested is a schema with nested, parametric and dictionary types.
func nested() *arrow.Schema {
	metadata := arrow.NewMetadata([]string{"a", "b"}, []string{"1", ""})
	fields := []arrow.Field{
		{Name: "null", Type: arrow.Null, Nullable: true},
		{Name: "", Type: arrow.PrimitiveTypes.Int8, Metadata: metadata},
		{Name: "half", Type: arrow.FixedWidthTypes.Float16},
		{Name: "decimal", Type: &arrow.Decimal128Type{Precision: 20, Scale: 3}},
		{Name: "wide", Type: &arrow.Decimal256Type{Precision: 60, Scale: -2}},
		{Name: "date", Type: arrow.FixedWidthTypes.Date32},
		{Name: "time", Type: arrow.FixedWidthTypes.Time64us},
		{Name: "stamp", Type: &arrow.TimestampType{Unit: arrow.Nanosecond, TimeZone: "Europe/Berlin"}},
		{Name: "duration", Type: arrow.FixedWidthTypes.Duration_ms},
		{Name: "months", Type: arrow.FixedWidthTypes.MonthInterval},
		{Name: "fixed", Type: &arrow.FixedSizeBinaryType{ByteWidth: 16}},
		{Name: "list", Type: arrow.ListOf(arrow.BinaryTypes.String), Nullable: true},
		{Name: "large", Type: arrow.LargeListOf(arrow.BinaryTypes.LargeBinary)},
		{Name: "three", Type: arrow.FixedSizeListOf(3, arrow.PrimitiveTypes.Float64)},
		{Name: "view", Type: arrow.BinaryTypes.StringView},
		{Name: "listview", Type: arrow.ListViewOf(arrow.PrimitiveTypes.Int32)},
		{Name: "map", Type: arrow.MapOf(arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64)},
		{Name: "struct", Type: arrow.StructOf(
			arrow.Field{Name: "x", Type: arrow.ListOf(arrow.StructOf(arrow.Field{Name: "y", Type: arrow.FixedWidthTypes.Boolean}))},
			arrow.Field{Name: "z", Type: arrow.BinaryTypes.LargeString, Nullable: true},
		)},
		{Name: "dictionary", Type: &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int16, ValueType: arrow.BinaryTypes.String}},
		{Name: "runs", Type: arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, arrow.BinaryTypes.String)},
		{Name: "union", Type: arrow.DenseUnionOf([]arrow.Field{{Name: "i", Type: arrow.PrimitiveTypes.Int32}, {Name: "s", Type: arrow.BinaryTypes.String}}, []arrow.UnionTypeCode{5, 9})},
	}
	return arrow.NewSchema(fields, &metadata)
}

// batch is three rows of every type.
func batch(t *testing.T, schema *arrow.Schema) arrow.RecordBatch {
	t.Helper()
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	for _, f := range b.Fields() {
		f.AppendEmptyValue()
		f.AppendEmptyValue()
		f.AppendEmptyValue()
	}
	d := b.Field(schema.FieldIndices("dictionary")[0]).(*array.BinaryDictionaryBuilder)
	d.Resize(0)
	for _, s := range []string{"one", "two", "one"} {
		if err := d.AppendString(s); err != nil {
			t.Fatal(err)
		}
	}
	return b.NewRecordBatch()
}

func TestWhatArrowWritesIsAccepted(t *testing.T) {
	schema := nested()
	for name, o := range map[string][]ipc.Option{"plain": nil, "zstd": {ipc.WithZstd()}, "lz4": {ipc.WithLZ4()}} {
		t.Run(name, func(t *testing.T) {
			o := append(o, ipc.WithSchema(schema))
			var stream, file bytes.Buffer
			w := ipc.NewWriter(&stream, o...)
			f, err := ipc.NewFileWriter(&file, o...)
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				r := batch(t, schema)
				if err := w.Write(r); err != nil {
					t.Fatal(err)
				}
				if err := f.Write(r); err != nil {
					t.Fatal(err)
				}
				r.Release()
			}
			cut := stream.Len() // a stream without an end mark was not closed yet
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			if err := ipcmeta.Stream(bytes.NewReader(stream.Bytes()), int64(stream.Len())); err != nil {
				t.Error(err)
			}
			if err := ipcmeta.Stream(bytes.NewReader(stream.Bytes()[:cut]), int64(cut)); err != nil {
				t.Error(err)
			}
			if err := ipcmeta.File(bytes.NewReader(file.Bytes()), int64(file.Len())); err != nil {
				t.Error(err)
			}
			for n := range file.Len() {
				if ipcmeta.File(bytes.NewReader(file.Bytes()[:n]), int64(n)) == nil {
					t.Fatalf("the first %d of %d bytes of a file are accepted", n, file.Len())
				}
			}
			accepted := 0
			for n := 1; n < cut; n++ {
				if ipcmeta.Stream(bytes.NewReader(stream.Bytes()[:n]), int64(n)) == nil {
					accepted++ // between two messages
				}
			}
			if accepted > 4 { // schema, two dictionaries, a batch
				t.Errorf("%d prefixes of a stream are accepted", accepted)
			}
		})
	}
}

// TestWrongLengthsAreNamed puts single wrong lengths into a stream.
func TestWrongLengthsAreNamed(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{{Name: "n", Type: arrow.PrimitiveTypes.Int64}}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	b.Field(0).(*array.Int64Builder).AppendValues([]int64{1, 2, 3, 4, 5, 6, 7, 8, 9}, nil)
	r := b.NewRecordBatch()
	defer r.Release()
	var stream bytes.Buffer
	w := ipc.NewWriter(&stream, ipc.WithSchema(schema))
	if err := w.Write(r); err != nil {
		t.Fatal(err)
	}
	good := stream.Bytes()
	second := int(binary.LittleEndian.Uint32(good[4:])) + 8
	for _, c := range []struct {
		what string
		old  uint64 // in the metadata of the second message
		new  uint64
		want string
	}{
		{"rows", 9, 1 << 40, "a batch of 1099511627776 rows"},
		{"negative rows", 9, 1 << 63, "a batch of -9223372036854775808 rows"},
		{"a buffer", 72, 1 << 33, "lies outside of the body"},
	} {
		damaged := bytes.Clone(good)
		found := false
		for i := second; i+8 <= second+8+int(binary.LittleEndian.Uint32(good[second+4:])); i++ {
			if binary.LittleEndian.Uint64(damaged[i:]) == c.old {
				binary.LittleEndian.PutUint64(damaged[i:], c.new)
				if err := ipcmeta.Stream(bytes.NewReader(damaged), int64(len(damaged))); err != nil && strings.Contains(err.Error(), c.want) {
					found = true
				}
				damaged = bytes.Clone(good)
			}
		}
		if !found {
			t.Errorf("%s: no error says %q", c.what, c.want)
		}
	}
}

// FuzzStream looks for bytes with which the check itself panics.
func FuzzStream(f *testing.F) {
	f.Add([]byte("\xff\xff\xff\xff\x10\x00\x00\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"))
	var stream bytes.Buffer
	w := ipc.NewWriter(&stream, ipc.WithSchema(nested()))
	if err := w.Close(); err != nil {
		f.Fatal(err)
	}
	f.Add(stream.Bytes())
	f.Fuzz(func(t *testing.T, b []byte) {
		_ = ipcmeta.Stream(bytes.NewReader(b), int64(len(b)))
		_ = ipcmeta.File(bytes.NewReader(b), int64(len(b)))
	})
}
