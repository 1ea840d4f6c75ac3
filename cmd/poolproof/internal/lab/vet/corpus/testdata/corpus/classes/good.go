package classes

import (
	"bytes"
	"errors"
	"io"
)

func bitsOnce(r io.Reader, n int) byte {
	b := get(n)
	r.Read(b)
	first := b[0]
	put(b) // fine "PV001" read before
	return first
}

func bitsMoved(r io.Reader, n int) []byte {
	b := get(n)
	m, err := r.Read(b)
	if err != nil {
		put(b)
		return nil
	}
	return b[:m] // fine "PV003|PV005" the caller owns it
}

// A larger one takes the place of the smaller.
func bitsLarger(r io.Reader, n int) int {
	b := get(n)
	m, _ := r.Read(b)
	if m == n {
		c := get(2 * n)
		copy(c, b)
		put(b)
		b = c // fine "PV001|PV002" the larger one from here
	}
	m += len(b)
	put(b)
	return m
}

func bitsCap(n int) int {
	b := get(n)
	put(b)
	return cap(b) + len(b) // fine "PV001" the header is local
}

func bitsGrownLate(rows [][]byte) (n int) {
	b := get(64)[:0]
	defer func() { put(b) }() // fine "PV013" what b is by then
	for _, r := range rows {
		b = append(b, r...)
		n += len(b)
	}
	return n
}

func switchOnce(r io.Reader, n int) error {
	b := alloc(n)
	if _, err := r.Read(b); err != nil {
		free(b)
		return err
	}
	free(b) // fine "PV002" on another path
	return nil
}

func (f *frame) fillOwned(r io.Reader, n int) {
	b := alloc(n)
	m, _ := r.Read(b)
	f.payload = b[:m] // fine "PV004|PV006" the frame owns it
}

func (f *frame) release() {
	free(f.payload)
	f.payload = nil // fine "PV015" forgotten
}

func (f *frame) fillCopy(r io.Reader, n int) {
	b := alloc(n)
	m, _ := r.Read(b)
	f.rest = append(f.rest[:0], b[:m]...) // fine "PV004" copied
	free(b)
}

func searchCount(r io.Reader, n int) int {
	b := find(n)
	m, _ := r.Read(b.B)
	m += len(b.B)
	b.Release() // fine "PV001" read before
	return m
}

func searchClone(r io.Reader, n int) ([]byte, error) {
	b := find(n)
	defer b.Release()
	if _, err := io.ReadFull(r, b.B); err != nil {
		return nil, err
	}
	return bytes.Clone(b.B), nil // fine "PV003" a clone
}

func searchAll(r io.Reader, n int) error {
	b := find(n)
	if _, err := io.ReadFull(r, b.B); err != nil {
		b.Release()
		return errors.New("short") // fine "PV005" released
	}
	b.Release()
	return nil
}

func closureText(parts []string) string {
	b, release := take(100)
	defer release()
	for _, p := range parts {
		b = append(b, p...)
	}
	return string(b) // fine "PV003" a copy
}

// Both go to the caller.
func closureBoth(parts []string) ([]byte, func()) {
	b, release := take(100)
	for _, p := range parts {
		b = append(b, p...)
	}
	return b, release // fine "PV003|PV005" the caller releases
}

func genericSum(xs []float64) (sum float64) {
	v := floats.Get(len(xs))
	defer floats.Put(v)
	copy(v, xs)
	for _, x := range v {
		sum += x // fine "PV001" put at the end
	}
	return sum
}
