// Package metricline writes metrics in the line protocol.
package metricline

import (
	"io"
	"strconv"
	"sync"
)

// Point is one measurement.
type Point struct {
	Name   string
	Fields map[string]float64
	At     int64
}

var lines = sync.Pool{New: func() any { b := make([]byte, 0, 128); return &b }}

// Write writes p as one line.
func Write(w io.Writer, p Point) error {
	bp := lines.Get().(*[]byte)
	b := (*bp)[:0]
	b = append(b, p.Name...)
	sep := byte(' ')
	for k, v := range p.Fields {
		b = append(b, sep)
		b = append(b, k...)
		b = append(b, '=')
		b = strconv.AppendFloat(b, v, 'g', -1, 64)
		sep = ','
	}
	b = append(b, ' ')
	b = strconv.AppendInt(b, p.At, 10)
	b = append(b, '\n')
	_, err := w.Write(b)
	lines.Put(bp) // want "PV013"
	return err
}
