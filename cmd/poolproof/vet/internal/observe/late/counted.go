package late

import (
	"go/constant"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// AfterLast asks for uses after a call that gives up the only reference to an object: one
// that the function got, and of which nobody else can have a reference.
func AfterLast(fn *scene.Function) (questions []scene.Question) {
	for c := range fn.Program.Calls(fn.F) {
		for i, arg := range c.Args[:c.Captures] {
			root := fn.Program.Origin(arg)
			if !c.Summary.RefPut.Has(i) || c.Started() || fn.GetOf(root) == nil {
				continue
			}
			questions = append(questions, func() []scene.Found {
				al := fn.AliasesOf(root)
				if al == nil || shared(fn.Code, al) || givenUpAgain(fn.Code, c.Instr, root) {
					return nil
				}
				p := &track.Put{Call: c, Index: i, Arg: arg, Certain: true, Roots: []ssa.Value{root}}
				found := After
				if c.Deferred() {
					found = Deferred
				}
				list := found(fn, p)
				for i := range list {
					list[i].Reach = max(list[i].Reach, events.Field) // a count may have begun with more than one
				}
				return list
			})
		}
	}
	return questions
}

// givenUpAgain reports whether the function gives up another reference to an object: it has
// several.
func givenUpAgain(fn *track.Code, at ssa.CallInstruction, root ssa.Value) bool {
	return flow.AnyArg(fn.Program.Calls(fn.F), func(c *flow.Call, i int, arg ssa.Value) bool {
		return c.Instr != at && c.Summary.RefPut.Has(i) && i < c.Captures && fn.Program.Origin(arg) == root
	})
}

// shared reports whether anybody else than the function may have a reference to an object:
// it goes elsewhere, or code may have counted another one.
func shared(fn *track.Code, al *alias.Set) bool {
	for instr := range ssax.Instrs(fn.F) {
		switch instr := instr.(type) {
		case *ssa.Store:
			place, ok := fn.Program.Place(instr.Addr)
			field, isField := instr.Addr.(*ssa.FieldAddr)
			if al.IsWhole(instr.Val) && !(ok && place.Local()) || isField && al.IsWhole(field.X) && names.IsCounter(ssax.FieldName(field)) && !ssax.IsInt(instr.Val, 1) {
				return true
			}
		case *ssa.MapUpdate:
			if al.Of(instr.Value) != nil {
				return true
			}
		case *ssa.Send:
			if al.Of(instr.X) != nil {
				return true
			}
		case *ssa.Select, *ssa.Go:
			return true
		case *ssa.MakeClosure:
			if slices.ContainsFunc(instr.Bindings, func(v ssa.Value) bool { return al.Of(v) != nil || al.Captured(v) }) {
				return true
			}
		case ssa.CallInstruction:
			if c := fn.Program.Resolve(instr); sharedBy(fn.Program, &c, al) {
				return true
			}
		}
	}
	return false
}

// sharedBy reports whether a call may count another reference to an object, or keep it.
func sharedBy(p *flow.Program, c *flow.Call, al *alias.Set) bool {
	for i, arg := range c.Args[:c.Captures] {
		if info := al.Of(arg); info == nil || c.Builtin != "" || info.Field != flow.None {
			continue
		}
		s := c.Summary
		if c.Fn == nil && c.Lit == nil || c.Invoke || flow.IsAtomic(c.Fn) || (s.Retains | s.Keeps | s.Lends).Has(i) || counts(p, c.Lit, 0) || names.IsRetain(c.Name()) {
			return true
		}
	}
	return false
}

// counts reports whether a function counts a reference more, or sets a count.
func counts(p *flow.Program, f *ssa.Function, depth int) bool {
	if f == nil || depth > 3 {
		return depth > 3
	}
	for instr := range ssax.Instrs(f) {
		switch instr := instr.(type) {
		case *ssa.Store:
			add, ok := instr.Val.(*ssa.BinOp)
			if ok && add.Op == token.ADD && flow.IsCount(p, add.X, 0) {
				return true
			}
		case ssa.CallInstruction:
			c := p.Resolve(instr)
			if flow.IsAtomic(c.Fn) && names.IsCounting(c.Name()) && !isNegative(c.Args[len(c.Args)-1]) || counts(p, c.Lit, depth+1) {
				return true
			}
		}
	}
	return false
}

// isNegative reports whether a value is a negative constant.
func isNegative(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Int && constant.Sign(c.Value) < 0
}
