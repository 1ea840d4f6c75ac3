package arrowlog

import (
	"fmt"
	"unicode/utf8"
)

// Kind is the type of a column's values.
type Kind uint8

// The kinds of columns. Each can hold nulls.
const (
	Null      Kind = iota // no column has this kind; a Value that is null has
	String                // UTF-8 text: Parquet STRING, Arrow utf8
	Int64                 // Parquet INT64, Arrow int64
	Float64               // Parquet DOUBLE, Arrow float64
	Bool                  // Parquet BOOLEAN, Arrow bool
	Timestamp             // nanoseconds since 1970 in UTC: Parquet TIMESTAMP(NANOS), Arrow timestamp[ns, UTC]
	Bytes                 // Parquet BYTE_ARRAY, Arrow binary
)

var kindNames = [...]string{"null", "string", "int64", "float64", "bool", "timestamp", "bytes"}

// String returns the name of the kind in lower case.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", k)
}

// Column describes one column.
type Column struct {
	// Name must be valid UTF-8, not empty and different from the other names.
	Name string

	Kind Kind

	// LowCardinality says that a String or Bytes column has few different values,
	// as severities and service names have. [DictionaryLow] writes dictionaries
	// for such columns only.
	LowCardinality bool

	// Bloom adds a Bloom filter of the values to Parquet files. A [Reader] uses it to skip row groups when a query asks for equality.
	Bloom bool
}

// Schema is the list of columns that an [Encoder] begins with.
type Schema struct {
	Columns []Column

	// Fixed makes a column that is not in Columns an error. Otherwise AppendMap
	// and AppendOTLP add it; in the rows before it is null.
	Fixed bool
}

// check returns an error that names the first column that cannot be used.
func (s Schema) check() error {
	seen := make(map[string]int, len(s.Columns))
	for i, c := range s.Columns {
		if err := c.check(); err != nil {
			return fmt.Errorf("arrowlog: column %d: %w", i, err)
		}
		if first, ok := seen[c.Name]; ok {
			return fmt.Errorf("arrowlog: columns %d and %d have the same name %q", first, i, c.Name)
		}
		seen[c.Name] = i
	}
	return nil
}

func (c Column) check() error {
	switch {
	case c.Name == "":
		return fmt.Errorf("the name is empty")
	case !utf8.ValidString(c.Name):
		return fmt.Errorf("the name %q is not valid UTF-8", c.Name)
	case c.Kind == Null || int(c.Kind) >= len(kindNames):
		return fmt.Errorf("%q: %v is not a kind of column", c.Name, c.Kind)
	}
	return nil
}
