package metrics

import "io"

func pushRight(send func([]byte) error, ss []sample) error {
	e := newEncoder()
	defer e.Close()
	for _, s := range ss {
		e.buf = append(e.buf, s.name...)
	}
	return send(e.Bytes()) // fine "PV001" closed afterwards
}

func gatherRight(each func(func(sample))) int {
	p := slices.Get().(*[]sample)
	s := (*p)[:0]
	each(func(x sample) { s = append(s, x) })
	n := len(s)
	clear(s)
	*p = s[:0] // fine "PV013" stored back
	slices.Put(p)
	return n
}

func compressedRight(w io.Writer, e *encoder) error {
	e.gz.Reset(w)
	if _, err := e.gz.Write(e.buf); err != nil {
		return err
	}
	return e.gz.Close()
}

func reportRight(w io.Writer, ss []sample) error {
	if len(ss) == 0 {
		return errNone
	}
	e := newEncoder()
	defer e.Close()
	return compressedRight(w, e)
}

// start keeps one encoder until stop.
func (x *exporter) start() {
	if x.enc == nil {
		x.enc = newEncoder() // fine "PV006" stop closes it
	}
}

func (x *exporter) stop() {
	if e := x.enc; e != nil {
		x.enc = nil // fine "PV015" cleared before
		e.Close()
	}
}

// sum borrows a slice for a callback.
func sum(load func(dst []sample) []sample) (total float64) {
	p := slices.Get().(*[]sample)
	defer func() {
		clear(*p)
		*p = (*p)[:0]
		slices.Put(p)
	}()
	*p = load((*p)[:0])
	for _, s := range *p {
		total += s.value
	}
	return total
}
