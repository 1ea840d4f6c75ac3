package track

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// touches returns what an instruction does with the object.
func (v *View) touches(instr ssa.Instruction) Touch {
	switch instr := instr.(type) {
	case *ssa.Store:
		return v.store(instr)
	case *ssa.UnOp:
		if ssax.Load(instr) != nil && v.memory(instr.X) && !ssax.IsAlloc(instr.X) {
			return v.use(instr.X, events.Read, "")
		}
	case *ssa.Index:
		if v.memory(instr.X) {
			return v.use(instr.X, events.Read, "")
		}
	case *ssa.Lookup:
		if v.memory(instr.X) {
			return v.use(instr.X, events.Read, "")
		}
	case *ssa.Range:
		if v.memory(instr.X) {
			return v.use(instr.X, events.Read, "range")
		}
	case *ssa.BinOp:
		for _, x := range []ssa.Value{instr.X, instr.Y} {
			if b, ok := x.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 && v.memory(x) {
				return v.use(x, events.Read, "")
			}
		}
	case *ssa.Convert:
		if v.memory(instr.X) && ssax.Copies(instr) {
			return v.use(instr.X, events.Read, "")
		}
	case *ssa.MapUpdate:
		switch {
		case v.memory(instr.Map):
			return v.use(instr.Map, events.Written, "")
		case v.live(instr.Value) && v.al.Of(instr.Map) == nil:
			return v.use(instr.Value, events.StoredMap, "")
		}
	case *ssa.Send, *ssa.Select:
		for s := range ssax.Sends(instr) {
			if v.live(s.Value) {
				return v.use(s.Value, events.Sent, "")
			}
		}
	case *ssa.Return:
		for _, r := range instr.Results {
			if v.live(r) {
				return v.use(r, events.Returned, "")
			}
		}
	case *ssa.MakeClosure:
		return v.closure(instr)
	case ssa.CallInstruction:
		return v.Call(instr)
	}
	return Touch{}
}

func (v *View) store(s *ssa.Store) Touch {
	if v.memory(s.Addr) {
		return v.use(s.Addr, events.Written, "")
	}
	if !v.live(s.Val) {
		return Touch{}
	}
	place, ok := v.Program.Place(s.Addr)
	if ok && place.Local() {
		return Touch{}
	}
	if base := v.al.Of(place.Base); ok && base != nil && base.Holder {
		return Touch{}
	}
	how := events.StoredField
	if _, global := place.Base.(*ssa.Global); ok && global {
		how = events.StoredGlobal
	}
	return v.use(s.Val, how, "")
}
