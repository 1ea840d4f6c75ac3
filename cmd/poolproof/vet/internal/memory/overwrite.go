package memory

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// Overwritten returns what a store to an address overwrites: a field of the struct
// that base points to, or all of what it points to. A field of a struct that is a
// field itself stands for the outer one if nothing else in the inner one refers to
// memory.
func Overwritten(addr ssa.Value) (base ssa.Value, field int, ok bool) {
	if at, isField := addr.(*ssa.FieldAddr); isField {
		return OverwrittenIn(at.X, at.Field)
	}
	return addr, summary.All, true
}

// OverwrittenIn is Overwritten for a field of what addr points to.
func OverwrittenIn(addr ssa.Value, field int) (base ssa.Value, outer int, ok bool) {
	at, isField := addr.(*ssa.FieldAddr)
	if !isField {
		return addr, field, true
	}
	if field != summary.All {
		if fields := ssax.MemoryFields(ssax.Pointee(at.Type())); len(fields) != 1 || fields[0] != field {
			return nil, 0, false
		}
	}
	return OverwrittenIn(at.X, at.Field)
}
