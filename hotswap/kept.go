package hotswap

import (
	"reflect"
	"unsafe"
)

// keptBy returns the slices of x that are empty and have capacity, if nothing else in x
// refers to their memory: what a Reset has kept for the next writer. It is for
// kept_on.go.
func keptBy(x reflect.Value) (kept []reflect.Value) {
	var k keeper
	k.walk(x)
	if k.unclear {
		return nil
	}
	for _, v := range k.empty {
		if !k.refersTo(v) {
			kept = append(kept, v)
		}
	}
	return kept
}

// keeper holds the memory that a value refers to.
type keeper struct {
	empty   []reflect.Value // slices with capacity alone
	memory  []extent        // of pointers, strings and all slices, to their capacity
	unclear bool            // entries of a map, or an interface, may lead anywhere
}

// extent is some memory.
type extent struct{ from, to uintptr }

func (k *keeper) add(from, size uintptr) { k.memory = append(k.memory, extent{from, from + size}) }

func (k *keeper) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			k.walk(v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			k.walk(v.Index(i))
		}
	case reflect.Slice:
		k.add(v.Pointer(), sizeOf(v))
		if v.Len() == 0 && sizeOf(v) > 0 {
			k.empty = append(k.empty, v)
		}
	case reflect.String:
		k.add(uintptr(unsafe.Pointer(unsafe.StringData(v.String()))), uintptr(v.Len()))
	case reflect.Pointer:
		k.add(v.Pointer(), v.Type().Elem().Size())
	case reflect.UnsafePointer:
		k.add(v.Pointer(), 1)
	case reflect.Map:
		k.unclear = k.unclear || v.Len() > 0
	case reflect.Interface:
		k.unclear = k.unclear || !v.IsNil()
	}
}

// sizeOf returns how many bytes the slice v has to its capacity.
func sizeOf(v reflect.Value) uintptr { return uintptr(v.Cap()) * v.Type().Elem().Size() }

// refersTo reports whether anything but v leads into the memory of the slice v.
func (k *keeper) refersTo(v reflect.Value) bool {
	is, times := extent{v.Pointer(), v.Pointer() + sizeOf(v)}, 0
	for _, e := range k.memory {
		if e.from < is.to && is.from < e.to {
			times++
		}
	}
	return times > 1
}
