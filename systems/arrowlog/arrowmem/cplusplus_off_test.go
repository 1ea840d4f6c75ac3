//go:build !(ccalloc && cgo)

package arrowmem_test

import "github.com/poolproof/poolproof/systems/arrowlog/arrowmem"

func addCPlusPlus(map[string]func() (arrowmem.Tracked, func() error)) {}
