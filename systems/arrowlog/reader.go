package arrowlog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/poolproof/poolproof/systems/arrowlog/where"
)

// Reader reads a Parquet file, an Arrow IPC file or an Arrow IPC stream, of this
// package or of others. It keeps its memory from one batch to the next. It may be
// used by one goroutine at a time and must be closed.
//
// Columns must be flat: of text, bytes, integers, numbers, truth values, times or
// dates. Every integer type becomes Int64, every time and date a Timestamp.
type Reader struct {
	source source
	batch  *Batch
	where  []condition // converted to the kinds of their columns
	tests  []int       // the source's column of each condition
	out    []int       // the source's column of each column that is returned
	looked []looked    // by the source's column
	taken  batchSize   // by the rows at hand
	keep   []int32     // rows of a chunk that satisfy all conditions
	limit  int         // rows that may still come
	size   int
	stats  ReadStats
	err    error
}

// looked is a column that conditions look at.
type looked struct {
	rows  *column
	ready bool // rows are those at hand
}

// ReadStats counts the work of a [Reader] so far.
type ReadStats struct {
	Rows          int64 // that were returned
	RowsLookedAt  int64 // that were compared with the conditions or returned
	Groups        int   // row groups of a Parquet file, record batches of IPC
	GroupsSkipped int   // row groups without a row that the conditions allow
}

// source is a file of a format.
type source interface {
	columns() []sourceColumn
	// begin is called once.
	begin(conditions []condition, tests []int)
	// unordered reports whether a column's values are texts in another order than
	// that of what they mean.
	unordered(column int) bool
	// next makes the next rows available, at most size, and returns how many there
	// are, or io.EOF.
	next(size int, s *ReadStats) (int, error)
	// fewer makes the first of the rows of next the rows at hand, as if nothing of
	// them had been read.
	fewer(rows int)
	// read appends the rows at hand of one column to to, once. It adds the size of
	// their texts to taken.
	read(column int, to *column, taken *batchSize) error
	close() error
}

// sourceColumn is a column of a file, and why it cannot be read, "" if it can.
type sourceColumn struct {
	Column
	reason string
}

const defaultBatchRows = 4096

// OpenReader opens a file of size bytes, reads what describes it, and checks the
// query against it. The error says which column is unknown or of a type that
// cannot be read, or which condition does not fit its column.
func OpenReader(r io.ReaderAt, size int64, q Query) (*Reader, error) {
	s, err := openSource(r, size)
	if err != nil {
		return nil, fmt.Errorf("arrowlog: %w", err)
	}
	out := &Reader{source: s, limit: q.Limit, size: q.BatchRows}
	if err := out.plan(q); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return out, nil
}

func openSource(r io.ReaderAt, size int64) (s source, err error) {
	defer damaged(&err)
	var head [6]byte
	n, err := r.ReadAt(head[:min(int64(len(head)), size)], 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(head[:n], []byte("PAR1")):
		return openParquet(r, size)
	case bytes.HasPrefix(head[:n], []byte("ARROW1")):
		return openIPCFile(r, size)
	case bytes.HasPrefix(head[:n], []byte("\xff\xff\xff\xff")):
		return openIPCStream(r, size)
	}
	return nil, fmt.Errorf("the file of %d bytes begins with %q, which is neither Parquet nor Arrow IPC", size, head[:n])
}

// damaged turns a panic into an error. The readers of arrow-go and parquet-go
// index what a file's offsets and counts say, and panic where it lies outside.
func damaged(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("arrowlog: the file is damaged: its reader panics: %v", p)
	}
}

// plan matches the query with the columns of the source.
func (r *Reader) plan(q Query) error {
	switch {
	case q.Limit < 0:
		return fmt.Errorf("arrowlog: Query.Limit is %d, want 0 or a number of rows", q.Limit)
	case q.BatchRows < 0:
		return fmt.Errorf("arrowlog: Query.BatchRows is %d, want 0 or a number of rows", q.BatchRows)
	}
	if q.Limit == 0 {
		r.limit = -1
	}
	if q.BatchRows == 0 {
		r.size = defaultBatchRows
	}
	var wanted map[string]bool
	if q.Columns != nil {
		wanted = map[string]bool{}
		for _, name := range q.Columns {
			wanted[name] = true
		}
		for _, c := range q.Where {
			wanted[c.Column] = true
		}
	}
	all := r.source.columns()
	r.looked = make([]looked, len(all))
	index := make(map[string]int, len(all))
	var usable []Column
	for i, c := range all {
		if c.reason != "" {
			if wanted == nil || wanted[c.Name] {
				return fmt.Errorf("arrowlog: column %q %s, which cannot be read; name the columns that you want", c.Name, c.reason)
			}
			continue
		}
		if _, ok := index[c.Name]; ok {
			return fmt.Errorf("arrowlog: the file has two columns with the name %q", c.Name)
		}
		index[c.Name] = i
		usable = append(usable, c.Column)
	}
	find := func(name string) (int, error) {
		i, ok := index[name]
		if !ok {
			return 0, fmt.Errorf("arrowlog: the file has no column %q; it has %s", name, names(usable))
		}
		return i, nil
	}
	var columns []Column
	if q.Columns == nil {
		columns = usable
		for i := range all { // all can be read
			r.out = append(r.out, i)
		}
	}
	seen := map[string]bool{}
	for _, name := range q.Columns {
		if seen[name] {
			return fmt.Errorf("arrowlog: Query.Columns has %q twice", name)
		}
		seen[name] = true
		i, err := find(name)
		if err != nil {
			return err
		}
		r.out, columns = append(r.out, i), append(columns, all[i].Column)
	}
	for _, w := range q.Where {
		i, err := find(w.Column)
		if err != nil {
			return err
		}
		c, err := newCondition(w, all[i].Kind)
		if err != nil {
			return err
		}
		if r.source.unordered(i) && c.op != where.Equal && c.op != where.NotEqual {
			return fmt.Errorf("arrowlog: column %q has decimals of more than %d digits, which are read as text: only = and != can be asked of it", w.Column, exactDigits)
		}
		r.where, r.tests = append(r.where, c), append(r.tests, i)
	}
	r.batch = newBatch(columns)
	r.source.begin(r.where, r.tests)
	return nil
}

