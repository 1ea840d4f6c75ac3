package alias

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// element follows a list each element of which is memory of the object to what is read there.
func (a spreader) element(at *ssa.IndexAddr, list ssa.Value, info *Alias) {
	for _, ref := range *at.Referrers() {
		if load, ok := ref.(*ssa.UnOp); ok {
			a.part(load, list, info)
		}
	}
}

// part adds a value that is memory of the object because it is a part of another one.
func (a spreader) part(v, of ssa.Value, info *Alias) {
	if !ssax.IsMemory(v.Type()) {
		return
	}
	next := a.derive(v, of, info)
	next.Holder, next.Each = false, false
	next.Reach = max(info.Reach, events.Container)
}
