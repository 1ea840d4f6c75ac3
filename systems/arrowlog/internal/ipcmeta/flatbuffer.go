package ipcmeta

import (
	"encoding/binary"
	"fmt"
)

// table describes a flatbuffer table: its fields by slot.
type table []field

// field is one slot of a table. A slot that a newer format adds is not described
// and is not read.
type field struct {
	name string
	kind kind
	size int          // bytes of a scalar, or of an element of a vector
	of   func() table // of a table, or of the elements of a vector of tables
	// union returns the table for the type that the slot before names.
	union func(tag byte) (table, bool)
}

type kind uint8

const (
	scalar kind = iota
	text
	vector  // of scalars or structures
	tables  // a vector of tables
	child   // a table
	oneOf   // a union: a table that the slot before names
	missing // a slot that is deprecated
)

// maxDepth bounds how deep tables lie in each other, and maxTables how many a
// message may have: an offset can lead to the same table many times.
const (
	maxDepth  = 64
	maxTables = 1 << 20
)

// verifier holds a flatbuffer against the format
// (https://flatbuffers.dev/internals): every offset, length and element must lie
// within the buffer.
type verifier struct {
	b      []byte
	tables int
}

// root returns the position of the root table after the whole buffer was checked.
func (v *verifier) root(t table, name string) (int, error) {
	at, err := v.follow(0, name)
	if err != nil {
		return 0, err
	}
	return at, v.table(at, t, name, 0)
}

// need fails unless n bytes begin at a position within the buffer.
func (v *verifier) need(at, n int, name string) error {
	if at < 0 || n < 0 || at > len(v.b)-n {
		return fmt.Errorf("%s: %d bytes at %d lie outside of the metadata of %d bytes", name, n, at, len(v.b))
	}
	return nil
}

// follow returns where the offset at a position leads.
func (v *verifier) follow(at int, name string) (int, error) {
	if err := v.need(at, 4, name); err != nil {
		return 0, err
	}
	to := int64(at) + int64(binary.LittleEndian.Uint32(v.b[at:]))
	if to > int64(len(v.b)-4) {
		return 0, fmt.Errorf("%s: the offset at %d leads to %d, outside of the metadata of %d bytes", name, at, to, len(v.b))
	}
	return int(to), nil
}

// slot returns the position of a field of a table, or 0 if it is not set.
func (v *verifier) slot(at, slot int) int {
	vtable := at - int(int32(binary.LittleEndian.Uint32(v.b[at:])))
	entry := 4 + 2*slot
	if entry+2 > int(binary.LittleEndian.Uint16(v.b[vtable:])) {
		return 0
	}
	offset := int(binary.LittleEndian.Uint16(v.b[vtable+entry:]))
	if offset == 0 {
		return 0
	}
	return at + offset
}

func (v *verifier) table(at int, t table, name string, depth int) error {
	if v.tables++; depth > maxDepth || v.tables > maxTables {
		return fmt.Errorf("%s: more than %d tables, or %d in each other", name, maxTables, maxDepth)
	}
	if err := v.need(at, 4, name); err != nil {
		return err
	}
	vtable := at - int(int32(binary.LittleEndian.Uint32(v.b[at:])))
	if err := v.need(vtable, 4, name); err != nil {
		return err
	}
	size := int(binary.LittleEndian.Uint16(v.b[vtable:]))
	if err := v.need(vtable, size, name); err != nil {
		return err
	}
	if size < 4 || size%2 != 0 {
		return fmt.Errorf("%s: its list of fields at %d has %d bytes, want an even number from 4", name, vtable, size)
	}
	if err := v.need(at, int(binary.LittleEndian.Uint16(v.b[vtable+2:])), name); err != nil {
		return err
	}
	for i, f := range t {
		p := v.slot(at, i)
		if p == 0 {
			continue
		}
		tag := byte(0)
		if f.kind == oneOf {
			if q := v.slot(at, i-1); q != 0 {
				tag = v.b[q] // checked as the scalar before
			}
		}
		if err := v.field(p, f, tag, name+"."+f.name, depth); err != nil {
			return err
		}
	}
	return nil
}

func (v *verifier) field(p int, f field, tag byte, name string, depth int) error {
	if f.kind == scalar {
		return v.need(p, f.size, name)
	}
	if f.kind == missing {
		return nil
	}
	to, err := v.follow(p, name)
	if err != nil {
		return err
	}
	switch f.kind {
	case child:
		return v.table(to, f.of(), name, depth+1)
	case oneOf:
		t, ok := f.union(tag)
		if !ok {
			return fmt.Errorf("%s: the type %d is not known", name, tag)
		}
		return v.table(to, t, name, depth+1)
	}
	n, size := int(binary.LittleEndian.Uint32(v.b[to:])), f.size
	switch f.kind {
	case text:
		size = 1
	case tables:
		size = 4
	}
	if int64(n)*int64(size) > int64(len(v.b)-to-4) {
		return fmt.Errorf("%s: %d elements of %d bytes at %d lie outside of the metadata of %d bytes", name, n, size, to, len(v.b))
	}
	if f.kind == tables {
		for i := range n {
			element, err := v.follow(to+4+4*i, name)
			if err == nil {
				err = v.table(element, f.of(), fmt.Sprintf("%s[%d]", name, i), depth+1)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// int64At, int32At and elements read what root has checked.
func (v *verifier) int64At(at, slot int) int64 {
	if p := v.slot(at, slot); p != 0 {
		return int64(binary.LittleEndian.Uint64(v.b[p:]))
	}
	return 0
}

// elements returns the bytes of a vector of n-byte elements.
func (v *verifier) elements(at, slot, n int) []byte {
	p := v.slot(at, slot)
	if p == 0 {
		return nil
	}
	to, _ := v.follow(p, "")
	return v.b[to+4:][:n*int(binary.LittleEndian.Uint32(v.b[to:]))]
}

// tableAt returns the position of the table in a slot, or -1.
func (v *verifier) tableAt(at, slot int) int {
	p := v.slot(at, slot)
	if p == 0 {
		return -1
	}
	to, _ := v.follow(p, "")
	return to
}
