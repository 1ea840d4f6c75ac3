package arrowlog

import (
	"fmt"
	"io"
	"slices"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// arrowGo writes Parquet by arrow-go, each column from the batch as it is. Columns with
// a dictionary become dictionary arrays here, whose indices the Parquet writer takes as
// they are: it would make a dictionary by itself too, with an allocation for each value.
// arrow-go's package pqarrow does the same for whole records; it brings gRPC and
// Flight, 20 MB of a program, for a schema that is not written here.
type arrowGo struct {
	o       Options
	mem     scope
	dict    dictionaryArrays
	wanted  []bool
	version int // of the columns
	root    *schema.GroupNode
	props   *parquet.WriterProperties

	levels []int16 // memory
	texts  []parquet.ByteArray
}

func (a *arrowGo) write(w io.Writer, b *Batch, dictionary []bool) (err error) {
	a.wanted = a.wanted[:0]
	for i, c := range b.columns {
		// parquet-go 0.32 cannot read an empty dictionary of arrow-go 18.8.
		a.wanted = append(a.wanted, dictionary[i] && c.nulls < c.rows)
	}
	if a.root == nil || a.version != b.version || !slices.Equal(a.dict.use, a.wanted) {
		a.dict.use = append(a.dict.use[:0], a.wanted...)
		if a.root, err = parquetRoot(b); err != nil {
			return err
		}
		a.version = b.version
		a.props = a.properties(b)
	}
	failed := true
	defer func() { // also if w panics
		if failed {
			a.mem.release()
		}
	}()
	// arrow-go closes what can be closed.
	out, err := file.NewParquetWriterWithError(struct{ io.Writer }{w}, a.root, file.WithWriterProps(a.props))
	if err != nil {
		return fmt.Errorf("the start of a Parquet file: %w", err)
	}
	for from := 0; from < b.rows; from += int(a.props.MaxRowGroupLength()) {
		group, err := out.AppendRowGroupChecked()
		if err != nil {
			return fmt.Errorf("a row group of a Parquet file: %w", err)
		}
		for i, c := range b.columns {
			column, err := group.NextColumn()
			if err == nil {
				err = a.writeColumn(column, c, a.dict.use[i], from, min(b.rows, from+int(a.props.MaxRowGroupLength())))
			}
			if err == nil {
				err = column.Close()
			}
			if err != nil {
				return fmt.Errorf("column %q of a Parquet file: %w", c.Name, err)
			}
		}
		if err := group.Close(); err != nil {
			return fmt.Errorf("a row group of a Parquet file: %w", err)
		}
	}
	if err := out.Close(); err != nil {
		return fmt.Errorf("the end of a Parquet file: %w", err)
	}
	failed = false
	return nil
}

// writeColumn writes some rows of a column.
func (a *arrowGo) writeColumn(w file.ColumnChunkWriter, c *column, dictionary bool, from, to int) (err error) {
	a.levels = a.levels[:0]
	for row := from; row < to; row++ {
		level := int16(0)
		if c.isValid(row) {
			level = 1
		}
		a.levels = append(a.levels, level)
	}
	at := int64(from)
	switch w := w.(type) {
	case *file.Int64ColumnChunkWriter:
		_, err = w.WriteBatchSpacedWithError(c.ints[from:to], a.levels, nil, c.valid, at)
	case *file.Float64ColumnChunkWriter:
		_, err = w.WriteBatchSpacedWithError(c.floats[from:to], a.levels, nil, c.valid, at)
	case *file.BooleanColumnChunkWriter:
		_, err = w.WriteBatchSpacedWithError(c.bools[from:to], a.levels, nil, c.valid, at)
	case *file.ByteArrayColumnChunkWriter:
		if dictionary {
			return a.writeDictionary(w, c, from, to)
		}
		a.texts = a.texts[:0]
		for row := from; row < to; row++ {
			a.texts = append(a.texts, c.at(row))
		}
		_, err = w.WriteBatchSpacedWithError(a.texts, a.levels, nil, c.valid, at)
		clear(a.texts) // they refer to the batch
	}
	return err
}

// dictionaryEncoder is what arrow-go's encoder of a column with a dictionary has.
type dictionaryEncoder interface {
	NormalizeDict(arrow.Array) (arrow.Array, error)
	PutDictionary(arrow.Array) error
}

func (a *arrowGo) writeDictionary(w *file.ByteArrayColumnChunkWriter, c *column, from, to int) error {
	all := a.dict.array(&a.mem, c, from, to)
	defer all.Release()
	e, ok := w.CurrentEncoder().(dictionaryEncoder)
	if !ok {
		return fmt.Errorf("arrow-go's encoder %T takes no dictionary", w.CurrentEncoder())
	}
	values, err := e.NormalizeDict(all.Dictionary())
	if err != nil {
		return err
	}
	defer values.Release()
	if err := e.PutDictionary(values); err != nil {
		return err
	}
	return w.WriteDictIndices(all.Indices(), a.levels, nil)
}

// parquetRoot returns the schema of b.
func parquetRoot(b *Batch) (*schema.GroupNode, error) {
	var fields schema.FieldList
	for _, c := range b.columns {
		var node schema.Node
		optional := parquet.Repetitions.Optional
		switch c.Kind {
		case String:
			var err error
			if node, err = schema.NewPrimitiveNodeLogical(c.Name, optional, schema.StringLogicalType{}, parquet.Types.ByteArray, -1, -1); err != nil {
				return nil, err
			}
		case Timestamp:
			var err error
			if node, err = schema.NewPrimitiveNodeLogical(c.Name, optional, schema.NewTimestampLogicalType(true, schema.TimeUnitNanos), parquet.Types.Int64, -1, -1); err != nil {
				return nil, err
			}
		case Int64:
			node = schema.NewInt64Node(c.Name, optional, -1)
		case Float64:
			node = schema.NewFloat64Node(c.Name, optional, -1)
		case Bool:
			node = schema.NewBooleanNode(c.Name, optional, -1)
		default:
			node = schema.NewByteArrayNode(c.Name, optional, -1)
		}
		fields = append(fields, node)
	}
	return schema.NewGroupNode("schema", parquet.Repetitions.Repeated, fields, -1)
}

func (a *arrowGo) close() {}

// properties are the writer's options for the columns of b.
func (a *arrowGo) properties(b *Batch) *parquet.WriterProperties {
	groups := a.o.RowGroup
	if groups == 0 {
		groups = defaultRowGroup
	}
	options := []parquet.WriterProperty{
		parquet.WithAllocator(&a.mem),
		parquet.WithDictionaryDefault(false),
		parquet.WithMaxRowGroupLength(int64(groups)),
		parquet.WithCreatedBy("poolproof arrowlog"),
	}
	switch a.o.Compression {
	case Zstd:
		options = append(options, parquet.WithCompression(compress.Codecs.Zstd))
	case ZstdFastest:
		options = append(options, parquet.WithCompression(compress.Codecs.Zstd), parquet.WithCompressionLevel(1))
	case ZstdBetter:
		options = append(options, parquet.WithCompression(compress.Codecs.Zstd), parquet.WithCompressionLevel(7))
	case Snappy:
		options = append(options, parquet.WithCompression(compress.Codecs.Snappy))
	case Uncompressed:
		options = append(options, parquet.WithCompression(compress.Codecs.Uncompressed))
	}
	for i, c := range b.columns {
		if a.dict.use[i] {
			// arrow-go 18.8 leaves empty texts out of the least value of dictionary
			// arrays: readers would skip rows that they should find.
			path := parquet.ColumnPath{c.Name}
			options = append(options, parquet.WithDictionaryPath(path, true), parquet.WithStatsPath(path, false))
		}
	}
	return parquet.NewWriterProperties(options...)
}

// dictionaryArrays makes dictionary arrays, and keeps the memory for it.
type dictionaryArrays struct {
	use     []bool // by column
	seen    map[string]int32
	indices []int32
	valid   []byte
	values  column
}

// array returns some rows of a column as indices into their different values.
func (d *dictionaryArrays) array(mem memory.Allocator, c *column, from, to int) *array.Dictionary {
	if d.seen == nil {
		d.seen = map[string]int32{}
	}
	d.indices = d.indices[:0]
	if d.values.Kind != c.Kind {
		d.values = *newColumn(c.Column)
	}
	d.values.reset()
	d.valid = d.valid[:0]
	nulls := 0
	for row := from; row < to; row++ {
		if n := row - from; n%8 == 0 {
			d.valid = append(d.valid, 0)
		}
		if !c.isValid(row) {
			d.indices = append(d.indices, 0)
			nulls++
			continue
		}
		d.valid[len(d.valid)-1] |= 1 << ((row - from) % 8)
		b := c.at(row)
		// The keys point into the column, which outlives their use here.
		key := unsafe.String(unsafe.SliceData(b), len(b))
		i, ok := d.seen[key]
		if !ok {
			i = int32(d.values.rows)
			d.seen[key] = i
			d.values.text = append(d.values.text, b...)
			d.values.offsets = append(d.values.offsets, int32(len(d.values.text)))
			d.values.mark(true)
		}
		d.indices = append(d.indices, i)
	}
	clear(d.seen)
	values := d.values.array(mem)
	defer values.Release()
	indices := copied(mem, raw(d.indices))
	defer indices.Release()
	var validity *memory.Buffer
	if nulls > 0 {
		validity = copied(mem, d.valid)
		defer validity.Release()
	}
	t := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrowTypes[c.Kind]}
	data := array.NewDataWithDictionary(t, to-from, []*memory.Buffer{validity, indices}, nulls, 0, values.Data().(*array.Data))
	defer data.Release()
	return array.NewDictionaryData(data)
}
