package fit

import (
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/pooldecl"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// Foreign finds objects that are put into a pool which they do not come from, and
// memory that has another owner.
func Foreign(fn *scene.Function, p *track.Put) []scene.Found {
	what := ""
	if g := fn.GetOf(p.Roots[0]); g != nil && len(p.Roots) == 1 {
		from, ok := fn.PoolFrom(&g.Call, g.Result())
		to, known := fn.PoolTo(&p.Call, p.Index)
		if ok && known && from.Other(to) && fed(fn.Pass, from) == fed(fn.Pass, to) && !chosenBy(fn.Code, p) {
			what = "it comes from another pool"
			if name := fn.PoolName(from); name != "" {
				what = "it comes from the pool " + name + ""
			}
		}
	} else if !p.Captured {
		what = owner(fn.Code, p)
	}
	if what == "" {
		return nil
	}
	return unfit(fn, p, events.Foreign, what)
}

// fed reports whether a pool has no New: it lives on what is put. Where one of two pools
// is so, objects go from the one to the other on purpose.
func fed(pass *analysis.Pass, p track.Pool) bool {
	d, ok := pooldecl.Of(pass).Find(p.Decl)
	return ok && d.Unset()
}

// chosenBy reports whether a test of the object decides whether this put is
// reached: its size says which pool it is fit for.
func chosenBy(fn *track.Code, p *track.Put) bool {
	al := alias.Of(fn.Program, p.Roots...)
	for cond := range ssax.Above(p.Call.Instr.Block()) {
		if (flow.Conditions{Program: fn.Program, Object: al.Has}).About(cond.Cond) {
			return true
		}
	}
	return false
}

// owner says whose memory is put, "" if it is not known to be anybody's.
func owner(fn *track.Code, p *track.Put) string {
	v := p.Arg
	for range 12 {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
			continue
		case *ssa.ChangeType:
			v = x.X
			continue
		case *ssa.FieldAddr:
			if shared(x.X) {
				return "it is the field " + ssax.FieldName(x) + " of a struct that stays in use"
			}
		case *ssa.IndexAddr:
			if shared(x.X) {
				return "it is an element of a list that stays in use"
			}
		case *ssa.Slice:
			if elem := ssax.Pointee(x.X.Type()); elem != nil {
				if shared(x.X) {
					return "it is a piece of an array that stays in use"
				}
				return ""
			}
			v = x.X
			continue
		case *ssa.Alloc: // the address of a slice stands for its memory
			if s := fn.Program.Stores(x); ssax.IsSlice(ssax.Pointee(x.Type())) && len(s.Whole) == 1 {
				v = s.Whole[0].Val
				continue
			}
		case *ssa.Parameter:
			if borrowedByContract(fn, x) {
				return fn.F.Name() + " must not keep its argument"
			}
		}
		return ""
	}
	return ""
}

// shared reports whether an address is of memory that others know: a package
// variable, what a parameter or a field refers to.
func shared(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.Global, *ssa.Parameter:
		return true
	case *ssa.FieldAddr:
		return shared(x.X)
	case *ssa.IndexAddr:
		return shared(x.X)
	case *ssa.UnOp:
		return ssax.FieldVar(x.X) != nil
	}
	return false
}

// borrowedByContract reports whether a parameter is one that the interfaces of
// package io forbid to keep.
func borrowedByContract(fn *track.Code, prm *ssa.Parameter) bool {
	sig := fn.F.Signature
	if sig.Recv() == nil || sig.Params().Len() == 0 || len(fn.F.Params) < 2 || fn.F.Params[1] != prm || !names.IsTransfer(fn.F.Name()) {
		return false
	}
	return types.Identical(prm.Type(), types.NewSlice(types.Typ[types.Byte])) && sig.Results().Len() == 2
}
