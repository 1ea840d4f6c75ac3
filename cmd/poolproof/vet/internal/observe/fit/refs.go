package fit

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// Refs finds references that an object still has when it is put: fields that the
// function has set, and elements behind a slice that was cut short.
func Refs(fn *scene.Function, p *track.Put) []scene.Found {
	if p.Captured || p.Call.Deferred() {
		return nil
	}
	al := fn.Aliases(p)
	if al == nil || cleans(fn.Code, al, p) {
		return nil
	}
	cleared := fn.DetachedBefore(al, nil, p.Call.Instr)
	for instr := range ssax.Instrs(fn.F) {
		what := ""
		switch instr := instr.(type) {
		case *ssa.Store:
			what = fieldSet(fn.Code, al, instr)
		case *ssa.Call:
			what = elementsSet(fn.Code, al, instr, cleared)
		}
		if what == "" || !ssax.MayPrecede(instr, p.Call.Instr) {
			continue
		}
		return unfit(fn, p, events.Refers, what)
	}
	return nil
}

// fieldSet returns the name of a field of the object in which a reference is
// stored, "" if nothing is, or if the function sets the field to nil too.
func fieldSet(fn *track.Code, al *alias.Set, s *ssa.Store) string {
	field, ok := s.Addr.(*ssa.FieldAddr)
	if !ok || !al.IsWhole(field.X) || ssax.IsNil(s.Val) || al.Of(s.Val) != nil || !ssax.IsReference(s.Val.Type()) {
		return ""
	}
	for _, o := range fn.Program.Origins(s.Val) {
		if _, given := o.Root.(*ssa.Parameter); given && !nilStored(fn, al, field) {
			return "its field " + ssax.FieldName(field)
		}
	}
	return ""
}

// nilStored reports whether nil is stored in the same field of the object
// anywhere in the function.
func nilStored(fn *track.Code, al *alias.Set, field *ssa.FieldAddr) bool {
	for s := range ssax.Of[*ssa.Store](fn.Program.Family(fn.F)...) {
		at, ok := s.Addr.(*ssa.FieldAddr)
		if ok && at.Field == field.Field && al.IsWhole(at.X) && ssax.IsNil(s.Val) {
			return true
		}
		if al.IsWhole(s.Addr) {
			return true // all of it
		}
	}
	return false
}

// elementsSet returns which elements of the object, a slice or a slice in a
// field of it, refer to something: what was appended there.
func elementsSet(fn *track.Code, al *alias.Set, call *ssa.Call, cleared map[int]bool) string {
	c := fn.Program.Resolve(call)
	if c.Builtin != "append" || len(c.Args) < 2 {
		return ""
	}
	info := al.Of(c.Args[0])
	if info == nil || info.Holder || info.Field == flow.None || cleared[info.Field] && info.Field != summary.All {
		return ""
	}
	slice, ok := call.Type().Underlying().(*types.Slice)
	if !ok || !ssax.IsReference(slice.Elem()) {
		return ""
	}
	if flow.Any(fn.Program.FamilyCalls(fn.F), func(c *flow.Call) bool { return c.Builtin == "clear" && al.Of(c.Args[0]) != nil }) {
		return ""
	}
	return "the memory behind its slice"
}

// cleans reports whether a method or a function that is named as one which cleans
// gets the object.
func cleans(fn *track.Code, al *alias.Set, p *track.Put) bool {
	if !p.Call.IsPoolPut() {
		return true // a wrapper cleans, or its own check tells
	}
	return flow.AnyArg(fn.Program.Calls(fn.F), func(c *flow.Call, _ int, arg ssa.Value) bool {
		info := al.Of(arg)
		return info != nil && !info.Holder && c.Instr != p.Call.Instr && names.IsCleaning(c.Name()) && c.Builtin == ""
	})
}
