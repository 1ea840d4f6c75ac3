package arrowlog

import (
	"fmt"
	"io"
	"math/big"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/poolproof/poolproof/systems/arrowlog/internal/ipcmeta"
)

// ipcSource reads Arrow IPC by arrow-go.
type ipcSource struct {
	schema *arrow.Schema
	nextOf func() (arrow.RecordBatch, error) // io.EOF after the last
	end    func() error
	fields []sourceColumn

	record arrow.RecordBatch
	from   int // of the rows at hand in the record
	rows   int // at hand
}

func openIPCStream(r io.ReaderAt, size int64) (source, error) {
	if err := ipcmeta.Stream(r, size); err != nil {
		return nil, fmt.Errorf("an Arrow IPC stream of %d bytes: %w", size, err)
	}
	stream, err := ipc.NewReader(io.NewSectionReader(r, 0, size))
	if err != nil {
		return nil, fmt.Errorf("an Arrow IPC stream of %d bytes: %w", size, err)
	}
	s := &ipcSource{schema: stream.Schema(), end: func() error { stream.Release(); return nil }}
	s.nextOf = func() (arrow.RecordBatch, error) {
		if !stream.Next() {
			if err := stream.Err(); err != nil && err != io.EOF {
				return nil, err
			}
			return nil, io.EOF
		}
		return stream.RecordBatch(), nil
	}
	s.describe()
	return s, nil
}

func openIPCFile(r io.ReaderAt, size int64) (source, error) {
	if err := ipcmeta.File(r, size); err != nil {
		return nil, fmt.Errorf("an Arrow IPC file of %d bytes: %w", size, err)
	}
	file, err := ipc.NewFileReader(io.NewSectionReader(r, 0, size))
	if err != nil {
		return nil, fmt.Errorf("an Arrow IPC file of %d bytes: %w", size, err)
	}
	s := &ipcSource{schema: file.Schema(), end: file.Close}
	i := 0
	s.nextOf = func() (arrow.RecordBatch, error) {
		if i == file.NumRecords() {
			return nil, io.EOF
		}
		i++
		return file.RecordBatch(i - 1)
	}
	s.describe()
	return s, nil
}

func (s *ipcSource) describe() {
	for _, f := range s.schema.Fields() {
		c := sourceColumn{Column: Column{Name: f.Name}}
		t := f.Type
		if d, ok := t.(*arrow.DictionaryType); ok {
			t = d.ValueType
		}
		if c.Kind = ipcKind(t); c.Kind == Null {
			c.reason = fmt.Sprintf("has the type %s", f.Type)
		}
		s.fields = append(s.fields, c)
	}
}

func ipcKind(t arrow.DataType) Kind {
	switch t.ID() {
	case arrow.STRING, arrow.LARGE_STRING, arrow.STRING_VIEW, arrow.TIME32, arrow.TIME64, arrow.NULL:
		return String
	case arrow.BINARY, arrow.LARGE_BINARY, arrow.FIXED_SIZE_BINARY, arrow.BINARY_VIEW:
		return Bytes
	case arrow.INT8, arrow.INT16, arrow.INT32, arrow.INT64, arrow.UINT8, arrow.UINT16, arrow.UINT32, arrow.UINT64:
		return Int64
	case arrow.FLOAT16, arrow.FLOAT32, arrow.FLOAT64:
		return Float64
	case arrow.DECIMAL32, arrow.DECIMAL64, arrow.DECIMAL128, arrow.DECIMAL256:
		if t.(arrow.DecimalType).GetPrecision() > exactDigits {
			return String
		}
		return Float64
	case arrow.BOOL:
		return Bool
	case arrow.TIMESTAMP, arrow.DATE32, arrow.DATE64:
		return Timestamp
	}
	return Null
}

func (s *ipcSource) columns() []sourceColumn { return s.fields }

func (s *ipcSource) begin([]condition, []int) {}

func (s *ipcSource) unordered(i int) bool {
	_, decimal := s.schema.Field(i).Type.(arrow.DecimalType)
	return decimal && s.fields[i].Kind == String
}

func (s *ipcSource) next(size int, stats *ReadStats) (int, error) {
	s.from += s.rows
	for s.record == nil || s.from >= int(s.record.NumRows()) {
		record, err := s.nextOf()
		if err != nil {
			return 0, err
		}
		stats.Groups++
		s.record, s.from = record, 0 // the reader owns it until the next
	}
	s.fewer(min(size, int(s.record.NumRows())-s.from))
	return s.rows, nil
}