// names lists columns for an error.
func names(all []Column) string {
	const most = 12
	text := ""
	for i, c := range all {
		switch {
		case i == most:
			return fmt.Sprintf("%s and %d more", text, len(all)-most)
		case i > 0:
			text += ", "
		}
		text += c.Name
	}
	return text
}

// Next returns the next rows that satisfy the query, at least one, or io.EOF after
// the last. The batch may be read until the next call of Next or Close.
func (r *Reader) Next() (*Batch, error) {
	if r.err != nil {
		return nil, r.err
	}
	b, err := r.read()
	if err != nil {
		r.err = err
		return nil, err
	}
	r.stats.Rows += int64(b.rows)
	return b, nil
}

func (r *Reader) read() (b *Batch, err error) {
	defer damaged(&err)
	for r.limit != 0 {
		size := r.size
		if r.limit > 0 && len(r.where) == 0 {
			size = min(size, r.limit)
		}
		rows, err := r.source.next(size, &r.stats)
		if err == io.EOF {
			return nil, io.EOF
		}
		if err != nil {
			return nil, fmt.Errorf("arrowlog: %w", err)
		}
		if rows, err = r.readRows(rows); err != nil {
			return nil, err
		}
		r.stats.RowsLookedAt += int64(rows)
		if r.batch.rows == 0 {
			continue
		}
		if r.limit > 0 {
			r.limit -= r.batch.rows
		}
		return r.batch, nil
	}
	return nil, io.EOF
}

// readRows reads those of the rows at hand that satisfy all conditions into the batch.
// It does it with fewer rows if they take too much memory, and returns their number.
func (r *Reader) readRows(rows int) (int, error) {
	for {
		r.taken = batchSize{rows: rows}
		for i := range r.looked {
			r.looked[i].ready = false
		}
		all, err := r.choose(rows)
		if err == nil {
			err = r.fill(rows, all)
		}
		if !errors.Is(err, errBatch) {
			return rows, err
		}
		rows /= 2
		r.size = rows // what follows is probably as large
		r.source.fewer(rows)
	}
}

// choose finds the rows that satisfy all conditions, or reports that all do.
func (r *Reader) choose(rows int) (all bool, err error) {
	r.keep = r.keep[:0]
	if len(r.where) == 0 {
		return true, nil
	}
	for row := range rows {
		r.keep = append(r.keep, int32(row))
	}
	for i := range r.where {
		c, err := r.column(r.tests[i])
		if err != nil {
			return false, err
		}
		kept := r.keep[:0]
		for _, row := range r.keep {
			if r.where[i].holds(c.value(int(row))) {
				kept = append(kept, row)
			}
		}
		r.keep = kept
		if len(kept) == 0 {
			return false, nil
		}
	}
	return len(r.keep) == rows && (r.limit < 0 || rows <= r.limit), nil
}

// fill reads the columns that are returned into the batch.
func (r *Reader) fill(rows int, all bool) error {
	if r.limit >= 0 && len(r.keep) > r.limit {
		r.keep = r.keep[:r.limit]
	}
	r.batch.reset()
	if !all && len(r.keep) == 0 {
		return nil
	}
	for i, from := range r.out {
		to := r.batch.columns[i]
		if all {
			if l := r.looked[from]; l.ready {
				to.appendColumn(l.rows)
			} else if err := r.source.read(from, to, &r.taken); err != nil {
				return fmt.Errorf("arrowlog: column %q: %w", to.Name, err)
			}
			continue
		}
		c, err := r.column(from)
		if err != nil {
			return err
		}
		to.gather(c, r.keep)
	}
	r.batch.rows = rows
	if !all {
		r.batch.rows = len(r.keep)
	}
	return nil
}

// column reads a column of the rows at hand to where conditions look at it.
func (r *Reader) column(i int) (*column, error) {
	l := &r.looked[i]
	if l.rows == nil {
		l.rows = newColumn(r.source.columns()[i].Column)
	}
	if !l.ready {
		l.ready = true
		l.rows.reset()
		if err := r.source.read(i, l.rows, &r.taken); err != nil {
			return nil, fmt.Errorf("arrowlog: column %q: %w", l.rows.Name, err)
		}
	}
	return l.rows, nil
}

// Rows returns the rows that satisfy the query, one at a time. A row may be used
// until the loop goes on: its memory is used again, and its text is that of the
// batch. After an error the loop ends.
func (r *Reader) Rows() iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		var row Row
		for {
			b, err := r.Next()
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range b.rows {
				row = b.AppendRow(row[:0], i)
				if !yield(row, nil) {
					return
				}
			}
		}
	}
}

// Columns returns the columns of the batches.
func (r *Reader) Columns() []Column {
	all := make([]Column, len(r.batch.columns))
	for i, c := range r.batch.columns {
		all[i] = c.Column
	}
	return all
}

// Stats returns what r has done so far.
func (r *Reader) Stats() ReadStats { return r.stats }

// Close ends the reading. It does not close the file.
func (r *Reader) Close() error {
	if r.err == errReaderClosed {
		return nil
	}
	r.err = errReaderClosed
	return r.source.close()
}

var errReaderClosed = errors.New("arrowlog: the reader is closed")
