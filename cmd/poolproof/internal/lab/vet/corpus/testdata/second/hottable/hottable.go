// Package hottable keeps a table of routes that is replaced while it is read.
package hottable

import (
	"github.com/poolproof/poolproof/hotswap"
)

// Table is the routes.
type Table struct {
	Routes map[string]string
	Order  []string
}

var (
	pool = hotswap.NewPool(hotswap.Options[Table]{
		New:   func() *Table { return &Table{Routes: map[string]string{}} },
		Reset: func(t *Table) bool { clear(t.Routes); t.Order = t.Order[:0]; return true },
	})
	current = hotswap.New(pool)
)

// Add adds a route.
func Add(path, target string) {
	ref := current.Acquire()
	defer ref.Release()
	if ref.Ok() {
		ref.Value().Routes[path] = target // want "PV022"
	}
}

// Paths returns the paths in their order.
func Paths() []string {
	ref := current.Acquire()
	defer ref.Release()
	if !ref.Ok() {
		return nil
	}
	return ref.Value().Order // want "PV003"
}

// Load replaces the table.
func Load(routes map[string]string) error {
	d := pool.Get()
	for k, v := range routes {
		d.Value().Routes[k] = v
		d.Value().Order = append(d.Value().Order, k)
	}
	return current.Update(&d)
}
