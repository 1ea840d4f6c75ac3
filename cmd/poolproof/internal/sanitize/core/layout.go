package core

import "unsafe"

// A Layout says where a type holds memory that its objects may own.
type Layout struct {
	Type    uintptr
	Size    uintptr
	Len     uint32
	Changes bool // holds locks or atomics, which may legally change at any time

	Keeps Keeping // of objects of which it is not known which function has made them

	Slots [LayoutSlots]Slot

	TextLen uint32
	Texts   [LayoutTexts]uint32 // offsets of fields that are strings: they own nothing
}

// A Slot is a field that points to further memory: a slice, a pointer, an interface or a map.
// Fields of nested structs and of small arrays are slots of the
// outermost type.
type Slot struct {
	Offset uint32
	Kind   SlotKind
	Noscan bool // the memory holds no pointers
	Rule   Rule

	Elem     uintptr // size of an element, or of what the pointer points to; of an interface it is not known
	ElemType uintptr // of an element, of a map's value, or of what it points to; 0: nothing in it is followed

	Methods bool // of an interface: it has methods

	MapType uintptr // of a map

	Rows    Rule // of slices in a slice or in a map: Own if they are the object's, too
	Changes bool // what it points to holds locks or atomics
}

// SlotKind says how a slot points to its memory.
type SlotKind uint8

// The kinds of slots.
const (
	SlotSlice SlotKind = iota
	SlotPointer
	SlotInterface
	SlotMap
)

// Rule says why an array that is found in a slot at Put belongs to the object.
// Memory that New allocated for the object and that is still in its slot
// belongs to it in any case but that of Never.
type Rule uint8

// The rules. Each but Whole asks that the array starts a heap object: what
// starts in the middle of one is a window into it.
const (
	Borrowed   Rule = iota // nothing says so: it may be the caller's
	Lent                   // the program stores memory of others there, too: even what the pool's first New makes may be a table that others get later
	Whole                  // the object is a pointer to the slice itself
	Documented             // a type of the standard library that says that it owns its buffer
	Own                    // the program stores nothing there but arrays that it makes for the object
	Never                  // others may have what New made, too
)

// The limits of a Layout. What lies beyond is not owned.
const (
	LayoutSlots = 24
	LayoutTexts = 8
	layoutDepth = 6 // nested structs and arrays
	smallArray  = 8 // elements of an array whose slots are looked at

	layoutCount = 1 << 13
	layoutIndex = 1 << 14

	LayoutReserve = layoutCount * unsafe.Sizeof(Layout{})
	LayoutMemory  = layoutIndex * 4
)

// Kind is the kind of a type, as far as layouts tell them apart.
type Kind uint8

// The kinds of types.
const (
	KindOther Kind = iota
	KindStruct
	KindArray
	KindSlice
	KindPointer
	KindString
	KindMap
	KindInterface
)

// Layouts keeps the layout of each type. Find takes no lock; Add is called
// under the lock of the Layouts.
type Layouts struct {
	index *[layoutIndex]uint32
	base  unsafe.Pointer
	mem   Region
	used  uint32
	list  FieldRules
	Lost  uint64 // types that found no place, each time
}

// Init hands l reserved address space, usable zeroed memory for its index, and
// what the program's text says of fields.
func (l *Layouts) Init(reserve, memory unsafe.Pointer, list FieldRules) {
	l.base, l.index, l.list = reserve, (*[layoutIndex]uint32)(memory), list
	l.mem.Init(reserve, LayoutReserve)
	l.used = 1
}

func (l *Layouts) at(n uint32) *Layout {
	return (*Layout)(unsafe.Add(l.base, uintptr(n)*unsafe.Sizeof(Layout{})))
}

// Find returns the layout of a type; nil if it is not known yet.
func (l *Layouts) Find(typ uintptr) *Layout {
	for i := mix(uint64(typ)) % layoutIndex; ; i = (i + 1) % layoutIndex {
		n := hostLoad(&l.index[i])
		if n == 0 {
			return nil
		}
		if l.at(n).Type == typ {
			return l.at(n)
		}
	}
}

// Add makes the layout of a type. It returns nil when there is no room.
func (l *Layouts) Add(typ uintptr) *Layout {
	if known := l.Find(typ); known != nil {
		return known
	}
	if l.used == layoutCount || !l.mem.Need(uintptr(l.used+1)*unsafe.Sizeof(Layout{})) {
		l.Lost++
		return nil
	}
	made := l.at(l.used)
	*made = Layout{Type: typ, Size: hostSize(typ), Keeps: l.list.keeps(hostPackage(typ), withoutArguments(hostName(typ)), nil)}
	c := compiler{layout: made, list: l.list}
	if hostKind(typ) == KindSlice {
		c.slice(typ, 0, Whole)
	} else {
		c.walk(typ, 0, 0)
	}
	i := mix(uint64(typ)) % layoutIndex
	for ; l.index[i] != 0; i = (i + 1) % layoutIndex {
	}
	hostStore(&l.index[i], l.used)
	l.used++
	return made
}

// Keeps is what code outside keeps of the objects of a type that a function has made.
func (l *Layouts) Keeps(typ uintptr, by *Function) Keeping {
	return l.list.keeps(hostPackage(typ), withoutArguments(hostName(typ)), by)
}

// compiler walks a type and writes its layout.
type compiler struct {
	layout *Layout
	list   FieldRules
	path   [layoutDepth + 1]step
	depth  int
}

