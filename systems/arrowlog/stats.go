package arrowlog

// Stats is what a flush wrote.
type Stats struct {
	Rows  int
	Bytes int64 // of the file or stream

	// Generation counts how often the columns were other than in the flush before:
	// readers of several files have to expect other columns when it changes.
	Generation int

	Columns []ColumnStats
}

// ColumnStats is what a flush wrote of one column.
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
		s.Columns[i] = ColumnStats{Name: c.Name, Kind: c.Kind, Nulls: c.nulls}
		if i < len(e.dict.use) {
			s.Columns[i].Dictionary = e.dict.use[i]
		}
	}
	return s
}

// columnsChanged compares the columns with those of the last flush. Columns are
// only ever added.
func (e *Encoder) columnsChanged(b *Batch) bool {
	before := len(e.names)
	for _, c := range b.columns[before:] {
		e.names = append(e.names, c.Name)
	}
	return before != len(e.names)
}
