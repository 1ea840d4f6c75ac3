//go:build cmalloc && cgo

package arrowlog_test

import (
	"github.com/poolproof/poolproof/systems/arrowlog/arrowmem"
)

// addC adds the C library's malloc, or the one that LD_PRELOAD names.
func addC(all map[string]arrowmem.Tracked) {
	all["c"] = arrowmem.NewC(arrowmem.Options{})
}
