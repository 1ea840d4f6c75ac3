// Package influxline writes points.
package influxline

import (
	"io"
	"strconv"
	"sync"
	"time"
)

// Point is one measurement.
type Point struct {
	Name  string
	Value float64
	At    time.Time
}

var lines = sync.Pool{New: func() any { b := make([]byte, 0, 128); return &b }}

// Write writes the points.
func Write(w io.Writer, points []Point) error {
	bp := lines.Get().(*[]byte)
	b := (*bp)[:0]
	defer func() {
		*bp = b
		lines.Put(bp)
	}()
	for _, p := range points {
		b = append(b, p.Name...)
		b = append(b, " value="...)
		b = strconv.AppendFloat(b, p.Value, 'g', -1, 64)
		b = append(b, ' ')
		b = strconv.AppendInt(b, p.At.UnixNano(), 10)
		b = append(b, '\n')
	}
	_, err := w.Write(b)
	return err
}
