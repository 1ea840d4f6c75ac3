// Package hotroutes has routes that are replaced while they are read.
package hotroutes

import (
	"context"
	"maps"
	"slices"

	"github.com/poolproof/poolproof/hotswap"
)

type table struct {
	routes map[string]string
	order  []string
}

var (
	tables = hotswap.NewPool(hotswap.Options[table]{
		New:   func() *table { return &table{routes: map[string]string{}} },
		Reset: func(t *table) bool { clear(t.routes); t.order = t.order[:0]; return true },
	})
	current = hotswap.New(tables)
)

// Add adds a route.
func Add(ctx context.Context, path, target string) error {
	return current.RCU(ctx, func(next, cur *table) error {
		if cur != nil {
			maps.Copy(next.routes, cur.routes)
			next.order = append(next.order, cur.order...)
		}
		next.routes[path] = target
		next.order = append(next.order, path)
		return nil
	})
}

// Find returns the target of path.
func Find(path string) (string, bool) {
	ref := current.Acquire()
	defer ref.Release()
	if !ref.Ok() {
		return "", false
	}
	t, ok := ref.Value().routes[path]
	return t, ok
}

// Paths returns the paths.
func Paths() []string {
	ref := current.Acquire()
	defer ref.Release()
	if !ref.Ok() {
		return nil
	}
	return slices.Clone(ref.Value().order)
}
