// Package shardquery asks all shards of a store at once and merges what comes in time.
package shardquery

import (
	"cmp"
	"context"
	"slices"
	"sync"
)

// Hit is one result.
type Hit struct {
	ID    uint64
	Score float64
}

type answer struct {
	hits []Hit
	err  error
}

var answers = sync.Pool{New: func() any { return new(answer) }}

func putAnswer(a *answer) {
	a.hits, a.err = a.hits[:0], nil
	answers.Put(a)
}

// A Shard appends its hits.
type Shard func(ctx context.Context, query string, dst []Hit) ([]Hit, error)

// Search returns the best n hits, and false if some shards were late or failed.
func Search(ctx context.Context, query string, n int, shards []Shard) (hits []Hit, all bool) {
	ch := make(chan *answer, len(shards))
	for _, shard := range shards {
		go func() {
			a := answers.Get().(*answer)
			a.hits, a.err = shard(ctx, query, a.hits[:0])
			ch <- a
		}()
	}
	all = true
	for left := len(shards); left > 0; left-- {
		select {
		case a := <-ch:
			if a.err != nil {
				all = false
			}
			hits = append(hits, a.hits...)
			putAnswer(a)
		case <-ctx.Done():
			go discard(ch, left)
			return best(hits, n), false
		}
	}
	return best(hits, n), all
}

// discard takes the answers that are late.
func discard(ch <-chan *answer, n int) {
	for range n {
		putAnswer(<-ch)
	}
}

func best(hits []Hit, n int) []Hit {
	slices.SortFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	return hits[:min(n, len(hits))]
}
