package late

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// forgotten reports whether the object has no memory in common with a value once its deferred put
// has run: the callee that puts it overwrites all of it first, and the value was read out of a
// field, or is memory that a method returned and that is no part of the object itself.
func forgotten(fn *track.Code, p *track.Put, al *alias.Set, v ssa.Value) bool {
	return flow.Detaches(&p.Call, p.Index, summary.All) && wasRead(al, fn.Program.Stored(v), 0)
}

func wasRead(al *alias.Set, v ssa.Value, depth int) bool {
	info := al.Of(v)
	if info == nil || depth > 8 {
		return false
	}
	if ssax.Load(v) != nil && info.Field != flow.None {
		return true
	}
	if call, ok := v.(*ssa.Call); ok && ssax.IsMemory(call.Type()) && !hasArray(al.Type) {
		return true
	}
	sources := al.Sources(v)
	for _, source := range sources {
		if !wasRead(al, source, depth+1) {
			return false
		}
	}
	return len(sources) > 0
}

// hasArray reports whether the object has an array in itself: a slice of that stays a part of it.
func hasArray(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return hasArray(u.Elem())
	case *types.Array:
		return true
	case *types.Struct:
		for f := range u.Fields() {
			if _, isPointer := f.Type().Underlying().(*types.Pointer); !isPointer && hasArray(f.Type()) {
				return true
			}
		}
	case *types.Interface, *types.TypeParam:
		return true // it may have one
	}
	return false
}
