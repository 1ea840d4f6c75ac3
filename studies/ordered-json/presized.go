package orderedjson

import (
	"bytes"
	"encoding/json"
)

// Presized is the arm presized: a new buffer that need not grow. Compact JSON
// is seldom longer than the source: YAML has indents where JSON has quotes and
// brackets, and a source in JSON cannot be shorter than its compact form. A
// wrong guess is no error: the buffer grows. The result is the caller's.
func Presized(d *Document) ([]byte, error) {
	var out bytes.Buffer
	out.Grow(d.source)
	if err := writeOrdered(&out, d.root, d.values); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// indentedShare is the size of an indented document, guessed from that of its
// compact form. json.Indent guesses 2. Where this is a little short, it makes
// two buffers more: one in which it indents, and one to which the buffer grows
// when the first is written to it.
const indentedShare = 3

// PresizedIndent indents what Presized returns, in a buffer that need not
// grow. The result is the caller's.
func PresizedIndent(d *Document) ([]byte, error) {
	compact, err := Presized(d)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.Grow(indentedShare * len(compact))
	if err := json.Indent(&out, compact, "", indent); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
