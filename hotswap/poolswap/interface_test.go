package poolswap_test

import "github.com/poolproof/poolproof/hotswap/poolswap"

// The published interface, down to the type parameters: what follows compiled
// with the other package.

type (
	pool      = poolswap.Pool[payload, *payload]
	container = poolswap.Container[payload, *payload]
)

var (
	_ func(func() *payload, func(*payload) bool) *pool = poolswap.NewPool[payload, *payload]
	_ func(*pool, *payload) *container                 = poolswap.NewContainer[payload, *payload]
	_ func(*pool) *container                           = poolswap.NewEmptyContainer[payload, *payload]

	_ func(*pool) *payload             = (*pool).Get
	_ func(*pool, *payload)            = (*pool).Release
	_ func(*payload) bool              = new(pool).Reset
	_ func(*container) *payload        = (*container).Acquire
	_ func(*container, *payload)       = (*container).Release
	_ func(*container, *payload)       = (*container).Update
	_ func(*container) *payload        = (*container).GetNew
	_ func(*container, func(*payload)) = (*container).WithAcquire

	_ func(*poolswap.Ref) int64          = (*poolswap.Ref).DebugPeekRef
	_ func(*poolswap.RefNoPadding) int64 = (*poolswap.RefNoPadding).DebugPeekRef
)

// unpadded embeds the other Ref.
type unpadded struct {
	poolswap.RefNoPadding
}

// holder is code that is generic itself.
type holder[T any, PT poolswap.PtrRef[T]] struct {
	pool    *poolswap.Pool[T, PT]
	current *poolswap.Container[T, PT]
}

func newHolder[T any, PT poolswap.PtrRef[T]](factory func() PT, reset func(PT) bool) *holder[T, PT] {
	p := poolswap.NewPool(factory, reset)
	p.Reset = reset
	h := &holder[T, PT]{p, poolswap.NewEmptyContainer(p)}
	h.current.Update(h.pool.Get())
	h.current.WithAcquire(func(x PT) { var _ *T = x })
	return h
}

var (
	_                        = newHolder(func() *unpadded { return new(unpadded) }, func(*unpadded) bool { return true })
	_ poolswap.Referenceable = (*unpadded)(nil)
)
