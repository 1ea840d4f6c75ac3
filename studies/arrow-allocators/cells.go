package arrowallocators

// Cells are the same data as rows, column by column and typed: what a program
// has that never made maps.
type Cells struct {
	Rows    int
	columns []cells
}

// cells is one column. Only the slice of its kind is used; valid says which of
// its elements are values and which are nulls.
type cells struct {
	valid   []bool
	strings []string
	ints    []int64
	floats  []float64
	bools   []bool
}

// NewCells turns rows around. The strings are shared, not copied.
func NewCells(rows []Row) (*Cells, error) {
	c := &Cells{Rows: len(rows), columns: make([]cells, len(columns))}
	for i, col := range columns {
		to := &c.columns[i]
		to.valid = make([]bool, len(rows))
		switch col.kind {
		case String:
			to.strings = make([]string, len(rows))
		case Int64:
			to.ints = make([]int64, len(rows))
		case Float64:
			to.floats = make([]float64, len(rows))
		case Bool:
			to.bools = make([]bool, len(rows))
		}
		for r, row := range rows {
			value, ok := row[col.name]
			if !ok {
				continue
			}
			if !to.set(r, col.kind, value) {
				return nil, cellError(r, col, value)
			}
		}
	}
	return c, nil
}

// set stores a value and reports whether it is of the column's kind.
func (c *cells) set(row int, kind Kind, value any) (ok bool) {
	switch kind {
	case String:
		c.strings[row], ok = value.(string)
	case Int64:
		c.ints[row], ok = value.(int64)
	case Float64:
		c.floats[row], ok = value.(float64)
	case Bool:
		c.bools[row], ok = value.(bool)
	}
	c.valid[row] = ok
	return ok
}

// Column is one column of Cells. Only the slice of its kind is set; Valid says
// which of its elements are values and which are nulls. All belong to the Cells.
type Column struct {
	Name     string
	Kind     Kind
	Valid    []bool
	Strings  []string
	Int64s   []int64
	Float64s []float64
	Bools    []bool
}

// Columns returns the columns in the order of the schema.
func (c *Cells) Columns() []Column {
	all := make([]Column, len(c.columns))
	for i, from := range c.columns {
		all[i] = Column{columns[i].name, columns[i].kind, from.valid, from.strings, from.ints, from.floats, from.bools}
	}
	return all
}

// LowCardinality reports whether the column has few different values.
func (c Column) LowCardinality() bool { return columns[columnIndex[c.Name]].distinct > 0 }
