package hotswap

// Table is the heavy value that is replaced. The zero value is empty. It may be
// read by many goroutines while nobody writes it.
type Table struct {
	Version int // of the Data that it was filled with
	entries map[string]string
}

// Find returns the value of key, "" if there is none.
func (t *Table) Find(key string) string { return t.entries[key] }

// Len returns the number of entries.
func (t *Table) Len() int { return len(t.entries) }

// Reset removes all entries and keeps their memory.
func (t *Table) Reset() {
	clear(t.entries)
	t.Version = 0
}

// weight returns the weight of a looked-up value in a sum: 0 if it was missing.
func weight(value string) int {
	if value == "" {
		return 0
	}
	return len(value) + int(value[len(value)-1])
}
