package arrowlog

import (
	"fmt"
	"math"
)

// Data is the values of one column for [Encoder.AppendColumns]. Exactly the slice
// of the column's kind is set; Int64s serves Int64 and Timestamp. The slices stay
// the caller's.
type Data struct {
	Name     string // of the column
	Strings  []string
	Bytes    [][]byte // a nil element is an empty value, not a null
	Int64s   []int64
	Float64s []float64
	Bools    []bool

	// Valid has false where the row is null; what the slice of values has there
	// does not count. Nil means that no row is null.
	Valid []bool
}

// AppendColumns adds rows that are given as columns: the fastest way. Each slice
// must have as many elements as there are rows. Columns that are not named are
// null. A column that the schema does not have is added, unless the schema is
// fixed; its kind is that of the slice. If AppendColumns returns an error, nothing
// was added.
func (e *Encoder) AppendColumns(rows int, data ...Data) error {
	if e.closed {
		return ErrClosed
	}
	if rows < 0 {
		return fmt.Errorf("arrowlog: AppendColumns: the number of rows is %d", rows)
	}
	b := e.batch
	before, columns := b.rows, len(b.columns)
	for i := range data {
		if err := e.appendData(rows, &data[i]); err != nil {
			b.rollback(before, columns)
			return err
		}
	}
	b.rows = before + rows
	return nil
}

func (e *Encoder) appendData(rows int, d *Data) error {
	kind, n, set := d.kind()
	switch {
	case set != 1:
		return fmt.Errorf("arrowlog: AppendColumns: column %q has %d slices of values, want one", d.Name, set)
	case n != rows || d.Valid != nil && len(d.Valid) != rows:
		return fmt.Errorf("arrowlog: AppendColumns: column %q has %d values and %d marks in Valid for %d rows", d.Name, n, len(d.Valid), rows)
	}
	i, ok := e.batch.index[d.Name]
	if !ok {
		var err error
		if i, err = e.addColumn(Column{Name: d.Name, Kind: kind}); err != nil {
			return err
		}
	}
	c := e.batch.columns[i]
	if c.nullsTo(e.batch.rows); c.rows != e.batch.rows {
		return fmt.Errorf("arrowlog: AppendColumns: column %q is given twice", d.Name)
	}
	if c.Kind != kind && !(c.Kind == Timestamp && kind == Int64) {
		return &KindError{Row: e.batch.rows, Column: d.Name, Want: c.Kind, Got: kind.String()}
	}
	return c.appendAll(rows, d, e.o.InvalidUTF8)
}

// kind returns the kind of the slice that is set, its length, and how many slices
// are set. All are nil for a column without rows, which counts as one.
func (d *Data) kind() (k Kind, n, set int) {
	for _, s := range [...]struct {
		kind Kind
		n    int
		set  bool
	}{
		{String, len(d.Strings), d.Strings != nil},
		{Bytes, len(d.Bytes), d.Bytes != nil},
		{Int64, len(d.Int64s), d.Int64s != nil},
		{Float64, len(d.Float64s), d.Float64s != nil},
		{Bool, len(d.Bools), d.Bools != nil},
	} {
		if s.set {
			k, n, set = s.kind, s.n, set+1
		}
	}
	return k, n, set
}

// appendAll adds the values of d, whose kind and length fit.
func (c *column) appendAll(rows int, d *Data, u UTF8) error {
	switch c.Kind {
	case Int64, Timestamp:
		c.ints = append(c.ints, d.Int64s...)
		c.clearInvalid(d.Valid, func(i int) { c.ints[i] = 0 })
	case Float64:
		c.floats = append(c.floats, d.Float64s...)
		c.clearInvalid(d.Valid, func(i int) { c.floats[i] = 0 })
	case Bool:
		c.bools = append(c.bools, d.Bools...)
		c.clearInvalid(d.Valid, func(i int) { c.bools[i] = false })
	default:
		return c.appendTexts(rows, d, u)
	}
	c.markAll(rows, d.Valid)
	return nil
}

func (c *column) clearInvalid(valid []bool, zero func(int)) {
	for i, ok := range valid {
		if !ok {
			zero(c.rows + i)
		}
	}
}

func (c *column) appendTexts(rows int, d *Data, u UTF8) error {
	for i := range rows {
		if d.Valid != nil && !d.Valid[i] {
			c.appendNull()
			continue
		}
		v := Value{kind: String}
		if c.Kind == Bytes {
			v = BytesValue(d.Bytes[i])
		} else {
			v.text = d.Strings[i]
		}
		if err := c.appendText(v.text, u); err != nil {
			return err
		}
	}
	return nil
}

// markAll adds rows to the bitmap, all valid if valid is nil.
func (c *column) markAll(rows int, valid []bool) {
	i := 0
	for ; i < rows && c.rows%8 != 0; i++ {
		c.mark(valid == nil || valid[i])
	}
	for ; i+8 <= rows; i += 8 {
		bits := byte(math.MaxUint8)
		if valid != nil {
			bits = 0
			for j, ok := range valid[i : i+8] {
				if ok {
					bits |= 1 << j
				} else {
					c.nulls++
				}
			}
		}
		c.valid = append(c.valid, bits)
		c.rows += 8
	}
	for ; i < rows; i++ {
		c.mark(valid == nil || valid[i])
	}
}
