package track

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
)

// View is a walk's knowledge of an object at one point of a path.
type View struct {
	*Table
	al   *alias.Set
	live func(ssa.Value) bool  // whether a value is an alias here
	held func(memory.Var) bool // whether a place holds the object here
	// looked are the literals that Inside has looked into from here, or is looking into:
	// literals call themselves and each other.
	looked map[insideLiteral]Touch
}

// insideLiteral is a literal and a variable that it captures.
type insideLiteral struct {
	fn    *ssa.Function
	alloc *ssa.Alloc
}

// Touch is the effect of an instruction on an object.
type Touch struct {
	Kind  events.Kind // Use or Put; 0: nothing
	How   events.How
	What  string
	Reach events.Reach
	Value ssa.Value // the alias
}

// memory reports whether x is the memory of the object here, not only something
// that refers to it.
func (v *View) memory(x ssa.Value) bool {
	info := v.al.Of(x)
	return info != nil && !info.Holder && v.live(x)
}

func (v *View) use(x ssa.Value, how events.How, what string) Touch {
	return Touch{events.Use, how, what, v.al.Of(x).Reach, x}
}

// same reports whether a value is the object itself, as it is put: not a part of
// it that is an object of its own.
func (v *View) same(arg ssa.Value) bool {
	info := v.al.Of(arg)
	if info.Field == flow.None {
		return true
	}
	root := v.al.Of(v.al.Root)
	return root != nil && info.Field == root.Field
}
