package ledger

// Close says that the pool of b is gone. The objects that it watched are looked
// at a last time, and what is out stays listed.
func (b *Book) Close() {
	written := b.Drain()
	out := len(b.Outstanding())
	process.mu.Lock()
	defer process.mu.Unlock()
	process.written = append(process.written, written...)
	if out == 0 {
		delete(process.books, b)
	}
}

// Verify looks at all objects that any pool watches and returns those that were
// written after they were given back, each once.
func Verify() []Written {
	var found []Written
	for _, b := range listed() {
		found = append(found, b.Verify()...)
	}
	process.mu.Lock()
	defer process.mu.Unlock()
	found = append(found, process.written...)
	process.written = nil
	return found
}

// Outstanding returns the objects that are out of any pool, in the order in
// which they were handed out. It is empty in the normal build.
func Outstanding() []Entry {
	var entries []Entry
	for _, b := range listed() {
		entries = append(entries, b.Outstanding()...)
	}
	sortBySeq(entries)
	return entries
}
