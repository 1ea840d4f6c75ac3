package arrowlog

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/poolproof/poolproof/systems/arrowlog/arrowmem"
)

// Encoder collects rows and writes them. It keeps its memory, its Parquet writer
// and its compressors from one flush to the next. It may be used by one goroutine
// at a time and must be closed.
type Encoder struct {
	o       Options
	fixed   bool
	batch   *Batch
	sorted  *Batch // a copy of batch in the order of Options.SortBy
	order   []int32
	dict    dictionaries
	parquet *parquetWriter
	arrow   arrowSchemas

	generation int      // how often the columns have changed
	written    []Column // the columns of the last flush
	otlp       otlpReader
	closed     bool
}

// New returns an encoder without rows. The error names the column or option that
// cannot be used.
func New(s Schema, o Options) (*Encoder, error) {
	if err := errors.Join(s.check(), o.check()); err != nil {
		return nil, err
	}
	e := &Encoder{o: o, fixed: s.Fixed, batch: newBatch(s.Columns)}
	if e.o.Allocator == nil {
		e.o.Allocator = arrowmem.NewRecycler(arrowmem.Options{})
	}
	if o.SortBy != "" && s.Fixed && e.batch.Index(o.SortBy) < 0 {
		return nil, fmt.Errorf("arrowlog: Options.SortBy is %q, which the schema does not have", o.SortBy)
	}
	return e, nil
}

// Rows returns the number of rows that wait for a flush.
func (e *Encoder) Rows() int { return e.batch.rows }

// Bytes returns the size of the values that wait for a flush, in bytes, before
// compression.
func (e *Encoder) Bytes() int64 { return e.batch.bytes() }

// Batch returns the rows that wait for a flush. It may be read until the next
// call of a method of e.
func (e *Encoder) Batch() *Batch { return e.batch }

// AppendRow adds one row: a Value for each column, in the order of the schema and
// then of the columns that were added. It copies text and bytes. If it returns an
// error, such as a [KindError], the row was not added.
func (e *Encoder) AppendRow(r Row) error {
	if e.closed {
		return ErrClosed
	}
	if len(r) > len(e.batch.columns) {
		return &ColumnError{Row: e.batch.rows, Column: fmt.Sprintf("#%d", len(e.batch.columns)), Reason: fmt.Sprintf("the row has %d cells, the schema has %d columns", len(r), len(e.batch.columns))}
	}
	for i, v := range r {
		if err := e.batch.put(i, v, e.o.InvalidUTF8); err != nil {
			e.batch.rollback(e.batch.rows, len(e.batch.columns))
			return err
		}
	}
	e.batch.rows++
	return nil
}

// Cell is a value of a row and the index of its column.
type Cell struct {
	Column int
	Value  Value
}

// AppendCells adds one row that is given by those of its cells that are not null, in
// any order: the way for rows of a few of many columns. It copies text and bytes. If
// it returns an error, the row was not added.
func (e *Encoder) AppendCells(cells []Cell) error {
	if e.closed {
		return ErrClosed
	}
	b := e.batch
	for _, cell := range cells {
		err := error(nil)
		switch {
		case uint(cell.Column) >= uint(len(b.columns)):
			err = &ColumnError{Row: b.rows, Column: fmt.Sprintf("#%d", cell.Column), Reason: fmt.Sprintf("the schema has %d columns", len(b.columns))}
		case b.columns[cell.Column].rows > b.rows:
			err = &ColumnError{Row: b.rows, Column: b.columns[cell.Column].Name, Reason: "the row has two cells of it"}
		default:
			err = b.put(cell.Column, cell.Value, e.o.InvalidUTF8)
		}
		if err != nil {
			b.rollback(b.rows, len(b.columns))
			return err
		}
	}
	b.rows++
	return nil
}

// addColumn adds a column that is null in the rows that are there, unless the
// schema is fixed.
func (e *Encoder) addColumn(c Column) (int, error) {
	if e.fixed {
		return 0, &ColumnError{Row: e.batch.rows, Column: c.Name, Reason: "the fixed schema has no such column"}
	}
	if err := c.check(); err != nil {
		return 0, &ColumnError{Row: e.batch.rows, Column: c.Name, Reason: err.Error()}
	}
	c.Bloom = c.Bloom || slices.Contains(e.o.Bloom, c.Name)
	i := e.batch.add(c)
	e.batch.columns[i].added = true
	return i, nil
}

// DropUnused forgets the columns that appends have added and that are null in all
// rows that wait. Without it an encoder keeps every column for ever, and each file
// has all of them.
func (e *Encoder) DropUnused() {
	b := e.batch
	kept := b.columns[:0]
	for i, c := range b.columns {
		if c.added && c.values() == 0 {
			delete(b.index, c.Name)
			continue
		}
		b.index[c.Name] = len(kept)
		if i < len(e.dict.use) {
			e.dict.use[len(kept)] = e.dict.use[i]
		}
		kept = append(kept, c)
	}
	if len(kept) == len(b.columns) {
		return
	}
	e.dict.use = e.dict.use[:min(len(kept), len(e.dict.use))]
	clear(b.columns[len(kept):])
	b.columns = kept
	b.version++
	clear(e.otlp.columns)
}

// Widen makes a column of Int64 one of Float64, if float64 holds all of its values
// that wait, and reports whether it did. Files that were written keep what they have.
func (e *Encoder) Widen(column int) bool {
	c := e.batch.columns[column]
	if c.Kind != Int64 {
		return false
	}
	for _, n := range c.ints {
		if !ExactFloat(n) {
			return false
		}
	}
	for _, n := range c.ints {
		c.floats = append(c.floats, float64(n))
	}
	c.Kind, c.ints = Float64, nil
	e.batch.version++
	clear(e.otlp.columns)
	return true
}

