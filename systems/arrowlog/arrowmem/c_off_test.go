//go:build !(cmalloc && cgo)

package arrowmem_test

import "github.com/poolproof/poolproof/systems/arrowlog/arrowmem"

func addC(map[string]func() (arrowmem.Tracked, func() error)) {}
