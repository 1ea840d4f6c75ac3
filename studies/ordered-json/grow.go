package orderedjson

import (
	"bytes"
	"encoding/json"
)

// Grow is the arm grow: a buffer that starts empty and is doubled whenever it
// is full. The result is the caller's.
func Grow(d *Document) ([]byte, error) {
	var out bytes.Buffer
	if err := writeOrdered(&out, d.root, d.values); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// GrowIndent indents what Grow returns, in one more buffer. The result is the
// caller's.
func GrowIndent(d *Document) ([]byte, error) {
	compact, err := Grow(d)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, compact, "", indent); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// indent is the indentation of a level in all arms, as in the published
// benchmark.
const indent = "  "
