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
	if !ref.Ok() {
		return "", false
	}
	list := ref.Value().routes
	ref.Release()

	return longest(list, r.URL.Path, pick) // want PV001
}

func longest(list []route, path string, pick func(n int) int) (string, bool) {
	best := -1
	for i := range list {
		if strings.HasPrefix(path, list[i].prefix) &&
			(best < 0 || len(list[i].prefix) > len(list[best].prefix)) {
			best = i
		}
	}
	if best < 0 {
		return "", false
	}
	b := list[best].backends
	return b[pick(len(b))], true
}
