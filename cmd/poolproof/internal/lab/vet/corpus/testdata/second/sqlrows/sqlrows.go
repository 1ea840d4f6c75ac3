// Package sqlrows scans rows into one pooled slice.
package sqlrows

import (
	"database/sql"
	"fmt"
	"slices"
	"sync"
)

type scan struct {
	vals []any
	ptrs []any
}

var scans = sync.Pool{New: func() any { return new(scan) }}

// Each calls f with the text of each row's columns.
func Each(rows *sql.Rows, f func(cols []string) error) error {
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	s := scans.Get().(*scan)
	defer func() {
		clear(s.vals)
		scans.Put(s)
	}()
	s.vals = slices.Grow(s.vals[:0], len(names))[:len(names)]
	s.ptrs = s.ptrs[:0]
	for i := range s.vals {
		s.ptrs = append(s.ptrs, &s.vals[i])
	}
	for rows.Next() {
		if err := rows.Scan(s.ptrs...); err != nil {
			return err
		}
		cols := make([]string, len(names))
		for i, v := range s.vals {
			cols[i] = fmt.Sprint(v)
		}
		if err := f(cols); err != nil {
			return err
		}
	}
	return rows.Err()
}
