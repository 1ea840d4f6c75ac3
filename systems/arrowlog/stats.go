package arrowlog

// Stats describes the output of a flush.
type Stats struct {
	Rows  int
	Bytes int64 // of the file or stream

	// Generation counts how often the columns were other than in the flush before:
	// readers of several files have to expect other columns when it changes.
	Generation int

	Columns []ColumnStats
}

// ColumnStats describes the output of a flush for one column.
type ColumnStats struct {
	Name       string
	Kind       Kind
	Nulls      int
	Dictionary bool // in a Parquet file
}

// stats describes the batch that was written. It reuses nothing: the caller keeps
// it.
func (e *Encoder) stats(b *Batch, bytes int64) Stats {
	if e.columnsChanged(b) {
		e.generation++
	}
	s := Stats{Rows: b.rows, Bytes: bytes, Generation: e.generation, Columns: make([]ColumnStats, len(b.columns))}
	for i, c := range b.columns {
		s.Columns[i] = ColumnStats{Name: c.Name, Kind: c.Kind, Nulls: b.Nulls(i)}
		if i < len(e.dict.use) {
			s.Columns[i].Dictionary = e.dict.use[i]
		}
	}
	return s
}

// columnsChanged compares the columns with those of the last flush.
func (e *Encoder) columnsChanged(b *Batch) bool {
	changed := len(b.columns) != len(e.written)
	for i := 0; i < len(b.columns) && !changed; i++ {
		changed = b.columns[i].Column != e.written[i]
	}
	if changed {
		e.written = e.written[:0]
		for _, c := range b.columns {
			e.written = append(e.written, c.Column)
		}
	}
	return changed
}
