package orderedjson

import (
	"bytes"
	"encoding/json"
)

// Lease is the arm lease: buffers of the caller, which keep their memory from
// one document to the next. The zero value is ready for use. A Lease serves
// one goroutine at a time.
type Lease struct {
	compact, indented bytes.Buffer
}

// JSON returns the document as the other arms do. The result is valid until
// the next call of a method.
func (l *Lease) JSON(d *Document) ([]byte, error) {
	l.compact.Reset()
	if err := writeOrdered(&l.compact, d.root, d.values); err != nil {
		return nil, err
	}
	return l.compact.Bytes(), nil
}

// Indent returns the indented document. The result is valid until the next
// call of a method.
func (l *Lease) Indent(d *Document) ([]byte, error) {
	compact, err := l.JSON(d)
	if err != nil {
		return nil, err
	}
	l.indented.Reset()
	if err := json.Indent(&l.indented, compact, "", indent); err != nil {
		return nil, err
	}
	return l.indented.Bytes(), nil
}
