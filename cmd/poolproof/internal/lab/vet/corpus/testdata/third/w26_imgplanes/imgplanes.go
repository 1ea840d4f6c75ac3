// Package imgplanes blurs images by planes of half the size.
package imgplanes

import (
	"image"
	"sync"
)

const side = 1024

type plane struct {
	pix []float32
}

var (
	whole = sync.Pool{New: func() any { return &plane{make([]float32, side*side)} }}
	half  = sync.Pool{New: func() any { return &plane{make([]float32, side*side/4)} }}
)

// Blur returns a blurred copy of a tile of side pixels each way.
func Blur(tile *image.Gray) *image.Gray {
	big := whole.Get().(*plane)
	defer whole.Put(big)
	small := half.Get().(*plane)
	defer whole.Put(small) // want PV021

	for y := range side {
		for x := range side {
			big.pix[y*side+x] = float32(tile.Pix[y*tile.Stride+x])
		}
	}
	shrink(small.pix, big.pix)
	out := image.NewGray(image.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			out.Pix[y*out.Stride+x] = uint8(small.pix[y/2*(side/2)+x/2])
		}
	}
	return out
}

func shrink(dst, src []float32) {
	for y := 0; y < side; y += 2 {
		for x := 0; x < side; x += 2 {
			i := y*side + x
			dst[y/2*(side/2)+x/2] = (src[i] + src[i+1] + src[i+side] + src[i+side+1]) / 4
		}
	}
}
