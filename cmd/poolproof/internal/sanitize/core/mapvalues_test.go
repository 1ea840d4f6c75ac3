package core

import (
	"fmt"
	"reflect"
	"runtime"
	"testing"
	"unsafe"
)

// everywhere lets each address begin an object, as those of a map's own memory.
func everywhere(t *testing.T) *heap {
	h := newHeap(t)
	fakeHeap = func(addr uintptr) (start, room uintptr) {
		if start, room = h.object(addr); room != 0 || addr < 1<<20 {
			return start, room
		}
		return addr, 1 << 20
	}
	return h
}

// filled is a map in an object, with parts in its values that New made.
func filled[K comparable, V any](h *heap, n int, key func(i int) K, value func(p *plain) V) (x *struct{ m map[K]V }, parts []uintptr) {
	x = place(h, &struct{ m map[K]V }{map[K]V{}})
	for i := range 4 * n { // some are deleted again
		p := place(h, &plain{})
		x.m[key(i)] = value(p)
		if i%4 != 0 {
			delete(x.m, key(i))
			continue
		}
		parts = append(parts, uintptr(unsafe.Pointer(p)))
	}
	return x, parts
}

func values[K comparable, V any](t *testing.T, key func(i int) K, value func(p *plain) V) {
	for _, n := range []int{0, 1, 2, 7, 8, 9, 20} {
		t.Run(fmt.Sprintf("%v/%d", reflect.TypeFor[map[K]V](), n), func(t *testing.T) {
			h, l := everywhere(t), newLayouts(t)
			x, parts := filled(h, n, key, value)
			header := uintptr(reflect.ValueOf(x.m).Pointer())
			before := born(l, x, append(parts, header)...)
			for key, v := range x.m { // the map's own memory is another one
				delete(x.m, key)
				x.m[key] = v
			}
			want := ranges{header: hostMapSize}
			for _, p := range parts {
				want[p] = unsafe.Sizeof(plain{})
			}
			if got := owned(l, x, before); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("owns %v, want %v", got, want)
			}
			if got := owned(l, x, born(l, x, header)); len(got) != 1 {
				t.Errorf("of values that New did not make it owns %v", got)
			}
			runtime.KeepAlive(x)
		})
	}
}

func TestWhatTheValuesOfAMapReferToIsOwnedIfNewMadeIt(t *testing.T) {
	number := func(i int) int { return i }
	pointer := func(p *plain) *plain { return p }
	values(t, number, pointer)
	values(t, func(i int) string { return fmt.Sprint(i) }, pointer)
	values(t, func(i int) int8 { return int8(i) }, pointer)
	values(t, func(i int) [3]byte { return [3]byte{byte(i)} }, pointer)
	values(t, func(i int) [200]byte { return [200]byte{byte(i)} }, pointer)
	values(t, number, func(p *plain) any { return p })
	values(t, number, func(p *plain) interface{ Len() int } { return p })
	values(t, number, func(p *plain) struct {
		_ bool
		p *plain
	} {
		return struct {
			_ bool
			p *plain
		}{p: p}
	})
	values(t, number, func(p *plain) struct {
		p *plain
		_ [200]byte
	} {
		return struct {
			p *plain
			_ [200]byte
		}{p: p}
	})
}

func TestOfALargeMapSomeValuesAreOwned(t *testing.T) {
	h, l := everywhere(t), newLayouts(t)
	x, parts := filled(h, 5000, func(i int) int { return i }, func(p *plain) *plain { return p })
	header := uintptr(reflect.ValueOf(x.m).Pointer())
	all := ranges{header: hostMapSize}
	before := new(Family)
	before.Len, before.Members[0] = 1, Member{Addr: header, Size: hostMapSize, Born: true}
	for _, p := range parts[:10] {
		before.Members[before.Len] = Member{Addr: p, Size: 32, Holder: 1, Born: true}
		before.Len++
		all[p] = unsafe.Sizeof(plain{})
	}
	for addr, size := range owned(l, x, before) {
		if all[addr] != size {
			t.Errorf("owns %#x, %d bytes", addr, size)
		}
	}
}

// Only a value itself may move in its map, not what hangs on it.
func TestAnArrayOfAValueIsInPlaceAsOthersAre(t *testing.T) {
	type two struct{ a, b []byte }
	h, l := everywhere(t), newLayouts(t)
	array := h.bytes(64)
	v := place(h, &two{a: array})
	x := place(h, &struct{ m map[int]*two }{map[int]*two{1: v}})
	before := born(l, x, reflect.ValueOf(x.m).Pointer(), uintptr(unsafe.Pointer(v)), addressOf(array))
	if got := owned(l, x, before); got[addressOf(array)] != 64 {
		t.Errorf("owns %v", got)
	}
	v.a, v.b = nil, array
	if got := owned(l, x, before); len(got) != 2 {
		t.Errorf("owns %v, with an array that has moved", got)
	}
}

