package classes

import (
	"errors"
	"io"
)

func bitsUse(r io.Reader, n int) byte {
	b := get(n)
	r.Read(b)
	put(b)
	return b[0] // want "PV001"
}

func bitsReturn(r io.Reader, n int) []byte {
	b := get(n)
	defer put(b)
	m, _ := r.Read(b)
	return b[:m] // want "PV003"
}

func bitsLeak(r io.Reader, n int) (int, error) {
	b := get(n)
	m, err := r.Read(b)
	if err != nil {
		return 0, err // want "PV005"
	}
	put(b)
	return m, nil
}

func bitsNever(r io.Reader, n int) (int, error) {
	b := get(n) // want "PV006"
	return r.Read(b)
}

func bitsGrown(rows [][]byte) (n int) {
	b := get(64)[:0]
	defer put(b) // want "PV013"
	for _, r := range rows {
		b = append(b, r...)
		n += len(b)
	}
	return n
}

func switchTwice(r io.Reader, n int) error {
	b := alloc(n)
	defer free(b)
	if _, err := r.Read(b); err != nil {
		free(b) // want "PV002"
		return err
	}
	return nil
}

func switchUse(r io.Reader, w io.Writer, n int) error {
	b := alloc(n)
	m, err := r.Read(b)
	free(b)
	if err != nil {
		return err
	}
	_, err = w.Write(b[:m]) // want "PV001"
	return err
}

type frame struct {
	payload []byte
	rest    []byte
}

func (f *frame) fill(r io.Reader, n int) {
	b := alloc(n)
	m, _ := r.Read(b)
	f.payload = b[:m] // want "PV004"
	free(b)
}

func searchUse(r io.Reader, n int) int {
	b := find(n)
	m, _ := r.Read(b.B)
	b.Release()
	return m + len(b.B) // want "PV001"
}

func searchReturn(r io.Reader, n int) ([]byte, error) {
	b := find(n)
	defer b.Release()
	if _, err := io.ReadFull(r, b.B); err != nil {
		return nil, err
	}
	return b.B, nil // want "PV003"
}

func searchLeak(r io.Reader, n int) error {
	b := find(n)
	if _, err := io.ReadFull(r, b.B); err != nil {
		return errors.New("short") // want "PV005"
	}
	b.Release()
	return nil
}

func closureReturn(parts []string) []byte {
	b, release := take(100)
	defer release()
	for _, p := range parts {
		b = append(b, p...)
	}
	return b // want "PV003"
}

func closureUse(parts []string, w io.Writer) {
	b, release := take(100)
	for _, p := range parts {
		b = append(b, p...)
	}
	release()
	w.Write(b) // want "PV001"
}

func genericUse(xs []float64) float64 {
	v := floats.Get(len(xs))
	copy(v, xs)
	floats.Put(v)
	return v[0] // want "PV001"
}

func genericTwice(xs []float64) (sum float64) {
	v := floats.Get(len(xs))
	defer floats.Put(v)
	for i, x := range xs {
		v[i] = x * x
	}
	for _, x := range v {
		sum += x
	}
	if sum == 0 {
		floats.Put(v) // want "PV002"
	}
	return sum
}
