//go:build poolproofdebug

package hotswap

import (
	"hash/maphash"
	"reflect"
	"unsafe"
)

// A sum tells whether a value has changed: of its fields and arrays, of the elements of
// its slices and maps, and of theirs. What lies beyond a pointer, an interface, a
// channel or a function may be shared with the rest of the program and is not looked
// at, only whether it is another one. Neither is a struct that looks after itself:
// one with a field of package sync or sync/atomic, or a pointer to one.
//
// Two sums of a value are equal if nothing has changed. Of a large value a part is
// summed up, the same each time.

var sumSeed = maphash.MakeSeed()

const (
	sumParts = 1 << 16 // fields and elements that are looked at one by one, at most
	sumBytes = 1 << 20 // of a slice or array of numbers
)

// sumOf returns the sum of x.
func sumOf[T any](x *T) uint64 {
	s := summer{parts: sumParts}
	s.h.SetSeed(sumSeed)
	s.add(reflect.ValueOf(x).Elem())
	return s.h.Sum64()
}

type summer struct {
	h     maphash.Hash
	parts int // that may still be looked at
}

func (s *summer) word(w uint64) { maphash.WriteComparable(&s.h, w) }

func (s *summer) add(v reflect.Value) {
	if s.parts <= 0 {
		return
	}
	s.parts--
	switch v.Kind() {
	case reflect.Struct:
		if minds(v.Type()) {
			return
		}
		for i := range v.NumField() {
			s.add(v.Field(i))
		}
	case reflect.Array:
		s.list(v)
	case reflect.Slice:
		s.word(uint64(v.Len()))
		s.word(uint64(v.Pointer()))
		s.list(v)
	case reflect.Map:
		s.word(uint64(v.Len()))
		s.word(uint64(v.Pointer()))
		s.entries(v)
	case reflect.String:
		text := v.String()
		s.word(uint64(len(text)))
		s.word(uint64(uintptr(unsafe.Pointer(unsafe.StringData(text)))))
	case reflect.Interface:
		if !v.IsNil() {
			s.h.WriteString(v.Elem().Type().String())
			if v.Elem().Kind() == reflect.Pointer {
				s.word(uint64(v.Elem().Pointer()))
			}
		}
	case reflect.Pointer, reflect.UnsafePointer, reflect.Chan, reflect.Func:
		s.word(uint64(v.Pointer()))
	default:
		s.h.Write(bytesAt(v))
	}
}

// list adds the elements of v.
func (s *summer) list(v reflect.Value) {
	n, elem := v.Len(), v.Type().Elem()
	if n == 0 {
		return
	}
	if size := int(elem.Size()); numeric(elem.Kind()) && v.Index(0).CanAddr() {
		s.h.Write(unsafe.Slice((*byte)(v.Index(0).Addr().UnsafePointer()), min(n*size, sumBytes)))
		return
	}
	for i := range n {
		s.add(v.Index(i))
	}
}

// entries adds the entries of a map, in whatever order they come: each has as many
// parts as any other.
func (s *summer) entries(v reflect.Value) {
	n := v.Len()
	if n == 0 || s.parts/n < 4 {
		return
	}
	each := s.parts / n
	sum := uint64(0)
	for e := v.MapRange(); e.Next(); {
		entry := summer{parts: each}
		entry.h.SetSeed(sumSeed)
		entry.add(e.Key())
		entry.add(e.Value())
		s.parts -= each - max(entry.parts, 0)
		sum += entry.h.Sum64()
	}
	s.word(sum)
}

// numeric reports whether values of kind k are nothing but their bytes.
func numeric(k reflect.Kind) bool {
	return reflect.Bool <= k && k <= reflect.Complex128
}

// bytesAt returns the bytes of a number.
func bytesAt(v reflect.Value) []byte {
	if !v.CanAddr() {
		c := reflect.New(v.Type()).Elem()
		switch {
		case v.CanInt():
			c.SetInt(v.Int())
		case v.CanUint():
			c.SetUint(v.Uint())
		case v.CanFloat():
			c.SetFloat(v.Float())
		case v.CanComplex():
			c.SetComplex(v.Complex())
		default:
			c.SetBool(v.Bool())
		}
		v = c
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(v.UnsafeAddr())), v.Type().Size())
}

// minds reports whether structs of type t look after themselves.
func minds(t reflect.Type) bool {
	for i := range t.NumField() {
		f := t.Field(i).Type
		for f.Kind() == reflect.Pointer || f.Kind() == reflect.Array || f.Kind() == reflect.Slice {
			f = f.Elem()
		}
		if p := f.PkgPath(); p == "sync" || p == "sync/atomic" {
			return true
		}
	}
	return false
}