func TestFreePlacesOfAMapAreNotCounted(t *testing.T) {
	h, l := everywhere(t), newLayouts(t)
	x := place(h, &struct{ m map[int]*plain }{make(map[int]*plain, 5000)})
	all := []uintptr{reflect.ValueOf(x.m).Pointer()}
	for i := range 9 {
		x.m[i] = place(h, &plain{})
		all = append(all, uintptr(unsafe.Pointer(x.m[i])))
	}
	if got := owned(l, x, born(l, x, all...)); len(got) != 10 {
		t.Errorf("owns %v", got)
	}
}

// What a value of a map has lost is not taken to be exchanged with another one.
func TestAPartThatLeftTheMapIsNotInPlace(t *testing.T) {
	h, l := everywhere(t), newLayouts(t)
	x, parts := filled(h, 2, func(i int) int { return i }, func(p *plain) *plain { return p })
	header := uintptr(reflect.ValueOf(x.m).Pointer())
	before := born(l, x, append(parts, header)...)
	clear(x.m)
	if got := owned(l, x, before); len(got) != 1 {
		t.Errorf("owns %v", got)
	}
}

func TestSlicesInAMapBelongToItsFieldByTheText(t *testing.T) {
	const pkg = "github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/core."
	for text, want := range map[string]int{"[]": 3, "": 1} {
		h, l := everywhere(t), newLayouts(t, "+"+pkg+"rowsByName.rows", "+"+pkg+"rowsByName.rows"+text)
		x := place(h, &rowsByName{rows: map[string][]byte{"a": h.bytes(64), "b": h.bytes(64), "c": nil}})
		if got := owned(l, x, nil); len(got) != want {
			t.Errorf("%q: owns %d ranges, want %d", text, len(got), want)
		}
	}
}

type rowsByName struct{ rows map[string][]byte }

// A map whose memory cannot be read, as another goroutine writes it, has no values.
func TestATornMapHasNoValues(t *testing.T) {
	h, l := newHeap(t), newLayouts(t)
	p := place(h, &plain{})
	x := place(h, &struct{ m map[int]*plain }{map[int]*plain{1: p}})
	header := uintptr(reflect.ValueOf(x.m).Pointer())
	h.objects[header] = hostMapSize
	if got := owned(l, x, born(l, x, header, uintptr(unsafe.Pointer(p)))); len(got) != 1 {
		t.Errorf("owns %v", got)
	}
	group := hostWord(header + mapDirectory)
	for room, want := range map[uintptr]int{8 + 8*16 - 1: 1, 8 + 8*16: 2} {
		h.objects[group] = room
		if got := owned(l, x, born(l, x, header, uintptr(unsafe.Pointer(p)))); len(got) != want {
			t.Errorf("in an object of %d bytes: owns %v", room, got)
		}
	}
	runtime.KeepAlive(x)
}

type stage interface{ Len() int }

func TestWhatElementsReferToIsOwnedIfNewMadeIt(t *testing.T) {
	h, l := newHeap(t), newLayouts(t)
	p, q, r := place(h, &plain{}), place(h, &plain{}), h.bytes(64)
	x := place(h, &struct {
		stages []stage
		any    []any
		rows   [][]byte
	}{[]stage{p, nil}, []any{q, 3}, [][]byte{nil, r}})
	h.objects[addressOf(x.stages)], h.objects[addressOf(x.any)], h.objects[addressOf(x.rows)] = 32, 32, 48
	all := []uintptr{addressOf(x.stages), addressOf(x.any), addressOf(x.rows), uintptr(unsafe.Pointer(p)), uintptr(unsafe.Pointer(q)), addressOf(r)}
	if got := owned(l, x, born(l, x, all...)); len(got) != len(all) {
		t.Errorf("owns %v", got)
	}
	before := born(l, x, all...)
	x.stages, x.any, x.rows = x.stages[:0], x.any[:0], x.rows[:0]
	if got := owned(l, x, before); len(got) != 4 || got[addressOf(r)] == 0 {
		t.Errorf("after the length it owns %v, want the arrays and the row", got)
	}
	x.stages, x.any = x.stages[:1], x.any[:1]
	if got := owned(l, x, born(l, x, all[:3]...)); len(got) != 3 {
		t.Errorf("of what New did not make it owns %v", got)
	}
	runtime.KeepAlive(x)
}
