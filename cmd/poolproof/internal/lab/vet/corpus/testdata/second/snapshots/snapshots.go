// Package snapshots takes copies of gauges.
package snapshots

import "sync"

type row struct {
	name   string
	values []float64
}

var rows = sync.Pool{New: func() any { return new(row) }}

// Snapshot is the values of one gauge.
type Snapshot struct {
	Name   string
	Values []float64
}

// Take copies each gauge that read fills.
func Take(names []string, read func(name string, into []float64) []float64) []Snapshot {
	var all []Snapshot
	for _, n := range names {
		r := rows.Get().(*row)
		r.name = n
		r.values = read(n, r.values[:0])
		all = append(all, Snapshot{Name: r.name, Values: r.values}) // want "PV004"
		rows.Put(r)
	}
	return all
}

// Max returns the largest value of a gauge.
func Max(name string, read func(name string, into []float64) []float64) (top float64) {
	r := rows.Get().(*row)
	defer rows.Put(r)
	r.values = read(name, r.values[:0])
	for _, v := range r.values {
		top = max(top, v)
	}
	return top
}
