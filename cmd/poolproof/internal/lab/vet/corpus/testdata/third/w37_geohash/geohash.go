// Package geohash groups positions of vehicles into cells.
package geohash

import (
	"math"
	"slices"
	"sync"
)

// Position is a place on earth.
type Position struct {
	Lat, Lon float64
}

type cells struct {
	ids []uint64
}

var cellPool = sync.Pool{New: func() any { return &cells{ids: make([]uint64, 0, 256)} }}

func cell(p Position, level uint) uint64 {
	n := float64(uint64(1) << level)
	x := uint64(math.Floor((p.Lon + 180) / 360 * n))
	y := uint64(math.Floor((p.Lat + 90) / 180 * n))
	var id uint64
	for i := range level {
		id |= (x>>i&1)<<(2*i) | (y>>i&1)<<(2*i+1)
	}
	return id
}

// Busiest returns the cell with the most positions, and how many those are.
func Busiest(all []Position, level uint) (id uint64, n int) {
	c := cellPool.Get().(*cells) // want PV006
	c.ids = c.ids[:0]
	for _, p := range all {
		c.ids = append(c.ids, cell(p, level))
	}
	slices.Sort(c.ids)
	for i := 0; i < len(c.ids); {
		j := i + 1
		for j < len(c.ids) && c.ids[j] == c.ids[i] {
			j++
		}
		if j-i > n {
			id, n = c.ids[i], j-i
		}
		i = j
	}
	return id, n
}