func (s *ipcSource) fewer(rows int) { s.rows = rows }

func (s *ipcSource) read(i int, to *column, taken *batchSize) error {
	values := s.record.Column(i)
	for row := s.from; row < s.from+s.rows; row++ {
		v, err := arrowValue(values, row)
		if err == nil {
			err = to.append(v, ReplaceInvalid)
		}
		if err == nil {
			err = taken.add(len(v.text))
		}
		if err != nil {
			return fmt.Errorf("row %d of the record batch: %w", row, err)
		}
	}
	return nil
}

// arrowValue returns a cell. Its text refers to the memory of the array.
func arrowValue(values arrow.Array, row int) (Value, error) {
	if values.IsNull(row) {
		return Value{}, nil
	}
	switch a := values.(type) {
	case *array.Dictionary:
		return arrowValue(a.Dictionary(), a.GetValueIndex(row))
	case *array.String:
		return StringValue(a.Value(row)), nil
	case *array.LargeString:
		return StringValue(a.Value(row)), nil
	case *array.Binary:
		return BytesValue(a.Value(row)), nil
	case *array.LargeBinary:
		return BytesValue(a.Value(row)), nil
	case *array.FixedSizeBinary:
		return BytesValue(a.Value(row)), nil
	case *array.Null:
		return Value{}, nil
	case *array.StringView:
		return StringValue(a.Value(row)), nil
	case *array.BinaryView:
		return BytesValue(a.Value(row)), nil
	case *array.Time32:
		return timeOfDay(int64(a.Value(row)), a.DataType().(*arrow.Time32Type).Unit)
	case *array.Time64:
		return timeOfDay(int64(a.Value(row)), a.DataType().(*arrow.Time64Type).Unit)
	case *array.Decimal32, *array.Decimal64, *array.Decimal128, *array.Decimal256:
		return decimalValue(a, row)
	case *array.Float16:
		return Float64Value(float64(a.Value(row).Float32())), nil
	case *array.Boolean:
		return BoolValue(a.Value(row)), nil
	case *array.Float64:
		return Float64Value(a.Value(row)), nil
	case *array.Float32:
		return Float64Value(float64(a.Value(row))), nil
	case *array.Int64:
		return Int64Value(a.Value(row)), nil
	case *array.Int32:
		return Int64Value(int64(a.Value(row))), nil
	case *array.Int16:
		return Int64Value(int64(a.Value(row))), nil
	case *array.Int8:
		return Int64Value(int64(a.Value(row))), nil
	case *array.Uint32:
		return Int64Value(int64(a.Value(row))), nil
	case *array.Uint16:
		return Int64Value(int64(a.Value(row))), nil
	case *array.Uint8:
		return Int64Value(int64(a.Value(row))), nil
	case *array.Uint64:
		n := a.Value(row)
		if int64(n) < 0 {
			return Value{}, fmt.Errorf("the integer %d is larger than int64 can hold", n)
		}
		return Int64Value(int64(n)), nil
	case *array.Timestamp:
		return scaledTime(int64(a.Value(row)), int64(a.DataType().(*arrow.TimestampType).Unit.Multiplier()))
	case *array.Date32:
		return scaledTime(int64(a.Value(row)), 86_400e9)
	case *array.Date64:
		return scaledTime(int64(a.Value(row)), 1e6)
	}
	return Value{}, fmt.Errorf("a column of type %s", values.DataType())
}

func timeOfDay(n int64, unit arrow.TimeUnit) (Value, error) {
	text, err := appendTimeOfDay(nil, n, int64(unit.Multiplier()))
	return TextValue(text), err
}

// decimalValue returns a decimal as that of a Parquet file is read.
func decimalValue(a arrow.Array, row int) (Value, error) {
	t := a.DataType().(arrow.DecimalType)
	if t.GetScale() < 0 || t.GetScale() > 100 {
		return Value{}, fmt.Errorf("a decimal with %d digits after the point", t.GetScale())
	}
	var n big.Int
	switch a := a.(type) {
	case *array.Decimal32:
		n.SetInt64(int64(a.Value(row)))
	case *array.Decimal64:
		n.SetInt64(int64(a.Value(row)))
	case *array.Decimal128:
		n = *a.Value(row).BigInt()
	case *array.Decimal256:
		n = *a.Value(row).BigInt()
	}
	text := appendDecimal(nil, &n, int(t.GetScale()))
	if t.GetPrecision() > exactDigits {
		return TextValue(text), nil
	}
	return parseDecimal(text)
}

func (s *ipcSource) close() error { return s.end() }
