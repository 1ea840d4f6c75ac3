//go:build !(ccalloc && cgo)

package arrowlog_test

import "github.com/poolproof/poolproof/systems/arrowlog/arrowmem"

func addCPlusPlus(map[string]arrowmem.Tracked) {}
