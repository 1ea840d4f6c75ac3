package poolswap_test

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/hotswap/poolswap"
	"github.com/poolproof/poolproof/internal/expect"
)

// copyOf returns a copy of a thing that must not be copied: go vet, which would
// report that of a Container, does not look behind a type parameter.
func copyOf[T any](x *T) *T {
	copied := *x
	return &copied
}

func TestWhatNoConstructorMadePanicsAndSaysSo(t *testing.T) {
	type (
		pool      = poolswap.Pool[payload, *payload]
		container = poolswap.Container[payload, *payload]
	)
	made := newPool()
	copied := copyOf(made)
	twin := copyOf(poolswap.NewContainer(made, get(made, 1)))
	const (
		unmade      = "poolswap: use of a Pool that was not made by NewPool"
		copiedPool  = "poolswap: use of a copied Pool"
		unmadeCell  = "hotswap: use of a Container that was not made by New (of poolswap: NewContainer or NewEmptyContainer)"
		copiedCell  = "hotswap: use of a copied Container"
		nilPointer  = "nil pointer dereference"
		unknownHere = "poolswap: Release of an object that no pool knows"
	)
	for name, test := range map[string]struct {
		use  func()
		want string
	}{
		"Get of a nil Pool":                   {func() { (*pool)(nil).Get() }, unmade},
		"Get of a zero Pool":                  {func() { new(pool).Get() }, unmade},
		"Get of a copied Pool":                {func() { copied.Get() }, copiedPool},
		"NewEmptyContainer of a nil Pool":     {func() { poolswap.NewEmptyContainer[payload](nil) }, unmade},
		"NewContainer of a zero Pool":         {func() { poolswap.NewContainer(new(pool), new(payload)) }, unmade},
		"Release of a zero Pool":              {func() { new(pool).Release(new(payload)) }, unknownHere},
		"Acquire of a zero Container":         {func() { new(container).Acquire() }, unmadeCell},
		"WithAcquire of a zero Container":     {func() { new(container).WithAcquire(func(*payload) {}) }, unmadeCell},
		"Update of a zero Container":          {func() { new(container).Update(new(payload)) }, unmadeCell},
		"Update of a zero Container with nil": {func() { new(container).Update(nil) }, unmadeCell},
		"GetNew of a zero Container":          {func() { new(container).GetNew() }, unmadeCell},
		"Release of a zero Container":         {func() { new(container).Release(new(payload)) }, unknownHere},
		"Acquire of a copied Container":       {func() { twin.Acquire() }, copiedCell},
		"GetNew of a copied Container":        {func() { twin.GetNew() }, copiedCell},
		"Acquire of a nil Container":          {func() { (*container)(nil).Acquire() }, nilPointer},
		"DebugPeekRef of a nil Ref":           {func() { (*poolswap.Ref)(nil).DebugPeekRef() }, nilPointer},
		"DebugPeekRef of a zero Ref":          {func() { new(poolswap.Ref).DebugPeekRef() }, ""},
		"Release of nil":                      {func() { made.Release(nil) }, ""},
		"Get of a Pool without a factory":     {func() { poolswap.NewPool[payload](nil, nil).Get() }, "poolswap: Get of a Pool that was made without a factory"},
		"Get after that, of what Update brought": {func() {
			p := poolswap.NewPool[payload](nil, nil)
			c := poolswap.NewContainer(p, &payload{id: 7})
			c.Update(nil)
			if x := p.Get(); x.id != 7 {
				t.Errorf("without a Reset an object has the id %d, want 7 as it was", x.id)
			}
		}, ""},
	} {
		if got := expect.Panic(test.use); !strings.Contains(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("%s panicked with %q, want %q", name, got, test.want)
		}
	}
}
