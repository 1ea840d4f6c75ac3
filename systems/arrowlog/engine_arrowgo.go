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
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// arrowGo writes Parquet by arrow-go. Columns with a dictionary become dictionary
// arrays here, whose indices the Parquet writer takes as they are: it would make a
// dictionary by itself too, with an allocation for each value.
type arrowGo struct {
	o      Options
	mem    scope
	dict   dictionaryArrays
	wanted []bool
	schema *arrow.Schema
	props  *parquet.WriterProperties
}

func (a *arrowGo) write(w io.Writer, b *Batch, dictionary []bool) (err error) {
	a.wanted = a.wanted[:0]
	for i, c := range b.columns {
		// parquet-go 0.32 cannot read an empty dictionary of arrow-go 18.8.
		a.wanted = append(a.wanted, dictionary[i] && c.nulls < c.rows)
	}
	if a.schema == nil || !slices.Equal(a.dict.use, a.wanted) {
		a.dict.use = append(a.dict.use[:0], a.wanted...)
		a.schema = arrowSchema(b, a.dict.use)
		a.props = a.properties(b)
	}
	record := newRecord(&a.mem, a.schema, b, &a.dict)
	failed := true
	defer func() { // also if w panics
		if failed {
			a.mem.release()
			return
		}
		record.Release()
	}()
	// arrow-go closes what can be closed.
	file, err := pqarrow.NewFileWriter(a.schema, struct{ io.Writer }{w}, a.props,
		pqarrow.NewArrowWriterProperties(pqarrow.WithAllocator(&a.mem)))
	if err != nil {
		return fmt.Errorf("the start of a Parquet file: %w", err)
	}
	if err := file.Write(record); err != nil {
		file.Close() // releases what it holds
		return fmt.Errorf("a Parquet file: %w", err)
	}
	if err := file.Close(); err != nil {
		return fmt.Errorf("the end of a Parquet file: %w", err)
	}
	failed = false
	return nil
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
	values  column
}

// array returns a column as indices into its different values.
func (d *dictionaryArrays) array(mem memory.Allocator, t *arrow.DictionaryType, c *column) arrow.Array {
	if d.seen == nil {
		d.seen = map[string]int32{}
	}
	d.indices = d.indices[:0]
	if d.values.Kind != c.Kind {
		d.values = *newColumn(c.Column)
	}
	d.values.reset()
	for row := range c.rows {
		if !c.isValid(row) {
			d.indices = append(d.indices, 0)
			continue
		}
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
	validity := c.validity(mem)
	if validity != nil {
		defer validity.Release()
	}
	data := array.NewDataWithDictionary(t, c.rows, []*memory.Buffer{validity, indices}, c.nulls, 0, values.Data().(*array.Data))
	defer data.Release()
	return array.NewDictionaryData(data)
}
