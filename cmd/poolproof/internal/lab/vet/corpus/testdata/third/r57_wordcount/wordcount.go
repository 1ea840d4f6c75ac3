// Package wordcount counts words of documents in some workers, each with objects of its own.
package wordcount

import (
	"bufio"
	"io"
	"strings"
	"sync"

	"github.com/poolproof/poolproof/pool"
)

type counts struct {
	words map[string]int
}

var countPool = pool.New(pool.Options[counts]{
	Name:  "counts",
	New:   func() *counts { return &counts{words: make(map[string]int)} },
	Reset: func(c *counts) { clear(c.words) },
	Keep:  func(c *counts) bool { return len(c.words) < 100_000 },
})

// Document is what is counted.
type Document struct {
	Name string
	R    io.Reader
}

// Top returns the most frequent word of each document.
func Top(docs <-chan Document, workers int) (map[string]string, error) {
	var (
		mu    sync.Mutex
		top   = make(map[string]string)
		first error
		wg    sync.WaitGroup
	)
	for range workers {
		wg.Go(func() {
			local := countPool.Local(2)
			defer local.Close()
			for d := range docs {
				c := local.Get()
				word, err := c.count(d.R)
				local.Put(c)
				mu.Lock()
				if err == nil {
					top[d.Name] = word
				} else if first == nil {
					first = err
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return top, first
}

func (c *counts) count(r io.Reader) (top string, err error) {
	s := bufio.NewScanner(r)
	s.Split(bufio.ScanWords)
	for s.Scan() {
		word := strings.ToLower(s.Text())
		c.words[word]++
		if n := c.words[word]; n > c.words[top] || n == c.words[top] && word < top {
			top = word
		}
	}
	return top, s.Err()
}
