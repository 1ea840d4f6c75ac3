package useafterput

import (
	"sort"
	"sync"
)

// A slice that is lent to a pooled box, which is put without it.

type byName struct{ names []string }

func (b *byName) Len() int           { return len(b.names) }
func (b *byName) Less(i, j int) bool { return b.names[i] < b.names[j] }
func (b *byName) Swap(i, j int)      { b.names[i], b.names[j] = b.names[j], b.names[i] }

var byNames = sync.Pool{New: func() any { return new(byName) }}

func getNames() *byName  { return byNames.Get().(*byName) }
func putNames(b *byName) { byNames.Put(b) }

func sortNames(names []string) {
	b := getNames()
	own := b.names
	b.names = names
	sort.Sort(b)
	b.names = own
	putNames(b)
}

// holdNames only lends them.
func holdNames(names []string) {
	b := getNames()
	own := b.names
	b.names = names
	b.names = own
	putNames(b)
}

func clearNames(names []string) {
	b := getNames()
	b.names = names
	b.names = nil
	putNames(b)
}

// giveNames puts them with the box.
func giveNames(names []string) {
	b := getNames()
	b.names = names[:0]
	putNames(b)
}

func firstSorted(names []string) string {
	sortNames(names)
	return names[0] // fine "PV001" the box was put without them
}

func firstHeld(names []string) string {
	holdNames(names)
	return names[0] // fine "PV001" the box was put with its own
}

func firstCleared(names []string) string {
	clearNames(names)
	return names[0] // fine "PV001" the box was put empty
}
