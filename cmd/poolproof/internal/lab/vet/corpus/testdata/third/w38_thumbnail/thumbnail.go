// Package thumbnail makes small pictures, with canvases that are used again.
package thumbnail

import (
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"sync"
)

const side = 128

var canvases = sync.Pool{New: func() any { return image.NewRGBA(image.Rect(0, 0, side, side)) }}

func lease() (*image.RGBA, func()) {
	c := canvases.Get().(*image.RGBA)
	return c, func() { canvases.Put(c) }
}

var errSmall = errors.New("thumbnail: the picture is too small")

// Make writes a thumbnail of what it reads.
func Make(w io.Writer, r io.Reader) error {
	src, err := jpeg.Decode(r)
	if err != nil {
		return err
	}
	dst, done := lease()
	defer done()
	b := src.Bounds()
	if b.Dx() < side || b.Dy() < side {
		done() // want PV002
		return errSmall
	}
	for y := range side {
		for x := range side {
			dst.SetRGBA(x, y, average(src, b, x, y))
		}
	}
	return jpeg.Encode(w, dst, &jpeg.Options{Quality: 80})
}

func average(src image.Image, b image.Rectangle, x, y int) color.RGBA {
	var sum [3]uint32
	const n = 2
	for i := range n {
		for j := range n {
			sx := b.Min.X + (x*n+i)*b.Dx()/(side*n)
			sy := b.Min.Y + (y*n+j)*b.Dy()/(side*n)
			r, g, bl, _ := src.At(sx, sy).RGBA()
			sum[0] += r
			sum[1] += g
			sum[2] += bl
		}
	}
	return color.RGBA{uint8(sum[0] / 4 >> 8), uint8(sum[1] / 4 >> 8), uint8(sum[2] / 4 >> 8), 255}
}
