// Package imgplanes scales images by planes of two sizes, each with its pool.
package imgplanes

import (
	"image"
	"sync"
)

const side = 1024

type plane struct {
	w, h int
	pix  []float32
}

var (
	whole = sync.Pool{New: func() any { return &plane{pix: make([]float32, side*side)} }}
	small = sync.Pool{New: func() any { return &plane{pix: make([]float32, side*side/4)} }}
)

func newPlane(w, h int) *plane {
	pool := &whole
	if w*h <= side*side/4 {
		pool = &small
	}
	p := pool.Get().(*plane)
	p.w, p.h = w, h
	return p
}

func (p *plane) free() {
	if cap(p.pix) >= side*side {
		whole.Put(p)
	} else {
		small.Put(p)
	}
}

// Halve returns a copy of half the size of a tile, which is at most 1024 pixels each way.
func Halve(tile *image.Gray) *image.Gray {
	w, h := tile.Rect.Dx(), tile.Rect.Dy()
	if w > side || h > side {
		return nil
	}
	big := newPlane(w, h)
	defer big.free()
	for y := range h {
		for x := range w {
			big.pix[y*w+x] = float32(tile.Pix[y*tile.Stride+x])
		}
	}
	half := newPlane(w/2, h/2)
	defer half.free()
	out := image.NewGray(image.Rect(0, 0, half.w, half.h))
	for y := range half.h {
		for x := range half.w {
			i := 2*y*w + 2*x
			half.pix[y*half.w+x] = (big.pix[i] + big.pix[i+1] + big.pix[i+w] + big.pix[i+w+1]) / 4
			out.Pix[y*out.Stride+x] = uint8(half.pix[y*half.w+x])
		}
	}
	return out
}
