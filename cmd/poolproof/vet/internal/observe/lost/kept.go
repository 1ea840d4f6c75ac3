package lost

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// kept finds an object that goes into a field which is not exported, and nowhere else, while no code of
// the package takes anything out of that field: it stays there until the struct is garbage.
func kept(fn *scene.Function, w *keeper) []scene.Found {
	field := w.onlyField()
	if field == nil || field.Exported() || fn.Fields[field] || fn.Elements[field] || takenOut(fn, field) {
		return nil
	}
	e := fn.Event(events.Exit, w.g.Call.Instr)
	e.How, e.What = events.KeptInField, field.Name()
	return []scene.Found{w.ending(e)}
}

// onlyField returns the field of a struct that the object goes into, if all that hands it over is that,
// or hands over the struct.
func (w *keeper) onlyField() (field *types.Var) {
	for store := range ssax.Of[*ssa.Store](w.fn.F) {
		if !w.al.IsWhole(store.Val) {
			continue
		}
		at := ssax.FieldVar(store.Addr)
		if at == nil && !w.inner(store.Addr) || at != nil && field != nil {
			return nil
		}
		if at != nil {
			field = at
		}
	}
	for instr := range w.ends {
		switch instr := instr.(type) {
		case *ssa.Store:
			if ssax.FieldVar(instr.Addr) != field {
				return nil
			}
		case *ssa.Return:
			for _, r := range instr.Results {
				if w.al.IsWhole(w.fn.Program.Stored(r)) {
					return nil
				}
			}
		default:
			return nil
		}
	}
	return field
}

// takenOut reports whether the package may end what a field holds: it takes the address of the field, or
// does anything with what it reads there by which an object may end; or the struct is pooled itself.
func takenOut(fn *scene.Function, field *types.Var) (taken bool) {
	for _, f := range fn.Funcs {
		var code *scene.Function
		look := func(read ssa.Value) {
			if taken {
				return
			}
			if code == nil {
				code = &scene.Function{Package: fn.Package, Code: track.New(fn.Table, f, fn.Budget), Out: fn.Out, Made: make(map[ssa.Value]*events.Object)}
			}
			w := keeperOf(code, read, new(summary.Summary))
			taken = w == nil || len(w.ends) > 0 || len(w.al.Based(read)) > 0
		}
		for read := range ssax.Of[*ssa.Field](f) {
			if st, ok := read.X.Type().Underlying().(*types.Struct); ok && st.Field(read.Field).Origin() == field {
				look(read)
			}
		}
		for at := range ssax.Of[*ssa.FieldAddr](f) {
			if ssax.FieldVar(at) != field {
				continue
			}
			if pooled(fn.Events.Pools, at.X.Type()) {
				return true
			}
			for _, ref := range *at.Referrers() {
				switch ref := ref.(type) {
				case *ssa.DebugRef:
				case *ssa.Store:
					taken = taken || ref.Addr != ssa.Value(at)
				case *ssa.UnOp:
					look(ref)
				default:
					return true
				}
			}
		}
	}
	return taken
}

// pooled reports whether values of a type are put into a pool.
func pooled(pools []*events.Pool, t types.Type) bool {
	return slices.ContainsFunc(pools, func(pool *events.Pool) bool {
		return slices.ContainsFunc(pool.Puts, func(put events.PoolPut) bool { return put.Type != nil && types.Identical(put.Type, t) })
	})
}
