// Package metrics encodes samples for a push gateway.
package metrics

import (
	"compress/gzip"
	"errors"
	"io"
	"sync"
)

type sample struct {
	name   string
	labels []string
	value  float64
}

type encoder struct {
	buf     []byte
	samples []sample
	gz      *gzip.Writer
}

var encoders = sync.Pool{New: func() any { return &encoder{gz: gzip.NewWriter(io.Discard)} }}

var slices = sync.Pool{New: func() any { s := make([]sample, 0, 64); return &s }}

func newEncoder() *encoder {
	e := encoders.Get().(*encoder)
	e.buf, e.samples = e.buf[:0], e.samples[:0]
	return e
}

func (e *encoder) Close() { encoders.Put(e) }

func (e *encoder) Bytes() []byte { return e.buf }

// push encodes, closes the encoder, and sends what was its memory.
func push(send func([]byte) error, ss []sample) error {
	e := newEncoder()
	for _, s := range ss {
		e.buf = append(e.buf, s.name...)
	}
	out := e.Bytes()
	e.Close()
	return send(out) // want "PV001"
}

// gather collects into a pooled slice, which grows, and puts the old header back.
func gather(each func(func(sample))) int {
	p := slices.Get().(*[]sample)
	s := (*p)[:0]
	each(func(x sample) { s = append(s, x) })
	n := len(s)
	slices.Put(p) // want "PV013"
	return n
}

// compressed closes the encoder twice when the writer fails.
func compressed(w io.Writer, e *encoder) (err error) {
	defer e.Close()
	e.gz.Reset(w)
	if _, err = e.gz.Write(e.buf); err != nil {
		e.Close() // want "PV002"
		return err
	}
	return e.gz.Close()
}

var errNone = errors.New("nothing to send")

// report takes an encoder before it knows whether there is anything to encode.
func report(w io.Writer, ss []sample) error {
	e := newEncoder()
	if len(ss) == 0 {
		return errNone // want "PV005"
	}
	defer e.Close()
	return compressedRight(w, e)
}

type exporter struct {
	pool sync.Pool
	enc  *encoder
}

// Reset replaces the pool of an exporter that others use.
func (x *exporter) Reset() {
	x.pool = sync.Pool{New: func() any { return new(encoder) }} // want "PV009|PV019"
}
