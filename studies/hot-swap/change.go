package hotswap

import "maps"

// Load fills an empty Table: with a map of that size from the beginning, if it
// has none. Not inlined, as Data.Fill.
//
//go:noinline
func (t *Table) Load(keys, values []string) {
	if t.entries == nil {
		t.entries = make(map[string]string, len(keys))
	}
	for i, key := range keys {
		t.entries[key] = values[i]
	}
}

// Put sets one entry of a Table that has been filled before.
func (t *Table) Put(key, value string) { t.entries[key] = value }

// CopyFrom makes t equal to another Table, whatever is in t. The strings are
// shared, the map is not.
func (t *Table) CopyFrom(from *Table) {
	if t.entries == nil {
		t.entries = make(map[string]string, len(from.entries))
	}
	clear(t.entries)
	maps.Copy(t.entries, from.entries)
	t.Version = from.Version
}

// Clone returns a new Table that is equal to t.
func (t *Table) Clone() *Table {
	return &Table{Version: t.Version, entries: maps.Clone(t.entries)}
}

// Columns returns the keys and values of version 0.
func (d *Data) Columns() (keys, values []string) {
	return d.keys[:d.entries], d.values[:d.entries]
}

// Weight returns the weight of a looked-up value in the sum that Lookup returns.
func Weight(value string) int { return weight(value) }
