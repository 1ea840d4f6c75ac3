package observe

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
)

// field finds an object that is put out of a field which still refers to it
// afterwards.
func (fn *function) field(p *put) {
	load := flow.Load(p.roots[0])
	if load == nil {
		return
	}
	addr, ok := load.X.(*ssa.FieldAddr)
	if !ok {
		return
	}
	place, ok := fn.Program.Place(addr)
	if !ok || place.Local() {
		return
	}
	if fn.cleared(place, addr, p) {
		return
	}
	e := fn.event(events.Exit, p.call.Instr)
	e.How, e.What = events.StoredField, fieldName(addr)
	obj := fn.objectOf(p)
	obj.Histories = append(obj.Histories, events.History{Events: []events.Event{fn.putEvent(p), e}, Reach: events.Field})
}

func fieldName(addr *ssa.FieldAddr) string {
	return flow.FieldName(addr)
}

// cleared reports whether a field is set anew in the function, in a literal or
// the function around, or by a callee; or whether its owner ends too.
func (fn *function) cleared(place flow.Var, addr *ssa.FieldAddr, p *put) bool {
	if len(fn.Program.StoresTo(fn.f, place)) > 0 {
		return true
	}
	base := addr.X
	for i := range fn.puts {
		for _, r := range fn.puts[i].roots {
			if r == base || r == place.Base {
				return true
			}
		}
	}
	for _, f := range fn.Program.Family(fn.f) {
		for _, b := range f.Blocks {
			for _, instr := range b.Instrs {
				switch instr := instr.(type) {
				case *ssa.Store:
					if instr.Addr == base || instr.Addr == place.Base {
						return true // the whole struct
					}
				case ssa.CallInstruction:
					c := fn.Program.Resolve(instr)
					if c.Fn != nil && c.Fn.Pkg() != nil {
						switch path := c.Fn.Pkg().Path(); {
						case path == "sync" && c.Name() == "Do", strings.HasSuffix(path, "/atomic") && !c.Deferred():
							return true // done once
						}
					}
					for i, arg := range c.Args {
						if (arg == base || arg == place.Base) && detaches(&c, i, addr.Field) {
							return true
						}
					}
				}
			}
		}
	}
	return false
}
