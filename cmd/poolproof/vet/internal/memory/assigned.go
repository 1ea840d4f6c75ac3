package memory

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// holder returns the package variable, or the field, whose address a value is, if no other package
// can set it; otherwise nil.
func holder(addr ssa.Value) any {
	if g, ok := addr.(*ssa.Global); ok && !token.IsExported(g.Name()) {
		return g
	}
	field := ssax.FieldVar(addr)
	if field == nil || field.Exported() {
		return nil
	}
	if _, ok := field.Type().Underlying().(*types.Signature); !ok {
		return nil
	}
	return field
}

// Functions returns the values to which the package sets the variable or field at an address, none
// if other packages may set it too.
func (p *Places) Functions(addr ssa.Value) []ssa.Value {
	if at := holder(addr); at != nil {
		return p.functions[at]
	}
	return nil
}
