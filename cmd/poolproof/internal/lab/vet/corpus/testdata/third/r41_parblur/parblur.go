// Package parblur blurs pictures, in strips that several goroutines work on.
package parblur

import (
	"image"
	"runtime"
	"sync"
)

type lines struct {
	sum []uint32
}

var linePool = sync.Pool{New: func() any { return new(lines) }}

// Gray returns a copy of src in which each pixel is the mean of its neighbours in the row.
func Gray(src *image.Gray, radius int) *image.Gray {
	w, h := src.Rect.Dx(), src.Rect.Dy()
	out := image.NewGray(image.Rect(0, 0, w, h))
	if w == 0 || h == 0 {
		return out
	}
	n := min(runtime.GOMAXPROCS(0), h)
	all := make([]*lines, n)
	var wg sync.WaitGroup
	for i := range n {
		l := linePool.Get().(*lines)
		if cap(l.sum) < w+1 {
			l.sum = make([]uint32, w+1)
		}
		l.sum = l.sum[:w+1]
		all[i] = l
		wg.Go(func() {
			for y := h * i / n; y < h*(i+1)/n; y++ {
				l.blur(out.Pix[y*out.Stride:][:w], src.Pix[y*src.Stride:][:w], radius)
			}
		})
	}
	wg.Wait()
	for _, l := range all {
		linePool.Put(l)
	}
	return out
}

func (l *lines) blur(dst, src []uint8, radius int) {
	l.sum[0] = 0
	for x, v := range src {
		l.sum[x+1] = l.sum[x] + uint32(v)
	}
	for x := range dst {
		from, to := max(x-radius, 0), min(x+radius+1, len(src))
		dst[x] = uint8((l.sum[to] - l.sum[from]) / uint32(to-from))
	}
}
