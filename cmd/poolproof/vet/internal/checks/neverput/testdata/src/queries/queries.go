// Package queries has queries from a pool. Release gives one back.
package queries

import (
	"context"
	"sync"
)

var pool = sync.Pool{New: func() any { return new(Query) }}

type Query struct {
	text string
	args []any
	ctx  context.Context
}

// New returns a query, which the caller releases.
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

// WithParent returns a copy of q, with the text of another one.
func (q *Query) WithParent(parent *Query) *Query {
	other := *q
	other.text += parent.text
	return &other
}

// Clone returns a copy of q.
func (q *Query) Clone() *Query {
	other := *q
	return &other
}

// WithText returns the text of q, and more.
func (q *Query) WithText(more string) string { return q.text + more }

func (q *Query) Exec() error {
	if q.ctx != nil {
		return q.ctx.Err()
	}
	return nil
}

func (q *Query) Release() {
	*q = Query{}
	pool.Put(q)
}

// Wrong: here, the query could be released.
func background() error {
	return New("ping").WithContext(context.Background()).Exec() // want `PV006`
}
