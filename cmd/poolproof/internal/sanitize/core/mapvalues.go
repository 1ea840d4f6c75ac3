package core

import "unsafe"

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

	mapIndirect = 128 // a larger key or value has an object of its own
)

// groups is the shape of the groups of a map.
type groups struct {
	value, slot uintptr // offset of a value in its slot; size of a slot
	indirect    bool    // of a value there is a pointer
}

func groupsOf(typ uintptr) (g groups) {
	inPlace := func(t uintptr) (size, align uintptr, indirect bool) {
		if size = hostSize(t); size > mapIndirect {
			return word, word, true
		}
		return size, hostAlign(t), false
	}
	key, keyAlign, _ := inPlace(hostKey(typ))
	value, valueAlign, indirect := inPlace(hostElem(typ))
	g.indirect = indirect
	g.value = roundUp(key, valueAlign)
	g.slot = roundUp(g.value+value, max(keyAlign, valueAlign))
	return g
}

func roundUp(n, align uintptr) uintptr { return (n + align - 1) &^ (align - 1) }

// values takes what the values of the map at m point to.
func (w *walker) values(m uintptr, s *Slot, holder uint32, depth int) {
	g, left := groupsOf(s.MapType), uintptr(mostRows)
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
			if !w.group(at+k*(word+mapSlots*g.slot), &g, s, holder, depth, &left) {
				break
			}
		}
	}
}

// group takes what the values of a group point to, of left at most. It reports whether there is one.
func (w *walker) group(at uintptr, g *groups, s *Slot, holder uint32, depth int, left *uintptr) bool {
	if !inHeap(at, word+mapSlots*g.slot) {
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
		value := at + word + i*g.slot + g.value
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
