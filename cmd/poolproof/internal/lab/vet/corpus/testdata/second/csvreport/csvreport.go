// Package csvreport exports orders as CSV.
package csvreport

import (
	"bytes"
	"encoding/csv"
	"io"
	"strconv"
	"sync"
)

// Order is a row.
type Order struct {
	ID    int
	Name  string
	Cents int64
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Export writes the orders to w.
func Export(w io.Writer, orders []Order) error {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	out := csv.NewWriter(buf)
	for _, o := range orders {
		rec := []string{strconv.Itoa(o.ID), o.Name, strconv.FormatInt(o.Cents, 10)}
		if err := out.Write(rec); err != nil {
			buffers.Put(buf)
			return err
		}
	}
	_, err := w.Write(buf.Bytes())
	buffers.Put(buf)
	out.Flush() // want "PV001"
	if err == nil {
		err = out.Error()
	}
	return err
}
