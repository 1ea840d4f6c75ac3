package lostgrowth

import (
	"io"
	"strconv"

	"example.org/corpus/lib/bufs"
	"example.org/corpus/lib/classes"
)

func closureReadsLast(w io.Writer, list []int) error {
	b := classes.Get(64)[:0]
	defer func() { classes.Put(b) }() // fine "PV013" reads the variable at the end
	for _, n := range list {
		b = strconv.AppendInt(b, int64(n), 10)
	}
	_, err := w.Write(b)
	return err
}

func storedBack(w io.Writer, list []int) error {
	p := slices.Get().(*[]byte)
	b := (*p)[:0]
	for _, n := range list {
		b = strconv.AppendInt(b, int64(n), 10)
	}
	_, err := w.Write(b)
	*p = b
	slices.Put(p) // fine "PV013" stored back
	return err
}

func storedBackInDefer(w io.Writer, list []int) error {
	p := bufs.GetBytes()
	b := *p
	defer func() {
		*p = b
		bufs.PutBytes(p) // fine "PV013" stored back
	}()
	for _, n := range list {
		b = append(b, strconv.Itoa(n)...)
	}
	_, err := w.Write(b)
	return err
}

func appendedInPlace(w io.Writer, list []int) error {
	p := bufs.GetBytes()
	defer bufs.PutBytes(p) // fine "PV013" *p itself grows
	for _, n := range list {
		*p = strconv.AppendInt(*p, int64(n), 10)
	}
	_, err := w.Write(*p)
	return err
}

func slicedOnly(r io.Reader, n int) ([]byte, error) {
	b := classes.Get(n)
	defer classes.Put(b) // fine "PV013" only cut, never another slice
	got, err := io.ReadFull(r, b)
	b = b[:got]
	return append([]byte(nil), b...), err
}

func directPut(w io.Writer, list []int) error {
	b := classes.Get(64)[:0]
	for _, n := range list {
		b = strconv.AppendInt(b, int64(n), 10)
	}
	_, err := w.Write(b)
	classes.Put(b) // fine "PV013" the grown one is put
	return err
}

func readOnlyCopy(w io.Writer) error {
	p := bufs.GetBytes()
	defer bufs.PutBytes(p) // fine "PV013" b only reads
	*p = append(*p, "text"...)
	b := *p
	for len(b) > 0 {
		n, err := w.Write(b[:min(len(b), 2)])
		if err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}

func otherSliceGrows(names []string) (total []string) {
	p := bufs.GetBytes()
	defer bufs.PutBytes(p) // fine "PV013" another slice grows
	for _, n := range names {
		*p = append((*p)[:0], n...)
		total = append(total, string(*p))
	}
	return total
}