// ExactFloat reports whether float64 holds n and its neighbours: beyond 2^53 it holds
// some integers only.
func ExactFloat(n int64) bool {
	const most = 1 << 53
	return -most <= n && n <= most
}

// UseColumn returns the index of the column with the name, and adds it as an append
// does if there is none: [Encoder.DropUnused] forgets it when no row has it.
func (e *Encoder) UseColumn(name string, kind Kind) (int, error) {
	if e.closed {
		return 0, ErrClosed
	}
	if i := e.batch.Index(name); i >= 0 {
		return i, nil
	}
	return e.addColumn(Column{Name: name, Kind: kind})
}

// AddColumn adds a column. It is null in the rows that wait. The error says why
// the name or the kind cannot be used.
func (e *Encoder) AddColumn(c Column) error {
	if e.closed {
		return ErrClosed
	}
	if i := e.batch.Index(c.Name); i >= 0 {
		return &ColumnError{Row: e.batch.rows, Column: c.Name, Reason: fmt.Sprintf("column %d has this name", i)}
	}
	i, err := e.addColumn(c)
	if err == nil {
		e.batch.columns[i].added = false
	}
	return err
}

// Reset drops the rows that wait, and keeps the columns and the memory: at most
// [Options.MaxBytes] of it, if that is set.
func (e *Encoder) Reset() {
	e.batch.reset()
	if e.o.MaxBytes > 0 {
		e.batch.trim(e.o.MaxBytes)
		e.sorted, e.order = nil, nil
	}
}

// Truncate keeps the first rows of those that wait and drops the others, as if they
// had not been appended. Columns that they added stay. It panics if rows is
// negative or more than there are.
func (e *Encoder) Truncate(rows int) {
	if rows < 0 || rows > e.batch.rows {
		panic(fmt.Sprintf("arrowlog: Truncate(%d) of %d rows", rows, e.batch.rows))
	}
	e.batch.rollback(rows, len(e.batch.columns))
}

// Close drops the rows that wait and releases the writers. Later calls return
// [ErrClosed]. Memory of the allocator is not held between calls, so closing an
// allocator is the caller's affair.
func (e *Encoder) Close() error {
	if e.closed {
		return ErrClosed
	}
	e.closed = true
	e.parquet = nil
	e.batch, e.sorted = newBatch(nil), nil
	return nil
}

// Record returns the rows as an Arrow record, whose memory is from
// [Options.Allocator]. The caller must release it. The encoder is empty then.
func (e *Encoder) Record() (arrow.RecordBatch, error) {
	if e.closed {
		return nil, ErrClosed
	}
	b := e.inOrder()
	record := newRecord(e.o.Allocator, e.arrow.plain(b), b)
	e.Reset()
	return record, nil
}

// FlushParquet writes the rows as one whole Parquet file to w and returns what it
// wrote. The encoder is empty then. If w or the writer fails, the rows stay, and
// what w got is not a file.
func (e *Encoder) FlushParquet(w io.Writer) (Stats, error) { return e.reset(e.WriteParquet(w)) }

// WriteParquet is FlushParquet, but the rows stay until [Encoder.Reset]: for a caller
// that has to do more before they may go, such as to bring a file to the disk.
func (e *Encoder) WriteParquet(w io.Writer) (Stats, error) {
	return e.write(w, func(out *counter, b *Batch) error {
		e.dict.decide(e.o.Dictionary, b)
		if e.parquet == nil {
			e.parquet = &parquetWriter{o: e.o}
		}
		done := false
		defer func() {
			if !done || out.err != nil { // also if w panics
				e.parquet = nil
			}
		}()
		err := e.parquet.write(out, b, e.dict.use)
		done = err == nil
		return err
	})
}

// FlushIPC writes the rows as one Arrow IPC stream, or file, with one record batch
// to w and returns what it wrote. The encoder is empty then. If w fails, the rows
// stay, and what w got is not whole.
func (e *Encoder) FlushIPC(w io.Writer) (Stats, error) { return e.reset(e.WriteIPC(w)) }

// WriteIPC is FlushIPC, but the rows stay until [Encoder.Reset].
func (e *Encoder) WriteIPC(w io.Writer) (Stats, error) {
	return e.write(w, func(out *counter, b *Batch) error {
		return writeIPC(out, e.o.Allocator, e.arrow.plain(b), b, e.o)
	})
}

// reset drops the rows that were written.
func (e *Encoder) reset(s Stats, err error) (Stats, error) {
	if err == nil {
		e.Reset()
	}
	return s, err
}

func (e *Encoder) write(w io.Writer, write func(*counter, *Batch) error) (Stats, error) {
	if e.closed {
		return Stats{}, ErrClosed
	}
	if len(e.batch.columns) == 0 {
		return Stats{}, errors.New("arrowlog: nothing to write: the schema has no columns")
	}
	b := e.inOrder()
	out := &counter{w: w}
	err := write(out, b)
	if out.err != nil {
		err = out.err // libraries wrap it or lose it
	}
	if err != nil {
		return Stats{}, fmt.Errorf("arrowlog: writing %d rows, after %d bytes: %w", b.rows, out.n, err)
	}
	return e.stats(b, out.n), nil
}

// counter counts what is written and remembers the first error.
type counter struct {
	w   io.Writer
	n   int64
	err error
}

func (c *counter) Write(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.w.Write(p)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	c.n += int64(n)
	c.err = err
	return n, err
}
