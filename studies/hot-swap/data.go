package hotswap

import "fmt"

// Data is the content of Tables. Its strings are made beforehand, as
// published, so that a fill allocates nothing but the map of a new Table.
type Data struct {
	entries      int
	keys, values []string // one more than entries
}

// NewData returns the data of Tables with that many entries.
func NewData(entries int) *Data {
	d := &Data{entries: entries}
	for i := range entries + 1 {
		d.keys = append(d.keys, fmt.Sprint(i))
		d.values = append(d.values, fmt.Sprint("value-", i))
	}
	return d
}

// Fill returns the function that fills an empty Table with a version of the
// data. An even version lacks the last key and an odd one the first: so all
// have the same size, and one that was not emptied before has an entry too
// many. A map is made with room for all entries, as published.
//
// Not inlined, so that the loop exists once: copies of it at other addresses
// would differ in speed.
//
//go:noinline
func (d *Data) Fill(version int) func(*Table) {
	first := version & 1
	keys, values := d.keys[first:first+d.entries], d.values[first:first+d.entries]
	return func(t *Table) {
		if t.entries == nil {
			t.entries = make(map[string]string, len(keys))
		}
		for i, key := range keys {
			t.entries[key] = values[i]
		}
		t.Version = version
	}
}

// Common returns the keys that every version has.
func (d *Data) Common() []string { return d.keys[1:d.entries] }
