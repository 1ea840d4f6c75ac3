//go:build !(cmalloc && cgo)

package arrowlog_test

import "github.com/poolproof/poolproof/systems/arrowlog/arrowmem"

func addC(map[string]arrowmem.Tracked) {}
