//go:build cmalloc && cgo

package arrowmem_test

import "github.com/poolproof/poolproof/systems/arrowlog/arrowmem"

func addC(all map[string]func() (arrowmem.Tracked, func() error)) {
	all["c"] = func() (arrowmem.Tracked, func() error) {
		return arrowmem.NewC(arrowmem.Options{}), func() error { return nil }
	}
}
