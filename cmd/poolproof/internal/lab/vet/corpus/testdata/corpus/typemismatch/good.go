package typemismatch

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"

	"example.org/corpus/lib/gpool"
)

func same(w io.Writer, name string) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(name)
	b.WriteTo(w)
	buffers.Put(b) // fine "PV007" the same type
}

func throughAny(w io.Writer) {
	x := buffers.Get()
	x.(*bytes.Buffer).WriteTo(w)
	buffers.Put(x) // fine "PV007" what was got, whatever it is
}

func throughInterface() {
	var w io.Writer = buffers.Get().(*bytes.Buffer)
	io.WriteString(w, "x")
	buffers.Put(w) // fine "PV007" an interface that holds the same type
}

func asInterface() {
	w := buffers.Get().(io.Writer)
	io.WriteString(w, "x")
	buffers.Put(w) // fine "PV007" an interface both times
}

// A pool of a kind of objects: each type says what it is.
var shapes sync.Pool

type square struct{ side int }

type circle struct{ radius int }

func area() string {
	switch s := shapes.Get().(type) {
	case *square:
		defer shapes.Put(s) // fine "PV007" one of the cases
		return fmt.Sprint(s.side * s.side)
	case *circle:
		defer shapes.Put(s) // fine "PV007" another one
		return fmt.Sprint(3 * s.radius * s.radius)
	default:
		shapes.Put(new(square)) // fine "PV007" one of the cases
		return ""
	}
}

// Two pools, two types, with the same field names in two structs.
type encoder struct{ pool sync.Pool }

type decoder struct{ pool sync.Pool }

func (e *encoder) use() {
	b, ok := e.pool.Get().(*bytes.Buffer)
	if !ok {
		b = new(bytes.Buffer)
	}
	e.pool.Put(b) // fine "PV007" encoder.pool
}

func (d *decoder) use() {
	r, ok := d.pool.Get().(*strings.Reader)
	if !ok {
		r = strings.NewReader("")
	}
	r.Reset("")
	d.pool.Put(r) // fine "PV007" decoder.pool
}

// One pool for each type.
var (
	ints    = gpool.New(func(p *int) { *p = 0 })
	strs    = gpool.New(func(p *string) { *p = "" })
	perSize [4]sync.Pool
)

func typed() {
	i := ints.Get()
	s := strs.Get()
	*i, *s = 1, "x"
	ints.Put(i)
	strs.Put(s) // fine "PV007" its own instance
}

// The elements of an array of pools may hold different types.
func sized(n int) {
	if n == 0 {
		p, _ := perSize[0].Get().(*packet)
		perSize[0].Put(p) // fine "PV007" pool 0
		return
	}
	b, _ := perSize[1].Get().(*bytes.Buffer)
	perSize[1].Put(b) // fine "PV007" pool 1
}

type alias = packet

func aliased() {
	p := packets.Get().(*alias)
	packets.Put((*packet)(p)) // fine "PV007" an alias is the same type
}
