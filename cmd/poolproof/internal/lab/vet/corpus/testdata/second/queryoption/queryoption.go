// Package queryoption builds queries from options.
package queryoption

import (
	"strconv"
	"strings"
	"sync"
)

// Query is a query.
type Query struct{ where []string }

// Option changes a query.
type Option func(*Query)

var buffers = sync.Pool{New: func() any { return new(strings.Builder) }}

// In asks that the column is one of the values.
func In(column string, values ...int) Option {
	sb := buffers.Get().(*strings.Builder)
	sb.WriteString(column)
	sb.WriteString(" IN (")
	for i, v := range values {
		if i > 0 {
			sb.WriteByte(',')
		}
		sb.WriteString(strconv.Itoa(v))
	}
	sb.WriteByte(')')
	clause := sb.String()
	sb.Reset()
	buffers.Put(sb)
	return func(q *Query) { q.where = append(q.where, clause) }
}
