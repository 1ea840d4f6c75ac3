// Package tokenizer splits texts with a pool of its own for each language.
package tokenizer

import (
	"slices"
	"strings"
	"sync"
)

// Tokenizer splits texts.
type Tokenizer struct {
	stop map[string]bool
	pool *sync.Pool
}

// New returns a tokenizer that leaves out the stop words.
func New(stop ...string) *Tokenizer {
	t := &Tokenizer{stop: map[string]bool{}, pool: &sync.Pool{}}
	t.pool.New = func() any { s := make([]string, 0, 32); return &s }
	for _, s := range stop {
		t.stop[s] = true
	}
	return t
}

// Key returns the sorted words of text, joined.
func (t *Tokenizer) Key(text string) string {
	words := t.pool.Get().(*[]string)
	defer t.pool.Put(words)
	*words = (*words)[:0]
	for w := range strings.FieldsSeq(text) {
		if !t.stop[w] {
			*words = append(*words, w)
		}
	}
	slices.Sort(*words)
	return strings.Join(*words, " ")
}
