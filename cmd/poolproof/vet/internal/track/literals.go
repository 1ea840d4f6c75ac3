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
			if t := v.Inside(fn, alloc); t.Kind == events.Use {
				t.How = events.Captured
				return t
			}
		}
	}
	return Touch{}
}

// Inside returns a put of what a captured variable holds in a literal, or the first use of it, if the
// path that comes to the literal goes on to there. A call by which the literal comes back to itself adds no use: what it does
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
	inner := &View{Table: v.Table, al: v.al, live: live, held: func(at memory.Var) bool { return at == place }, eval: v.eval, looked: looked}
	var first Touch
	for instr := range ssax.Instrs(fn) {
		switch t := inner.touches(instr); {
		case t.Kind == 0 || t.Kind == events.Use && first.Kind != 0:
		case !inner.reaches(instr, alloc, t.Kind == events.Put):
		case t.Kind == events.Put:
			if call, ok := instr.(ssa.CallInstruction); !ok || !flow.Counted(v.Program, call) {
				return t
			}
		default:
			first = t
		}
	}
	return first
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

// reaches reports whether a path that comes to a literal goes on to an instruction there: the path
// agrees with the conditions on the way, or has not passed them and they are about what the function
// around was given. Nothing else certainly is what it was when the path passed it; but where the object
// is used, a condition on what the literal has itself is taken as in any function.
func (v *View) reaches(instr ssa.Instruction, object *ssa.Alloc, put bool) bool {
	if !v.Paths.Reached(instr.Block()) {
		return false
	}
	for cond, b := range ssax.Above(instr.Block()) {
		value, decides := ssax.Leads(cond, b)
		if x, isNil := ssax.NilTest(cond.Cond, value); decides && x != nil && v.live(x) {
			if isNil {
				return false
			}
			continue
		}
		if is, known := v.eval(cond.Cond); decides && known {
			if is != value {
				return false
			}
			continue
		}
		if put && !memory.OnInput(cond.Cond, v.Program.Places) {
			return false
		}
		for _, place := range v.Program.KeyOf(cond.Cond).Asked {
			if alloc, isVar := place.Base.(*ssa.Alloc); isVar && alloc != object && alloc.Parent() != instr.Parent() && !place.IsGiven(v.Program.Places) {
				return false
			}
		}
	}
	return true
}
