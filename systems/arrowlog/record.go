package arrowlog

import (
	"fmt"
	"io"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// arrowSchemas keeps the Arrow schema of the columns.
type arrowSchemas struct {
	schema  *arrow.Schema
	version int // of the columns
}

// plain returns the schema of b.
func (a *arrowSchemas) plain(b *Batch) *arrow.Schema {
	if a.schema == nil || a.version != b.version {
		a.schema, a.version = arrowSchema(b), b.version
	}
	return a.schema
}

func arrowSchema(b *Batch) *arrow.Schema {
	fields := make([]arrow.Field, len(b.columns))
	for i, c := range b.columns {
		fields[i] = arrow.Field{Name: c.Name, Type: arrowTypes[c.Kind], Nullable: true}
	}
	return arrow.NewSchema(fields, nil)
}

var arrowTypes = [...]arrow.DataType{
	String:    arrow.BinaryTypes.String,
	Int64:     arrow.PrimitiveTypes.Int64,
	Float64:   arrow.PrimitiveTypes.Float64,
	Bool:      arrow.FixedWidthTypes.Boolean,
	Timestamp: &arrow.TimestampType{Unit: arrow.Nanosecond, TimeZone: "UTC"},
	Bytes:     arrow.BinaryTypes.Binary,
}

// newRecord copies the columns of b into memory of mem. The caller releases the
// record.
func newRecord(mem memory.Allocator, schema *arrow.Schema, b *Batch) arrow.RecordBatch {
	arrays := make([]arrow.Array, 0, len(b.columns))
	defer func() { // also if the allocator panics
		for _, a := range arrays {
			a.Release()
		}
	}()
	for _, c := range b.columns {
		arrays = append(arrays, c.array(mem))
	}
	return array.NewRecordBatch(schema, arrays, int64(b.rows))
}

// array copies a column into memory of mem.
func (c *column) array(mem memory.Allocator) arrow.Array {
	buffers := make([]*memory.Buffer, 1, 3)
	defer func() {
		for _, b := range buffers {
			if b != nil {
				b.Release()
			}
		}
	}()
	buffers[0] = c.validity(mem)
	switch c.Kind {
	case Int64, Timestamp:
		buffers = append(buffers, copied(mem, raw(c.ints)))
	case Float64:
		buffers = append(buffers, copied(mem, raw(c.floats)))
	case Bool:
		buffers = append(buffers, packed(mem, c.bools))
	default:
		buffers = append(buffers, copied(mem, raw(c.offsets)))
		buffers = append(buffers, copied(mem, c.text))
	}
	data := array.NewData(arrowTypes[c.Kind], c.rows, buffers, nil, c.nulls, 0)
	defer data.Release()
	return array.MakeFromData(data)
}

// validity returns the bitmap, or nil if no row is null.
func (c *column) validity(mem memory.Allocator) *memory.Buffer {
	if c.nulls == 0 {
		return nil
	}
	return copied(mem, c.valid)
}

// copied returns a buffer of mem with a copy of p.
func copied(mem memory.Allocator, p []byte) *memory.Buffer {
	b := memory.NewResizableBuffer(mem)
	b.Resize(len(p))
	copy(b.Bytes(), p)
	return b
}

// packed returns a buffer of mem with a bit for each value.
func packed(mem memory.Allocator, bools []bool) *memory.Buffer {
	b := memory.NewResizableBuffer(mem)
	b.Resize((len(bools) + 7) / 8)
	to := b.Bytes()
	clear(to)
	for i, v := range bools {
		if v {
			to[i/8] |= 1 << (i % 8)
		}
	}
	return b
}

// raw returns the memory of a slice of numbers.
func raw[T int64 | float64 | int32](s []T) []byte {
	var one T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(one)))
}

// writeIPC writes b as a stream or file with one record batch.
func writeIPC(w io.Writer, mem memory.Allocator, schema *arrow.Schema, b *Batch, o Options) error {
	record := newRecord(mem, schema, b)
	defer record.Release()
	options := []ipc.Option{ipc.WithSchema(schema), ipc.WithAllocator(mem)}
	if o.CompressIPC {
		options = append(options, ipc.WithZstd())
	}
	var out interface {
		Write(arrow.RecordBatch) error
		Close() error
	}
	if o.IPCFile {
		file, err := ipc.NewFileWriter(w, options...)
		if err != nil {
			return fmt.Errorf("the start of an IPC file: %w", err)
		}
		out = file
	} else {
		out = ipc.NewWriter(w, options...)
	}
	if err := out.Write(record); err != nil {
		out.Close() // repeats the error
		return fmt.Errorf("IPC: %w", err)
	}
	if err := out.Close(); err != nil {
		return fmt.Errorf("the end of IPC: %w", err)
	}
	return nil
}
