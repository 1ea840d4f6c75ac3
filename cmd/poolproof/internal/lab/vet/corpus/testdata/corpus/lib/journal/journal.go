// Package journal keeps things.
package journal

import (
	"bytes"
	"sync"
)

// Journal keeps buffers, or notes about them.
type Journal struct {
	mu      sync.Mutex
	entries []*bytes.Buffer
	notes   [][]byte
	total   int
}

// Keep keeps b itself: it belongs to the journal from now on.
func (j *Journal) Keep(b *bytes.Buffer) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.entries = append(j.entries, b)
}

// Note keeps a copy of what is in b.
func (j *Journal) Note(b []byte) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.notes = append(j.notes, bytes.Clone(b))
}

// Count keeps a number only.
func (j *Journal) Count(b *bytes.Buffer) { j.total += b.Len() }

var last []byte

// Remember keeps b itself.
func Remember(b []byte) { last = b }

// Last returns what Remember kept.
func Last() []byte { return last }
