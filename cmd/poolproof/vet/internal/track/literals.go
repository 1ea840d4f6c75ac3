package track

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// closure returns the use by a literal that goes elsewhere than into a call.
func (v *View) closure(made *ssa.MakeClosure) Touch {
	if ssax.OnlyCalled(made) {
		return Touch{}
	}
	fn := made.Fn.(*ssa.Function)
	if fn.Synthetic != "" { // a method value
		for _, b := range made.Bindings {
			if v.memory(b) {
				return v.use(b, events.Captured, "")
			}
		}
		return Touch{}
	}
	for _, b := range made.Bindings {
		if alloc, ok := b.(*ssa.Alloc); ok && v.held(memory.Var{Base: alloc}) {
			if t := v.Inside(fn, alloc); t.Kind != 0 {
				t.How = events.Captured
				return t
			}
		}
	}
	return Touch{}
}

// Inside returns the first use of a captured variable in a literal, if there is
// one. A call by which the literal comes back to itself adds no use: what it does
// there, it does at its other instructions too.
func (v *View) Inside(fn *ssa.Function, alloc *ssa.Alloc) Touch {
	key := insideLiteral{fn, alloc}
	if t, ok := v.looked[key]; ok {
		return t
	}
	looked := v.looked
	if looked == nil {
		looked = make(map[insideLiteral]Touch)
	}
	looked[key] = Touch{}
	looked[key] = v.inside(fn, alloc, looked)
	return looked[key]
}

func (v *View) inside(fn *ssa.Function, alloc *ssa.Alloc, looked map[insideLiteral]Touch) Touch {
	place := memory.Var{Base: alloc}
	seen := make(map[ssa.Value]bool)
	var live func(ssa.Value) bool
	live = func(x ssa.Value) bool {
		info := v.al.Of(x)
		if info == nil || x.Parent() != fn || seen[x] {
			return false
		}
		if at, loaded := v.al.Loaded(x); loaded {
			return at == place && v.atEntry(x)
		}
		seen[x] = true
		defer delete(seen, x)
		if phi, ok := x.(*ssa.Phi); ok {
			return info.Must && phi.Parent() == fn
		}
		for _, s := range v.al.Sources(x) {
			if live(s) && !v.al.Never(x) {
				return true
			}
		}
		return false
	}
	inner := &View{Table: v.Table, al: v.al, live: live, held: func(at memory.Var) bool { return at == place }, looked: looked}
	for instr := range ssax.Instrs(fn) {
		if t := inner.touches(instr); t.Kind == events.Use && !flagged(instr, alloc, v.Program) {
			return t
		}
	}
	return Touch{}
}

// atEntry reports whether a literal has not assigned a variable before it reads a value there.
func (v *View) atEntry(x ssa.Value) bool {
	load := ssax.Load(x)
	if load == nil {
		return true
	}
	captured, ok := load.X.(*ssa.FreeVar)
	return !ok || v.Program.AtEntry(load, captured)
}

// flagged reports whether a literal reaches an instruction only if another
// captured variable says so: a flag that the function around sets.
func flagged(instr ssa.Instruction, object *ssa.Alloc, p *flow.Program) bool {
	for cond := range ssax.Above(instr.Block()) {
		for _, place := range p.KeyOf(cond.Cond).Places {
			if alloc, isVar := place.Base.(*ssa.Alloc); isVar && alloc != object && alloc.Parent() != instr.Parent() {
				return true
			}
		}
	}
	return false
}
