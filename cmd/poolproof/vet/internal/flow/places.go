package flow

import "golang.org/x/tools/go/ssa"

// Places knows the places of the functions of one package. What it finds it keeps, and
// so it is used by one goroutine.
type Places struct {
	makers   map[*ssa.Function]*ssa.MakeClosure
	stores   map[*ssa.Alloc]*stores
	families map[*ssa.Function]*family
}

// NewPlaces returns the places of a package.
func NewPlaces() *Places {
	return &Places{
		makers:   make(map[*ssa.Function]*ssa.MakeClosure),
		stores:   make(map[*ssa.Alloc]*stores),
		families: make(map[*ssa.Function]*family),
	}
}
