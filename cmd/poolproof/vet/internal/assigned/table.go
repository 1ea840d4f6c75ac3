package assigned

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// Table joins all stores of a package. It is made
// once, and does not change.
type Table struct {
	places    *memory.Places
	functions map[any][]ssa.Value      // package variables and fields: what they are set to
	owned     map[*types.Var]bool      // fields with a buffer that is the struct's own, or not
	flags     map[flag][]*ssa.Function // which functions set bool fields of their parameters
	kinds     kinds
}

// Learn reads all stores of the functions of a package.
func Learn(places *memory.Places, funcs []*ssa.Function) *Table {
	t := &Table{
		places:    places,
		functions: make(map[any][]ssa.Value),
		owned:     make(map[*types.Var]bool),
		flags:     make(map[flag][]*ssa.Function),
		kinds:     kinds{made: make(map[ssa.Value][]*types.Var), set: make(map[*types.Var]bool)},
	}
	for _, f := range funcs {
		for instr := range ssax.Instrs(f) {
			if s, ok := instr.(*ssa.Store); ok {
				t.learnFunction(s)
				t.learnOwned(s)
				t.learnFlag(s)
				t.learnKind(s)
			}
		}
	}
	return t
}

// learnFunction notes a store to a package variable, or to a field, that may hold a function.
func (t *Table) learnFunction(s *ssa.Store) {
	if at := holder(s.Addr); at != nil {
		t.functions[at] = append(t.functions[at], s.Val)
	}
}

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
func (t *Table) Functions(addr ssa.Value) []ssa.Value {
	if at := holder(addr); at != nil {
		return t.functions[at]
	}
	return nil
}
