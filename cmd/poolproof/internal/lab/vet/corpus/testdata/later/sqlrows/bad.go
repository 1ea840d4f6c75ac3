// Package sqlrows scans rows.
package sqlrows

import (
	"database/sql"
	"fmt"
	"sync"
)

type scratch struct {
	vals []any
	ptrs []any
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

func get(n int) *scratch {
	s := scratches.Get().(*scratch)
	for len(s.vals) < n {
		s.vals = append(s.vals, nil)
		s.ptrs = append(s.ptrs, nil)
	}
	return s
}

func put(s *scratch) {
	clear(s.vals)
	scratches.Put(s)
}

// Each calls f with the values of each row.
func Each(rows *sql.Rows, f func([]any) error) error {
	cols, err := rows.Columns()
	if err != nil {
		return err
	}
	s := get(len(cols))
	for rows.Next() {
		for i := range cols {
			s.ptrs[i] = &s.vals[i]
		}
		if err := rows.Scan(s.ptrs...); err != nil {
			return fmt.Errorf("scan: %w", err) // want "PV005"
		}
		if err := f(s.vals); err != nil {
			put(s)
			return err
		}
	}
	put(s)
	return rows.Err()
}

// One returns the values of the only row.
func One(rows *sql.Rows, n int) ([]any, error) {
	s := get(n)
	if !rows.Next() {
		put(s)
		return nil, sql.ErrNoRows
	}
	for i := range s.vals {
		s.ptrs[i] = &s.vals[i]
	}
	err := rows.Scan(s.ptrs...)
	vals := s.vals
	put(s)
	if err != nil {
		return nil, err
	}
	return vals[:n], nil // want "PV001|PV003"
}
