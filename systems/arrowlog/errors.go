package arrowlog

import (
	"errors"
	"fmt"
)

// ErrClosed is returned by every method of an [Encoder] after Close.
var ErrClosed = errors.New("arrowlog: the encoder is closed")

// ErrTooLarge is wrapped by the error of an append that would give one text column
// more than 2 GiB, or all columns more than [Options.MaxBytes]. Flush and append
// again.
var ErrTooLarge = errors.New("the rows that wait for a flush are too large")

// KindError reports a value whose type is not that of its column. The row was not
// added.
type KindError struct {
	Row    int    // since the last flush, from 0
	Column string // its name
	Want   Kind
	Got    string // the kind of the Value, or the Go type
}

// Error says which cell is wrong.
func (e *KindError) Error() string {
	return fmt.Sprintf("arrowlog: row %d, column %q: want %v, got %s", e.Row, e.Column, e.Want, e.Got)
}

// ColumnError reports a column that the schema does not have. The row was not
// added.
type ColumnError struct {
	Row    int    // since the last flush, from 0
	Column string // its name
	Reason string
}

// Error says which column is unknown.
func (e *ColumnError) Error() string {
	return fmt.Sprintf("arrowlog: row %d, column %q: %s", e.Row, e.Column, e.Reason)
}

// OTLPError reports where an OTLP message cannot be read. No row was added.
type OTLPError struct {
	Offset int // in bytes from the start of the message
	Reason string
}

// Error says where and why.
func (e *OTLPError) Error() string {
	return fmt.Sprintf("arrowlog: OTLP logs, byte %d: %s", e.Offset, e.Reason)
}
