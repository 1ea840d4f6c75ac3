package a

import (
	"bytes"
	"io"
	"sync"
)

var values = sync.Pool{New: func() any { return new([]byte) }}

func putValue() {
	b := *values.Get().(*[]byte)
	values.Put(b) // want `PV007 type-mismatch \(error\): \[\]byte is put, but Get is asserted to \*\[\]byte`
}

var addresses = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func putAddress() {
	b := addresses.Get().(*bytes.Buffer)
	addresses.Put(&b) // want `\*\*bytes\.Buffer is put, but Get is asserted to \*bytes\.Buffer`
}

var made = sync.Pool{New: func() any {
	return bytes.Buffer{} // want `New makes bytes\.Buffer, but Get is asserted to \*bytes\.Buffer`
}}

func get() *bytes.Buffer { return made.Get().(*bytes.Buffer) }

type codec struct{ pool sync.Pool }

func newCodec() *codec {
	c := &codec{}
	c.pool.New = c.make
	return c
}

func (c *codec) make() any {
	return new(bytes.Reader) // want `New makes \*bytes\.Reader, but Get is asserted to \*bytes\.Buffer`
}

func (c *codec) get() *bytes.Buffer  { return c.pool.Get().(*bytes.Buffer) }
func (c *codec) put(b *bytes.Buffer) { c.pool.Put(b) }

// The comma-ok form throws each away.
var thrown sync.Pool

func throw() {
	b, ok := thrown.Get().(*bytes.Buffer)
	if !ok {
		b = new(bytes.Buffer)
	}
	thrown.Put(b.Bytes()) // want `\[\]byte is put, but Get is asserted to \*bytes\.Buffer`
}

// One pool for all of the program, and two that ask it for different things.
var shared sync.Pool

func askBuffer(b *bytes.Buffer) *bytes.Buffer {
	shared.Put(b) // want `\*bytes\.Buffer is put, but Get is asserted to \*bytes\.Reader`
	return shared.Get().(*bytes.Buffer)
}

func askReader() *bytes.Reader { return shared.Get().(*bytes.Reader) }

// An interface that is not met.
var writers = sync.Pool{New: func() any {
	return new(bytes.Reader) // want `New makes \*bytes\.Reader, but Get is asserted to io\.Writer`
}}

func writer() io.Writer { return writers.Get().(io.Writer) }

// One get of three is wrong about what New makes, and that is the line to mend.
var rows = sync.Pool{New: func() any { return new([]string) }}

func firstRow() *[]string  { return rows.Get().(*[]string) }
func secondRow() *[]string { return rows.Get().(*[]string) }

func putRow(r *[]string) { rows.Put(r) }

func oddRow() []string {
	return rows.Get().([]string) // want `Get is asserted to \[\]string here, but \*\[\]string is put`
}
