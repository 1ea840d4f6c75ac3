package arrowlog

import (
	"fmt"
	"io"
	"reflect"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// parquetWriter writes one batch as one Parquet file, by parquet-go with one writer for all files as long as
// the columns and their dictionaries stay. It is not used again after an error.
type parquetWriter struct {
	o       Options
	writer  *parquet.GenericWriter[any]
	version int    // of the columns
	use     []bool // which columns have a dictionary
	long    []bool // which columns have no bounds
	values  []parquet.Value
	paths   [][]string // of the columns in the metadata of the writer's files
	codec   compress.Codec
}

// maxBound is the length in bytes of the longest text that may be a bound of its column.
// A file has several copies of each bound, and so has the memory of its writer.
const maxBound = 4 << 10

// The writer keeps a page of each column, up to half a megabyte with its levels. Of many
// columns the pages are smaller, so that together they are mostPages bytes.
const (
	mostPages = 8 << 20
	leastPage = 16 << 10
)

// written is the number of values that are handed to the writer at a time.
const written = 1024

func (p *parquetWriter) write(w io.Writer, b *Batch, dictionary []bool) error {
	longest, bounds := p.setLong(b)
	if p.writer != nil && p.version == b.version && slices.Equal(p.use, dictionary) && bounds {
		p.reset(w, b)
	} else {
		if p.codec == nil { // it keeps compressors of 16 MiB
			p.codec = p.o.codec()
		}
		p.use = append(p.use[:0], dictionary...)
		p.version = b.version
		p.writer, p.paths = p.open(w, b), nil
	}
	group := p.o.RowGroup
	if group == 0 {
		group = defaultRowGroup
	}
	columns := p.writer.ColumnWriters()
	for from := 0; from < b.rows; from += group {
		to := min(from+group, b.rows)
		for i, c := range b.columns {
			if err := p.writeColumn(columns[i], i, c, from, to); err != nil {
				return fmt.Errorf("column %q of a Parquet file: %w", c.Name, err)
			}
		}
		if to < b.rows {
			if err := p.writer.Flush(); err != nil {
				return fmt.Errorf("a row group of a Parquet file: %w", err)
			}
		}
	}
	if err := p.writer.Close(); err != nil {
		return fmt.Errorf("the end of a Parquet file: %w", err)
	}
	if groups := p.writer.File().Metadata().RowGroups; p.paths == nil && len(groups) > 0 {
		for i := range groups[0].Columns {
			p.paths = append(p.paths, groups[0].Columns[i].MetaData.PathInSchema)
		}
	}
	if longest > mostPages { // the writer would keep pages of this size
		p.writer = nil
	}
	return nil
}

// setLong notes which columns have no bounds, and reports whether these are the same.
// It returns the length of the longest text.
func (p *parquetWriter) setLong(b *Batch) (longest int32, same bool) {
	same = len(p.long) == len(b.columns)
	p.long = slices.Grow(p.long[:0], len(b.columns))[:len(b.columns)]
	for i, c := range b.columns {
		n := c.longest()
		longest = max(longest, n)
		if long := n > maxBound; p.long[i] != long {
			p.long[i], same = long, false
		}
	}
	return longest, same
}

// reset makes the writer ready for another file. The Reset of parquet-go 0.32
// empties the path of each column, which the metadata of all later files share
// (parquet-go issue 602): Spark, Athena and others then refuse the files. The
// paths are written there again.
func (p *parquetWriter) reset(w io.Writer, b *Batch) {
	p.writer.Reset(w)
	for i, path := range p.paths {
		path[0] = b.columns[i].Name
	}
}

// open makes a writer for the columns of b.
func (p *parquetWriter) open(w io.Writer, b *Batch) *parquet.GenericWriter[any] {
	schema := parquet.NewSchema("log", newGroup(b, p.use))
	options := []parquet.WriterOption{
		schema,
		parquet.Compression(p.codec),
		parquet.CreatedBy("poolproof arrowlog", "", ""),
		parquet.DataPageStatistics(false), // the index and the footer have the bounds of pages
		parquet.PageBufferSize(max(leastPage, min(mostPages/max(1, len(b.columns)), parquet.DefaultPageBufferSize))),
	}
	var filters []parquet.BloomFilterColumn
	for i, c := range b.columns {
		if p.long[i] {
			options = append(options, parquet.SkipPageBounds(c.Name))
		}
		if c.Bloom && c.isText() {
			filters = append(filters, parquet.SplitBlockFilter(10, c.Name))
		}
	}
	if filters != nil {
		options = append(options, parquet.BloomFilters(filters...))
	}
	return parquet.NewGenericWriter[any](w, options...)
}

func (o Options) codec() compress.Codec {
	switch o.Compression {
	case ZstdFastest:
		return &zstd.Codec{Level: zstd.SpeedFastest}
	case ZstdBetter:
		return &zstd.Codec{Level: zstd.SpeedBetterCompression}
	case Snappy:
		return &parquet.Snappy
	case Uncompressed:
		return &parquet.Uncompressed
	}
	return &zstd.Codec{Level: zstd.SpeedDefault}
}

// writeColumn hands the rows of one column to its writer. Text is passed without a
// copy: the writer copies it.
func (p *parquetWriter) writeColumn(w *parquet.ColumnWriter, index int, c *column, from, to int) error {
	for from < to {
		end := min(from+written, to)
		p.values = p.values[:0]
		for row := from; row < end; row++ {
			p.values = append(p.values, c.parquet(row, index))
		}
		if _, err := w.WriteRowValues(p.values); err != nil {
			return err
		}
		from = end
	}
	clear(p.values) // they refer to the batch
	return nil
}

// parquet returns a row with its levels: 1 for what is there, 0 for the null.
func (c *column) parquet(row, index int) parquet.Value {
	if !c.isValid(row) {
		return parquet.NullValue().Level(0, 0, index)
	}
	var v parquet.Value
	switch c.Kind {
	case Int64, Timestamp:
		v = parquet.Int64Value(c.ints[row])
	case Float64:
		v = parquet.DoubleValue(c.floats[row])
	case Bool:
		v = parquet.BooleanValue(c.bools[row])
	default:
		v = parquet.ByteArrayValue(c.at(row))
	}
	return v.Level(0, 1, index)
}

// group is the root of a Parquet schema whose columns keep their order: those of
// parquet.Group are sorted by name.
type group struct {
	parquet.Group
	fields []parquet.Field
}

// leaf is a column of a group.
type leaf struct {
	parquet.Node
	name string
}

func newGroup(b *Batch, dictionary []bool) *group {
	g := &group{Group: make(parquet.Group, len(b.columns))}
	for i, c := range b.columns {
		node := parquetNode(c.Kind)
		switch {
		case dictionary[i]:
			node = parquet.Encoded(node, &parquet.RLEDictionary)
		case c.isText():
			node = parquet.Encoded(node, &parquet.Plain)
		}
		node = parquet.Optional(node)
		g.Group[c.Name] = node
		g.fields = append(g.fields, &leaf{node, c.Name})
	}
	return g
}

func parquetNode(k Kind) parquet.Node {
	switch k {
	case String:
		return parquet.String()
	case Int64:
		return parquet.Leaf(parquet.Int64Type)
	case Float64:
		return parquet.Leaf(parquet.DoubleType)
	case Bool:
		return parquet.Leaf(parquet.BooleanType)
	case Timestamp:
		return parquet.Timestamp(parquet.Nanosecond)
	}
	return parquet.Leaf(parquet.ByteArrayType)
}

// Fields returns the columns in the order of the batch.
func (g *group) Fields() []parquet.Field { return g.fields }

// Name returns the name of the column.
func (l *leaf) Name() string { return l.name }

// Value is not used: rows are written by column.
func (l *leaf) Value(base reflect.Value) reflect.Value {
	return base.MapIndex(reflect.ValueOf(l.name))
}
