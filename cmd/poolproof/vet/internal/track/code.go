package track

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
)

// Code is one function with what is known of it and of those that it calls.
type Code struct {
	*Table
	F      *ssa.Function
	Gets   []Get
	Puts   []Put
	Defers []*ssa.Defer
	// Cleanups are literals that a test runs at its end.
	Cleanups []flow.Call
	// Holders are new structs with a pooled object in them.
	Holders []Get
	Walker  *paths.Walker
	Budget  int // steps of one question

	aliases aliases
}

// New looks at a function.
func New(t *Table, f *ssa.Function, budget int) *Code {
	walker := *t.Paths
	fn := &Code{
		Table: t, F: f, Walker: &walker, Budget: max(budget, 1),
		aliases: make(aliases),
	}
	fn.find()
	return fn
}

// Whole returns the walker with the whole budget: for another question.
func (fn *Code) Whole() *paths.Walker {
	fn.Walker.Budget = fn.Budget
	return fn.Walker
}

// IsCounted reports whether a call is reached only when a count of references is zero.
func (fn *Code) IsCounted(call ssa.CallInstruction) bool {
	return flow.Counted(fn.Program, call)
}

// aliases are the aliases that were asked for, by the *[Put] or the [ssa.Value] of the object:
// each question asks again.
type aliases map[any]*alias.Set
