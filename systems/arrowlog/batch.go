package arrowlog

import "fmt"

// Batch holds rows in columns. An [Encoder] collects rows in one, and a [Reader]
// returns one. A Batch belongs to its maker: it may be read until the next call
// of the method that returned it, from any number of goroutines.
//
// A column may have fewer rows than the batch while rows are collected: those that
// are missing are null. Thus a row costs what it has, however many columns there are.
type Batch struct {
	columns []*column
	index   map[string]int
	rows    int
	version int // changes with the columns
}

// newBatch returns a batch without rows. The columns must have been checked.
func newBatch(columns []Column) *Batch {
	b := &Batch{index: make(map[string]int, len(columns))}
	for _, c := range columns {
		b.add(c)
	}
	return b
}

// Rows returns the number of rows.
func (b *Batch) Rows() int { return b.rows }

// Columns returns the number of columns.
func (b *Batch) Columns() int { return len(b.columns) }

// Column returns a column's description. It panics if there is no such column.
func (b *Batch) Column(i int) Column { return b.columns[i].Column }

// Index returns the index of the column with the name, or -1.
func (b *Batch) Index(name string) int {
	if i, ok := b.index[name]; ok {
		return i
	}
	return -1
}

// Value returns a cell. Its text refers to the memory of the batch. It panics if
// there is no such cell.
func (b *Batch) Value(row, column int) Value {
	if uint(row) >= uint(b.rows) {
		panic(fmt.Sprintf("arrowlog: Batch.Value: row %d of %d", row, b.rows))
	}
	return b.columns[column].value(row)
}

// AppendRow appends the cells of a row to dst, whose memory it uses. Their text
// refers to the memory of the batch.
func (b *Batch) AppendRow(dst Row, row int) Row {
	for i := range b.columns {
		dst = append(dst, b.Value(row, i))
	}
	return dst
}

// Nulls returns the number of nulls in a column.
func (b *Batch) Nulls(column int) int { return b.rows - b.columns[column].values() }

// add appends a column that is null in the rows that are there.
func (b *Batch) add(c Column) int {
	col := newColumn(c)
	b.version++
	b.index[c.Name] = len(b.columns)
	b.columns = append(b.columns, col)
	return len(b.columns) - 1
}

// reset drops all rows and keeps the memory.
func (b *Batch) reset() { b.rollback(0, len(b.columns)) }

// rollback keeps the first rows and columns, as if no more had been appended.
func (b *Batch) rollback(rows, columns int) {
	for _, c := range b.columns[columns:] {
		delete(b.index, c.Name)
		b.version++
	}
	clear(b.columns[columns:])
	b.columns = b.columns[:columns]
	for _, c := range b.columns {
		c.truncate(rows)
	}
	b.rows = rows
}

// trim lets go of memory that is more than most bytes. The batch must be empty. Each
// of many columns could otherwise keep what it needed in the one batch where it was
// the largest.
func (b *Batch) trim(most int64) {
	for _, c := range b.columns {
		n := int64(cap(c.valid) + 8*cap(c.ints) + 8*cap(c.floats) + cap(c.bools) + 4*cap(c.offsets) + cap(c.text))
		if most -= n; most < 0 {
			most += n
			c.valid, c.ints, c.floats, c.bools, c.text = nil, nil, nil, nil, nil
			if c.isText() {
				c.offsets = make([]int32, 1)
			}
		}
	}
}

// put gives the row at hand, the one after the last, a value.
func (b *Batch) put(column int, v Value, u UTF8) error {
	c := b.columns[column]
	c.nullsTo(b.rows)
	return c.append(v, u)
}

// complete gives all columns all rows.
func (b *Batch) complete() {
	for _, c := range b.columns {
		c.nullsTo(b.rows)
	}
}

// bytes returns the size of the values when all columns have all rows, in bytes.
func (b *Batch) bytes() int64 {
	n := int64(b.rows) * b.slots()
	for _, c := range b.columns {
		n += int64(len(c.text))
	}
	return n
}

// slots returns the size of a row in all columns in bytes, without its texts.
func (b *Batch) slots() (n int64) {
	for _, c := range b.columns {
		n += c.slot()
	}
	return n
}
