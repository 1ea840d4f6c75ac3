// Package routes finds the backends of a request in a table that is replaced while it is read.
package routes

import (
	"errors"
	"net/http"
	"strings"

	"github.com/poolproof/poolproof/hotswap"
)

type route struct {
	prefix   string
	backends []string
}

type table struct {
	routes []route
}

func (t *table) find(path string) *route {
	var best *route
	for i := range t.routes {
		r := &t.routes[i]
		if strings.HasPrefix(path, r.prefix) && (best == nil || len(r.prefix) > len(best.prefix)) {
			best = r
		}
	}
	return best
}

var tables = hotswap.NewPool(hotswap.Options[table]{
	New: func() *table { return new(table) },
	Reset: func(t *table) bool {
		clear(t.routes)
		t.routes = t.routes[:0]
		return true
	},
})

var current = hotswap.New(tables)

// Load publishes a new table.
func Load(routes map[string][]string) error {
	draft := tables.Get()
	defer draft.Discard()
	t := draft.Value()
	for prefix, backends := range routes {
		if len(backends) == 0 {
			return errors.New("no backend for " + prefix)
		}
		t.routes = append(t.routes, route{prefix, backends})
	}
	return current.Update(&draft)
}

// Backend returns the backend for r, by its longest prefix.
func Backend(r *http.Request, pick func(n int) int) (string, bool) {
	ref := current.Acquire()
	defer ref.Release()
	if !ref.Ok() {
		return "", false
	}
	found := ref.Value().find(r.URL.Path)
	if found == nil {
		return "", false
	}
	return found.backends[pick(len(found.backends))], true
}
