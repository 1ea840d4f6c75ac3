package infer

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// closure notes the variables of a literal that goes elsewhere than into a call
// or a defer of this function.
func (l *learner) closure(made *ssa.MakeClosure) {
	if ssax.OnlyCalled(made) {
		return
	}
	for _, b := range made.Bindings {
		for _, p := range l.contents(b) {
			l.s.Retains |= summary.Bit(p.index)
		}
		if _, isVar := b.(*ssa.Alloc); !isVar { // the receiver of a method value
			l.retain(b)
		}
	}
}
