package core

import (
	"reflect"
	"sync/atomic"
	"unsafe"
)

// What core needs from its surroundings. In the program under test the
// runtime's files declare the same names; these are for the tests.

const hostBigEndian = false

// hostCommit makes reserved memory readable and writable; it is zeroed.
func hostCommit(unsafe.Pointer, uintptr) {}

func hostLoad(p *uint32) uint32     { return atomic.LoadUint32(p) }
func hostStore(p *uint32, v uint32) { atomic.StoreUint32(p, v) }

func hostLoad64(p *uint64) uint64 { return atomic.LoadUint64(p) }

// hostSwap64 stores now if it finds old, and reports whether it did.
func hostSwap64(p *uint64, old, now uint64) bool { return atomic.CompareAndSwapUint64(p, old, now) }

// hostWord reads a word of the program's memory.
func hostWord(addr uintptr) uintptr { return *(*uintptr)(address(addr)) }

// hostByte reads a byte of it.
func hostByte(addr uintptr) byte { return *(*byte)(address(addr)) }

// address makes a pointer of an address, for tests that keep the memory alive.
//
//go:nocheckptr
func address(addr uintptr) unsafe.Pointer { return unsafe.Add(unsafe.Pointer(nil), addr) }

// hostObject returns where the data of the heap object at addr starts, and how
// much room it has; 0, 0 if there is none.
func hostObject(addr uintptr) (start, room uintptr) { return fakeHeap(addr) }

// fakeHeap is the heap of the tests.
var fakeHeap = func(uintptr) (start, room uintptr) { return 0, 0 }

// hostLarge returns the large heap object that addr points into, and its size;
// 0, 0 if it points into none.
func hostLarge(addr uintptr) (start, size uintptr) {
	if start, room := fakeHeap(addr); room >= LargeObject {
		return start, room
	}
	return 0, 0
}

// hostLayout finds or makes the layout of a type.
func hostLayout(l *Layouts, typ uintptr) *Layout { return l.Add(typ) }

// hostKeeps returns what code outside keeps of the objects of a layout that come from a site.
func hostKeeps(site uint32, l *Layout) Keeping { return min(l.Keeps, fakeKeeps[site]) }

// fakeKeeps is what is known of the makers of the tests, by site.
var fakeKeeps = [...]Keeping{Objects, Nothing}

// hostLock takes the lock of the shard of an address, hostUnlock gives it back.
func hostLock(uintptr)   {}
func hostUnlock(uintptr) {}

// typeAt returns the type whose descriptor is at an address.
func typeAt(typ uintptr) reflect.Type {
	var x any
	(*[2]uintptr)(unsafe.Pointer(&x))[0] = typ
	return reflect.TypeOf(x)
}

func descriptor(t reflect.Type) uintptr {
	x := any(t)
	return (*[2]uintptr)(unsafe.Pointer(&x))[1]
}

func hostSize(typ uintptr) uintptr { return typeAt(typ).Size() }

func hostKind(typ uintptr) Kind {
	switch typeAt(typ).Kind() {
	case reflect.Struct:
		return KindStruct
	case reflect.Array:
		return KindArray
	case reflect.Slice:
		return KindSlice
	case reflect.Pointer:
		return KindPointer
	case reflect.String:
		return KindString
	case reflect.Map:
		return KindMap
	case reflect.Interface:
		return KindInterface
	}
	return KindOther
}

// hostMethods reports whether an interface type has methods.
func hostMethods(typ uintptr) bool { return typeAt(typ).NumMethod() > 0 }

// hostDynamic returns the type of what the pointer in the interface at an address points to; 0 if
// there is none.
func hostDynamic(addr uintptr, methods bool) uintptr {
	typ := hostWord(addr)
	if typ != 0 && methods {
		typ = hostWord(typ + unsafe.Sizeof(uintptr(0))) // of the table of methods
	}
	if typ == 0 || hostKind(typ) != KindPointer {
		return 0
	}
	return hostElem(typ)
}

// hostMapSize is the size of what a map points to.
const hostMapSize = 48

func hostElem(typ uintptr) uintptr { return descriptor(typeAt(typ).Elem()) }
func hostLen(typ uintptr) uintptr  { return uintptr(typeAt(typ).Len()) }
func hostFields(typ uintptr) int   { return typeAt(typ).NumField() }

func hostField(typ uintptr, i int) (name string, ftyp, offset uintptr) {
	f := typeAt(typ).Field(i)
	return f.Name, descriptor(f.Type), f.Offset
}

func hostPackage(typ uintptr) string { return typeAt(typ).PkgPath() }
func hostName(typ uintptr) string    { return typeAt(typ).Name() }

// hostPointers reports whether values of a type hold pointers.
func hostPointers(typ uintptr) bool {
	t := typeAt(typ)
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if hostPointers(descriptor(t.Field(i).Type)) {
				return true
			}
		}
		return false
	case reflect.Array:
		return t.Len() > 0 && hostPointers(descriptor(t.Elem()))
	case reflect.Pointer, reflect.Slice, reflect.String, reflect.Map, reflect.Chan, reflect.Func, reflect.Interface, reflect.UnsafePointer:
		return true
	}
	return false
}
