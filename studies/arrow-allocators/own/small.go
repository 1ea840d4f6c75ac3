package own

import (
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	apache "github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/poolproof/poolproof/systems/arrowlog"
)

// small writes a batch by arrow-go's Parquet writer, each column as it is. Columns
// with few values become dictionary arrays, whose indices the writer takes as they
// are: it would make a dictionary by itself too, with an allocation for each value.
type small struct {
	root  *apache.GroupNode
	props *parquet.WriterProperties

	levels  []int16 // memory, one for all columns
	ints    []int64
	floats  []float64
	bools   []bool
	texts   []parquet.ByteArray
	seen    map[string]int32
	values  *array.StringBuilder
	indices *array.Int32Builder
}

// newSmall returns a writer for the columns of a schema.
func newSmall(s arrowlog.Schema) (*small, error) {
	types := map[arrowlog.Kind]parquet.Type{
		arrowlog.String: parquet.Types.ByteArray, arrowlog.Int64: parquet.Types.Int64,
		arrowlog.Float64: parquet.Types.Double, arrowlog.Bool: parquet.Types.Boolean,
	}
	var fields apache.FieldList
	options := []parquet.WriterProperty{parquet.WithDictionaryDefault(false), parquet.WithCompression(compress.Codecs.Zstd)}
	for _, c := range s.Columns {
		var logical apache.LogicalType = apache.NoLogicalType{}
		if c.Kind == arrowlog.String {
			logical = apache.StringLogicalType{}
		}
		node, err := apache.NewPrimitiveNodeLogical(c.Name, parquet.Repetitions.Optional, logical, types[c.Kind], -1, -1)
		if err != nil {
			return nil, err
		}
		fields = append(fields, node)
		if c.LowCardinality {
			// arrow-go 18.8 leaves empty texts out of the least value of dictionary arrays.
			path := parquet.ColumnPath{c.Name}
			options = append(options, parquet.WithDictionaryPath(path, true), parquet.WithStatsPath(path, false))
		}
	}
	root, err := apache.NewGroupNode("schema", parquet.Repetitions.Repeated, fields, -1)
	if err != nil {
		return nil, err
	}
	return &small{
		root: root, props: parquet.NewWriterProperties(options...), seen: map[string]int32{},
		values: array.NewStringBuilder(memory.DefaultAllocator), indices: array.NewInt32Builder(memory.DefaultAllocator),
	}, nil
}

func (s *small) write(w io.Writer, b *arrowlog.Batch) error {
	out, err := file.NewParquetWriterWithError(struct{ io.Writer }{w}, s.root, file.WithWriterProps(s.props))
	if err != nil {
		return err
	}
	group, err := out.AppendRowGroupChecked()
	if err != nil {
		return err
	}
	for i := range b.Columns() {
		column, err := group.NextColumn()
		if err == nil {
			err = s.writeColumn(column, b, i)
		}
		if err == nil {
			err = column.Close()
		}
		if err != nil {
			return fmt.Errorf("column %q: %w", b.Column(i).Name, err)
		}
	}
	if err := group.Close(); err != nil {
		return err
	}
	return out.Close()
}

func (s *small) writeColumn(w file.ColumnChunkWriter, b *arrowlog.Batch, column int) (err error) {
	s.levels, s.ints, s.floats, s.bools, s.texts = s.levels[:0], s.ints[:0], s.floats[:0], s.bools[:0], s.texts[:0]
	for row := range b.Rows() {
		v := b.Value(row, column)
		if v.IsNull() {
			s.levels = append(s.levels, 0)
			continue
		}
		s.levels = append(s.levels, 1)
		switch v.Kind() {
		case arrowlog.Int64:
			s.ints = append(s.ints, v.Int64())
		case arrowlog.Float64:
			s.floats = append(s.floats, v.Float64())
		case arrowlog.Bool:
			s.bools = append(s.bools, v.Bool())
		default:
			s.texts = append(s.texts, v.AsBytes())
		}
	}
	switch w := w.(type) {
	case *file.Int64ColumnChunkWriter:
		_, err = w.WriteBatch(s.ints, s.levels, nil)
	case *file.Float64ColumnChunkWriter:
		_, err = w.WriteBatch(s.floats, s.levels, nil)
	case *file.BooleanColumnChunkWriter:
		_, err = w.WriteBatch(s.bools, s.levels, nil)
	case *file.ByteArrayColumnChunkWriter:
		if b.Column(column).LowCardinality {
			return s.writeDictionary(w)
		}
		_, err = w.WriteBatch(s.texts, s.levels, nil)
	}
	return err
}

// writeDictionary writes the texts as indices into their different values.
func (s *small) writeDictionary(w *file.ByteArrayColumnChunkWriter) error {
	clear(s.seen)
	next := 0
	for _, level := range s.levels {
		if level == 0 {
			s.indices.AppendNull()
			continue
		}
		text := s.texts[next]
		next++
		i, ok := s.seen[string(text)]
		if !ok {
			i = int32(len(s.seen))
			s.seen[string(text)] = i
			s.values.Append(string(text))
		}
		s.indices.Append(i)
	}
	values := s.values.NewArray()
	defer values.Release()
	indices := s.indices.NewArray()
	defer indices.Release()
	all := array.NewDictionaryArray(&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}, indices, values)
	defer all.Release()
	e, ok := w.CurrentEncoder().(interface{ PutDictionary(arrow.Array) error })
	if !ok {
		return fmt.Errorf("arrow-go's encoder %T takes no dictionary", w.CurrentEncoder())
	}
	if err := e.PutDictionary(all.Dictionary()); err != nil {
		return err
	}
	return w.WriteDictIndices(all.Indices(), s.levels, nil)
}
