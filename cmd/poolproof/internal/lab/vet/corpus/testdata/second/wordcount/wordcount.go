// Package wordcount counts words in documents.
package wordcount

import (
	"slices"
	"strings"
	"sync"
)

// Count counts the words of each document, some at a time.
func Count(docs []string) map[string]int {
	pool := sync.Pool{New: func() any { return make(map[string]int) }}
	total := map[string]int{}
	for _, d := range docs {
		m := pool.Get().(map[string]int)
		clear(m)
		for w := range strings.FieldsSeq(d) {
			m[w]++
		}
		for w, n := range m {
			total[w] += n
		}
		pool.Put(m)
	}
	return total
}

// Longest returns the longest word of a document.
func Longest(doc string) string {
	pool := &sync.Pool{New: func() any { return new([]string) }} // want "PV010"
	words := pool.Get().(*[]string)
	defer pool.Put(words)
	*words = append((*words)[:0], strings.Fields(doc)...)
	slices.SortFunc(*words, func(a, b string) int { return len(b) - len(a) })
	if len(*words) == 0 {
		return ""
	}
	return (*words)[0]
}
