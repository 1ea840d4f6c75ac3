// Package pingpong filters an image in several passes between two planes.
package pingpong

import (
	"slices"
	"sync"
)

type plane struct{ pix []uint8 }

var planes = sync.Pool{New: func() any { return new(plane) }}

func get(n int) *plane {
	p := planes.Get().(*plane)
	p.pix = slices.Grow(p.pix[:0], n)[:n]
	return p
}

// Blur averages neighbours, passes times, in place.
func Blur(img []uint8, passes int) {
	a, b := get(len(img)), get(len(img))
	copy(a.pix, img)
	for range passes {
		for i := range a.pix {
			l, r := max(i-1, 0), min(i+1, len(a.pix)-1)
			b.pix[i] = uint8((int(a.pix[l]) + int(a.pix[i]) + int(a.pix[r])) / 3)
		}
		a, b = b, a
	}
	copy(img, a.pix)
	planes.Put(a)
	planes.Put(b)
}
