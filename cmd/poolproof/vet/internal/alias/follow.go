package alias

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// follow adds what becomes an alias through one use of v.
func (a spreader) follow(v ssa.Value, info *Alias) {
	refs := v.Referrers()
	if refs == nil {
		return
	}
	for _, ref := range *refs {
		switch ref := ref.(type) {
		case *ssa.TypeAssert:
			if !ref.CommaOk {
				a.derive(ref, v, info)
				continue
			}
			for _, e := range *ref.Referrers() {
				if e, ok := e.(*ssa.Extract); ok && e.Index == 0 {
					a.derive(e, v, info)
				}
			}
		case *ssa.MakeInterface, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.SliceToArrayPointer, *ssa.MultiConvert, *ssa.Phi:
			a.derive(ref.(ssa.Value), v, info)
		case *ssa.Convert:
			if !ssax.Copies(ref) && ssax.HasPointers(ref.Type()) {
				a.derive(ref, v, info)
			}
		case *ssa.Slice:
			if ref.X == v && !ssax.Emptied(ref) {
				a.derive(ref, v, info)
			}
		case *ssa.FieldAddr:
			if !info.Holder {
				next := a.derive(ref, v, info)
				if info.Field == flow.None && v == a.Root || a.IsWhole(v) {
					next.Field = ref.Field
				}
			}
		case *ssa.Field:
			if info.Holder && a.Type != nil && types.Identical(ref.Type(), a.Type) {
				a.hold(ref, v, info).never = true // a struct that is no variable: it may be another field
			}
		case *ssa.IndexAddr:
			if ref.X == v && !info.Holder {
				a.derive(ref, v, info)
			} else if ref.X == v && info.Each {
				a.part(ref, v, info)
			}
		case *ssa.UnOp:
			a.load(ref, v, info)
		case *ssa.Store:
			if ref.Val == v {
				a.store(ref, v, info)
			}
		case *ssa.MapUpdate:
			if ref.Value == v || ref.Key == v {
				if local(ref.Map) {
					a.hold(ref.Map, v, info)
				}
			}
		case *ssa.MakeClosure:
			a.closure(ref, v, info)
		case ssa.CallInstruction:
			a.call(ref, v, info)
		}
	}
}

// part adds a value that is memory of the object because it is a part of another one, or what is read at
// its address.
func (a spreader) part(v, of ssa.Value, info *Alias) {
	if at, ok := v.(*ssa.IndexAddr); ok {
		for _, ref := range *at.Referrers() {
			if load, ok := ref.(*ssa.UnOp); ok {
				a.part(load, of, info)
			}
		}
	}
	if !ssax.IsMemory(v.Type()) {
		return
	}
	next := a.derive(v, of, info)
	next.Holder, next.Each = false, false
	next.Reach = max(info.Reach, events.Container)
}

// load follows a read through an alias. Only a slice that the object refers to
// is its memory; what a pointer in it points to is another object.
func (a spreader) load(ref *ssa.UnOp, v ssa.Value, info *Alias) {
	if !ssax.IsLoad(ref) {
		return
	}
	if info.Holder {
		if alloc, ok := v.(*ssa.Alloc); ok && !ssax.IsPointer(ref.Type()) && ssax.HasPointers(ref.Type()) && !ssax.IsSlice(ref.Type()) {
			switch ref.Type().Underlying().(type) {
			case *types.Struct, *types.Array: // a composite literal, copied to where it belongs
				if alloc.Parent() == ref.Parent() {
					a.hold(ref, v, info)
				}
			}
		}
		return
	}
	if !ssax.IsMemory(ref.Type()) && !a.p.Owns(v) {
		if st, ok := ref.Type().Underlying().(*types.Struct); ok && a.IsWhole(v) {
			a.copied(ref, st, v, info)
		}
		return
	}
	next := a.derive(ref, v, info)
	switch v.(type) {
	case *ssa.FieldAddr:
		next.Reach = max(next.Reach, fieldReach(a.Type))
	case *ssa.IndexAddr:
		next.Reach = max(next.Reach, events.Field)
	default:
		if next.Field == flow.None {
			next.Field = summary.All
		}
		next.Reach = max(next.Reach, events.Memory)
	}
}

// fieldReach says how sure it is that a slice in a field belongs to an object of a type.
func fieldReach(object types.Type) events.Reach {
	if ssax.IsBuffer(object) {
		return events.Memory
	}
	return events.Field
}
