// Package imgthumb makes thumbnails.
package imgthumb

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"io"
	"sync"
)

type canvas struct {
	img  *image.RGBA
	opts options
}

type options struct {
	w, h   int
	filter []float64
}

var canvases = sync.Pool{New: func() any { return &canvas{img: image.NewRGBA(image.Rect(0, 0, 128, 128))} }}

var scratch = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// thumb returns the image of a canvas that goes back.
func thumb(src image.Image) image.Image {
	c := canvases.Get().(*canvas)
	defer canvases.Put(c)
	draw.Draw(c.img, c.img.Bounds(), src, image.Point{}, draw.Src)
	return c.img // want "PV003"
}

// encodeAll keeps the bytes of each picture in a map.
func encodeAll(imgs map[string]image.Image) (map[string][]byte, error) {
	out := make(map[string][]byte, len(imgs))
	for name, img := range imgs {
		b := scratch.Get().(*bytes.Buffer)
		b.Reset()
		if err := png.Encode(b, img); err != nil {
			scratch.Put(b)
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out[name] = b.Bytes() // want "PV004"
		scratch.Put(b)
	}
	return out, nil
}

// tiles defers in a loop.
func tiles(imgs []image.Image, w io.Writer) error {
	for _, img := range imgs {
		b := scratch.Get().(*bytes.Buffer)
		defer scratch.Put(b) // want "PV016"
		b.Reset()
		if err := png.Encode(b, img); err != nil {
			return err
		}
		if _, err := b.WriteTo(w); err != nil {
			return err
		}
	}
	return nil
}

// parallel returns early while goroutines still draw.
func parallel(srcs []image.Image) error {
	c := canvases.Get().(*canvas)
	defer canvases.Put(c)
	var wg sync.WaitGroup
	for i, src := range srcs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			draw.Draw(c.img, image.Rect(i, 0, i+1, 128), src, image.Point{}, draw.Src) // want "PV004"
		}()
		if src.Bounds().Empty() {
			return fmt.Errorf("picture %d is empty", i)
		}
	}
	wg.Wait()
	return nil
}
