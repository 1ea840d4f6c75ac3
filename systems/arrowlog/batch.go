package arrowlog

import "fmt"

// Batch holds rows in columns. An [Encoder] collects rows in one, and a [Reader]
// returns one. A Batch belongs to its maker: it may be read until the next call
// of the method that returned it, from any number of goroutines.
type Batch struct {
	columns []*column
	index   map[string]int
	rows    int
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
func (b *Batch) Nulls(column int) int { return b.columns[column].nulls }

// add appends a column that is null in the rows that are there.
func (b *Batch) add(c Column) int {
	col := newColumn(c)
	col.nullsTo(b.rows)
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
	}
	clear(b.columns[columns:])
	b.columns = b.columns[:columns]
	for _, c := range b.columns {
		c.truncate(rows)
	}
	b.rows = rows
}

// endRow completes a row: columns without a value get a null.
func (b *Batch) endRow() {
	b.rows++
	for _, c := range b.columns {
		if c.rows < b.rows {
			c.appendNull()
		}
	}
}

// bytes returns the size of the values, in bytes.
func (b *Batch) bytes() (n int64) {
	for _, c := range b.columns {
		n += int64(8*len(c.ints)+8*len(c.floats)+len(c.bools)+len(c.text)) + int64(4*len(c.offsets))
	}
	return n
}
