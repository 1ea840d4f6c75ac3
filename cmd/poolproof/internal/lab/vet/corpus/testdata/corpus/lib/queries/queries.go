// Package queries has queries from a pool. Release gives one back; who does not call it, allocates.
package queries

import (
	"context"
	"sync"
)

var pool = sync.Pool{New: func() any { return new(Query) }}

// Query is a statement with its arguments.
type Query struct {
	text string
	args []any
	ctx  context.Context
}

// New returns a query, which the caller may release.
func New(text string, args ...any) *Query {
	q := pool.Get().(*Query)
	q.text, q.args = text, args
	return q
}

// WithContext returns a copy of q, with another context.
func (q *Query) WithContext(ctx context.Context) *Query {
	other := *q
	other.ctx = ctx
	return &other
}

// WithLimit sets a limit in q.
func (q *Query) WithLimit(n int) *Query {
	q.args = append(q.args, n)
	return q
}

// Clone returns a copy of q.
func (q *Query) Clone() *Query {
	other := *q
	return &other
}

// Exec runs q.
func (q *Query) Exec() error {
	if q.ctx != nil {
		return q.ctx.Err()
	}
	return nil
}

// Release gives q back.
func (q *Query) Release() {
	*q = Query{}
	pool.Put(q)
}
