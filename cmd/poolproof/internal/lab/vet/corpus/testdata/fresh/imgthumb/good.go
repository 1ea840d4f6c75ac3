package imgthumb

import (
	"bytes"
	"image"
	"image/draw"
	"image/png"
	"io"
	"sync"
)

func thumbRight(src image.Image, use func(image.Image) error) error {
	c := canvases.Get().(*canvas)
	defer canvases.Put(c)
	draw.Draw(c.img, c.img.Bounds(), src, image.Point{}, draw.Src)
	return use(c.img) // fine "PV003" lent for the call
}

func encodeAllRight(imgs map[string]image.Image) (map[string][]byte, error) {
	out := make(map[string][]byte, len(imgs))
	b := scratch.Get().(*bytes.Buffer)
	defer scratch.Put(b)
	for name, img := range imgs {
		b.Reset()
		if err := png.Encode(b, img); err != nil {
			return nil, err
		}
		out[name] = append([]byte(nil), b.Bytes()...) // fine "PV004" a copy
	}
	return out, nil
}

func tilesRight(imgs []image.Image, w io.Writer) error {
	one := func(img image.Image) error {
		b := scratch.Get().(*bytes.Buffer)
		defer scratch.Put(b) // fine "PV016" the literal returns each round
		b.Reset()
		if err := png.Encode(b, img); err != nil {
			return err
		}
		_, err := b.WriteTo(w)
		return err
	}
	for _, img := range imgs {
		if err := one(img); err != nil {
			return err
		}
	}
	return nil
}

func parallelRight(srcs []image.Image) {
	c := canvases.Get().(*canvas)
	defer canvases.Put(c)
	var wg sync.WaitGroup
	defer wg.Wait()
	for i, src := range srcs {
		wg.Go(func() {
			draw.Draw(c.img, image.Rect(i, 0, i+1, 128), src, image.Point{}, draw.Src) // fine "PV004" waited for before the put
		})
	}
}

// keepSmall drops a buffer that grew large.
func keepSmall(img image.Image, w io.Writer) error {
	b := scratch.Get().(*bytes.Buffer)
	b.Reset()
	err := png.Encode(b, img)
	if err == nil {
		_, err = w.Write(b.Bytes())
	}
	if b.Cap() <= 1<<20 {
		scratch.Put(b) // fine "PV005" too large to keep
	}
	return err
}

// sized takes a canvas that fits or makes one.
func sized(w, h int) *canvas {
	if c, ok := canvases.Get().(*canvas); ok {
		if c.img.Bounds().Dx() == w && c.img.Bounds().Dy() == h {
			return c
		}
		canvases.Put(c)
	}
	return &canvas{img: image.NewRGBA(image.Rect(0, 0, w, h))}
}