// step is one struct on the way from the outermost type to a field.
type step struct {
	pkg, name string // of the struct's type; "" without a name
	field     string // the field taken
	rows      bool   // the rows of a field of slices
}

func (c *compiler) walk(typ, offset uintptr, depth int) {
	if depth == layoutDepth {
		return
	}
	switch hostKind(typ) {
	case KindStruct:
		pkg, name := hostPackage(typ), hostName(typ)
		if changes(pkg) {
			c.layout.Changes = true
			return
		}
		if pkg == "strings" && name == "Builder" {
			return // its String aliases its buffer, legally, for ever
		}
		for i := 0; i < hostFields(typ); i++ {
			field, ftyp, at := hostField(typ, i)
			c.path[c.depth] = step{pkg: pkg, name: withoutArguments(name), field: field}
			c.depth++
			switch hostKind(ftyp) {
			case KindSlice:
				c.slice(ftyp, offset+at, c.rule(documentedOwner(pkg, name, field)))
			default:
				c.walk(ftyp, offset+at, depth+1)
			}
			c.depth--
		}
	case KindArray:
		elem, n := hostElem(typ), hostLen(typ)
		if n > smallArray {
			if holdsChanges(elem, 0) {
				c.layout.Changes = true
			}
			return
		}
		for i := uintptr(0); i < n; i++ {
			if hostKind(elem) == KindSlice {
				c.slice(elem, offset+i*hostSize(elem), c.rule(false))
			} else {
				c.walk(elem, offset+i*hostSize(elem), depth+1)
			}
		}
	case KindPointer:
		s := slotOf(typ, uint32(offset))
		s.Rule = c.rule(false)
		c.add(s)
	case KindMap, KindInterface:
		s := slotOf(typ, uint32(offset))
		s.Rule, s.Rows = c.rule(false), c.rows(s.ElemType)
		c.add(s)
	case KindString:
		if c.layout.TextLen < LayoutTexts {
			c.layout.Texts[c.layout.TextLen] = uint32(offset)
			c.layout.TextLen++
		}
	}
}

func (c *compiler) slice(typ, offset uintptr, rule Rule) {
	s := slotOf(typ, uint32(offset))
	s.Rule, s.Rows = rule, c.rows(s.ElemType)
	c.add(s)
}

// rows is the rule of the slices in the field at the end of the path.
func (c *compiler) rows(elem uintptr) Rule {
	if elem == 0 || hostKind(elem) != KindSlice || c.depth == 0 {
		return Borrowed
	}
	c.path[c.depth-1].rows = true
	rule := c.rule(false)
	c.path[c.depth-1].rows = false
	return rule
}

// slotOf is the slot of a value of a type that points to memory; without Elem if it is of another type.
func slotOf(typ uintptr, offset uint32) Slot {
	s := Slot{Offset: offset}
	switch hostKind(typ) {
	case KindPointer, KindSlice:
		if hostKind(typ) == KindPointer {
			s.Kind = SlotPointer
		}
		s.ElemType = hostElem(typ)
		s.Elem, s.Noscan, s.Changes = hostSize(s.ElemType), !hostPointers(s.ElemType), holdsChanges(s.ElemType, 0)
	case KindMap:
		s.Kind, s.Elem, s.MapType = SlotMap, hostMapSize, typ
		if elem := hostElem(typ); hostPointers(elem) {
			s.ElemType = elem
		}
	case KindInterface:
		s.Kind, s.Elem, s.Methods = SlotInterface, 1, hostMethods(typ)
	}
	return s
}

func (c *compiler) add(s Slot) {
	if c.layout.Len < LayoutSlots && s.Elem != 0 {
		c.layout.Slots[c.layout.Len] = s
		c.layout.Len++
	}
}

// changes reports whether the types of a package may change at any time.
func changes(pkg string) bool {
	return pkg == "sync" || pkg == "sync/atomic" || pkg == "internal/sync" || pkg == "internal/runtime/atomic"
}

// holdsChanges reports whether a type holds a lock or an atomic inline.
func holdsChanges(typ uintptr, depth int) bool {
	if depth > layoutDepth {
		return true // unknown: better no checksum than a false one
	}
	switch hostKind(typ) {
	case KindStruct:
		if changes(hostPackage(typ)) {
			return true
		}
		for i := 0; i < hostFields(typ); i++ {
			if _, f, _ := hostField(typ, i); holdsChanges(f, depth+1) {
				return true
			}
		}
	case KindArray:
		return hostLen(typ) > 0 && holdsChanges(hostElem(typ), depth+1)
	}
	return false
}

// documentedOwner reports whether a type's documentation says that the array
// in a field of it is its own.
func documentedOwner(pkg, name, field string) bool {
	switch pkg {
	case "bytes":
		return name == "Buffer" && field == "buf"
	case "bufio":
		return (name == "Reader" || name == "Writer") && field == "buf"
	case "math/big":
		return name == "Int" && field == "abs" || name == "Float" && field == "mant"
	}
	return false
}

// rule is that of the field at the end of the path.
func (c *compiler) rule(documented bool) Rule {
	switch c.list.of(c.path[:c.depth]) {
	case '!':
		return Never
	case '?':
		return Lent
	case '-':
		return Borrowed
	case '+':
		return Own
	}
	if documented {
		return Documented
	}
	return Borrowed
}

// withoutArguments cuts the type arguments off a type's name.
func withoutArguments(name string) string {
	for i := 0; i < len(name); i++ {
		if name[i] == '[' {
			return name[:i]
		}
	}
	return name
}
