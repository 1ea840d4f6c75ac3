package assigned

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// Table is what the stores of a package say when they are taken together. It is made
// once, and does not change.
type Table struct {
	places    *memory.Places
	functions map[*ssa.Global]ssa.Value // package variables that are set once: to what; nil: several times
	owned     map[*types.Var]bool       // fields with a buffer that is the struct's own, or not
	flags     map[flag][]*ssa.Function  // which functions set bool fields of their parameters
	kinds     kinds
}

// Learn reads all stores of the functions of a package.
func Learn(places *memory.Places, funcs []*ssa.Function) *Table {
	t := &Table{
		places:    places,
		functions: make(map[*ssa.Global]ssa.Value),
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

// learnFunction notes a store to a package variable that may hold a function.
func (t *Table) learnFunction(s *ssa.Store) {
	g, ok := s.Addr.(*ssa.Global)
	if !ok {
		return
	}
	if _, set := t.functions[g]; set {
		t.functions[g] = nil // several
		return
	}
	t.functions[g] = s.Val
}

// Function returns the one value that a package variable is set to, nil if there are
// several, or none in the package, or other packages may set it too.
func (t *Table) Function(g *ssa.Global) ssa.Value {
	if token.IsExported(g.Name()) {
		return nil
	}
	return t.functions[g]
}
