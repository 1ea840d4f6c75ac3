package core

import "unsafe"

// mostRows is how many elements of an array, or values of a map, are looked at.
const mostRows = 64

// A map's values are found where package internal/runtime/maps keeps them. It is read while other
// goroutines run, so that each address is one of the heap before it is read.
const (
	word = unsafe.Sizeof(uintptr(0))

	mapDirectory = 2 * word // in a map: of a small one its only group, of another one its tables
	mapTables    = 3 * word // in a map: how many; 0 of a small one
	tableGroups  = 2 * word // in a table
	tableMask    = 3 * word // in a table: how many groups, less 1

	mapSlots = 8   // of a group, after a word with a byte for each of them
	mapEmpty = 128 // the bit of that byte that a free slot has

	mapGroup = 8 * word // in the type of a map: the type of its groups
)

// groups is where the values are in the groups of a map.
type groups struct {
	size          uintptr // of a group
	value, stride uintptr // of the first value, and from one to the next
	indirect      bool    // of a value there is a pointer
}

// groupsOf reads it from the type of the groups, which is that of
//
//	struct { ctrl uint64; slots [8]struct { key K; elem V } }
//	struct { ctrl uint64; keys [8]K; elems [8]V }
//
// in one version of Go or another. Of another type it returns no size.
func groupsOf(typ uintptr) (g groups) {
	group := hostWord(typ + mapGroup)
	fields := hostFields(group)
	if name, _, _ := hostField(group, 0); name != "ctrl" || fields < 2 {
		return g
	}
	_, array, offset := hostField(group, fields-1)
	elem := hostElem(array)
	g.value, g.stride = offset, hostSize(elem)
	if fields == 2 {
		_, value, at := hostField(elem, 1)
		elem, g.value = value, offset+at
	}
	g.size, g.indirect = hostSize(group), elem != hostElem(typ)
	return g
}

// values takes what the values of the map at m point to.
func (w *walker) values(m uintptr, s *Slot, holder uint32, depth int) {
	g, left := groupsOf(s.MapType), uintptr(mostRows)
	if g.size == 0 {
		return
	}
	tables, n := hostWord(m+mapDirectory), hostWord(m+mapTables)
	if n == 0 {
		w.group(tables, &g, s, holder, depth, &left)
	}
	before := uintptr(0)
	for i := uintptr(0); i < n && left > 0 && inHeap(tables+i*word, word); i++ {
		table := hostWord(tables + i*word)
		if table == before || !inHeap(table, tableMask+word) { // several entries in a row may be of one
			continue
		}
		before = table
		at, more := hostWord(table+tableGroups), hostWord(table+tableMask)
		for k := uintptr(0); k <= more && left > 0; k++ {
			if !w.group(at+k*g.size, &g, s, holder, depth, &left) {
				break
			}
		}
	}
}

// group takes what the values of a group point to, of left at most. It reports whether there is one.
func (w *walker) group(at uintptr, g *groups, s *Slot, holder uint32, depth int, left *uintptr) bool {
	if !inHeap(at, g.size) {
		return false
	}
	for i := uintptr(0); i < mapSlots && *left > 0; i++ {
		control := i
		if hostBigEndian {
			control = mapSlots - 1 - i
		}
		if hostByte(at+control)&mapEmpty != 0 {
			continue
		}
		*left--
		value := at + g.value + i*g.stride
		if g.indirect {
			value = hostWord(value)
		}
		if inHeap(value, hostSize(s.ElemType)) {
			w.element(value, 0, s, holder, depth)
		}
	}
	return true
}

func inHeap(addr, size uintptr) bool {
	start, room := hostObject(addr)
	return room != 0 && addr-start+size <= room
}
