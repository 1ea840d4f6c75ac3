package stale

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// Unreset finds gets of objects with state that no code resets. Which object a function resets is not
// asked: one of the type is enough.
func Unreset(fn *scene.Function, g track.Get) []scene.Found {
	obj := fn.Made[g.Value]
	pool, t := poolOf(fn, obj)
	if pool == nil || len(pool.Puts) == 0 || t == nil || fn.Out.Test || !hasState(t) {
		return nil
	}
	f := fn.F
	for f.Parent() != nil {
		f = f.Parent()
	}
	decodes := handles(fn.Program, f, t).decodes
	switch {
	case f.Synthetic != "" || cleansAround(fn, pool, f, t):
		return nil
	case decodes && !cleans(fn.Program, f, t, 1):
		return found(obj, events.Decoded)
	}
	return found(obj, events.Unreset)
}

// hasState reports whether values of t begin again by a method, or are structs, slices and maps, of which
// we see it.
func hasState(t types.Type) bool {
	switch syntax.Pointed(t).Underlying().(type) {
	case *types.Slice, *types.Map, *types.Struct:
		return true
	}
	return hasReset(t)
}

func hasReset(t types.Type) bool {
	reset, _, _ := types.LookupFieldOrMethod(t, true, nil, "Reset")
	_, ok := reset.(*types.Func)
	return ok
}

// cleansAround reports whether code resets the objects of type t that a function gets, or there is
// nothing to be reset. A function that puts as well has them for itself: then it, or a function that it
// calls, must. An object that goes out of the function may be reset anywhere, in another package too.
func cleansAround(fn *scene.Function, pool *events.Pool, f *ssa.Function, t types.Type) bool {
	own := f.Syntax()
	if slices.ContainsFunc(pool.Puts, func(put events.PoolPut) bool { return own.Pos() <= put.Call.Pos() && put.Call.End() <= own.End() }) {
		does := handles(fn.Program, f, t)
		return !does.dirties(t) || cleans(fn.Program, f, t, 1)
	}
	if token.IsExported(f.Name()) {
		return true
	}
	dirty := false
	for _, other := range fn.Funcs {
		if other.Parent() != nil || other.Synthetic != "" {
			continue
		}
		if cleans(fn.Program, other, t, 0) {
			return true
		}
		does := handles(fn.Program, other, t)
		dirty = dirty || does.dirties(t)
	}
	return !dirty
}

// handling is what a function, with its literals, does with values of a type, but for making them as new.
type handling struct {
	adds    bool // appends to a slice, or sets elements of a map
	decodes bool // by a decoder that sets the fields which it finds, and leaves the others as they are
}

// dirties reports whether the function may leave data in what it has of type t. A slice is written over
// from its start, unless it is appended to.
func (h handling) dirties(t types.Type) bool {
	switch syntax.Pointed(t).Underlying().(type) {
	case *types.Slice, *types.Map:
		return h.adds
	case *types.Struct:
		return hasReset(t) || h.decodes
	}
	return true
}

// sparing are the packages of decoders that leave fields as they are.
var sparing = []string{
	"encoding/json", "encoding/xml", "encoding/gob", "encoding/json/v2", "gopkg.in/yaml.v2", "gopkg.in/yaml.v3",
	"github.com/json-iterator/go", "github.com/goccy/go-json", "github.com/bytedance/sonic", "github.com/segmentio/encoding/json",
}

func handles(p *flow.Program, f *ssa.Function, t types.Type) (does handling) {
	for instr := range ssax.Instrs(p.Family(f)...) {
		switch instr := instr.(type) {
		case *ssa.MapUpdate:
			does.adds = does.adds || isOf(instr.Map, t)
		case ssa.CallInstruction:
			c := p.Resolve(instr)
			if len(c.Args) == 0 {
				continue
			}
			does.adds = does.adds || c.Builtin == "append" && isOf(c.Args[0], t)
			does.decodes = does.decodes || c.Fn != nil && c.Fn.Pkg() != nil && slices.Contains(sparing, c.Fn.Pkg().Path()) &&
				(c.Name() == "Unmarshal" || c.Name() == "Decode") && isOf(c.Args[len(c.Args)-1], t)
		}
	}
	return does
}

// cleans reports whether a function resets something of type t, or calls one in this package that does,
// as deep as depth says.
func cleans(p *flow.Program, f *ssa.Function, t types.Type, depth int) bool {
	for instr := range ssax.Instrs(p.Family(f)...) {
		switch instr := instr.(type) {
		case *ssa.Store:
			_, isStruct := syntax.Pointed(t).Underlying().(*types.Struct)
			if isStruct && !ssax.Is[*ssa.Alloc](instr.Addr) && isOf(instr.Addr, t) || fieldOf(instr.Addr, t) != nil && !adds(instr) {
				return true
			}
		case *ssa.Slice: // b[:0]
			if instr.High != nil && ssax.IsInt(instr.High, 0) && isOf(instr.X, t) {
				return true
			}
		case ssa.CallInstruction:
			c := p.Resolve(instr)
			given := slices.ContainsFunc(c.Args[:c.Captures], func(arg ssa.Value) bool { return isOf(arg, t) || isOf(embedder(arg), t) })
			if given && (names.IsRenewing(c.Name()) || depth != 0 && c.Lit != nil && c.Lit.Parent() == nil && cleans(p, c.Lit, t, 0)) {
				return true
			}
		}
	}
	return false
}

// isOf reports whether a value is of type t, or of what that points to.
func isOf(v ssa.Value, t types.Type) bool {
	if made, ok := v.(*ssa.MakeInterface); ok {
		v = made.X
	}
	return types.Identical(v.Type(), t) || types.Identical(v.Type(), syntax.Pointed(t))
}

// embedder returns the address of the struct whose embedded field a method is called on.
func embedder(v ssa.Value) ssa.Value {
	if field, ok := v.(*ssa.FieldAddr); ok && ssax.FieldVar(field).Embedded() {
		return field.X
	}
	return v
}

// fieldOf returns the field of an object of type t that an address is of, nil if it is of none, or of a
// struct that the function makes.
func fieldOf(addr ssa.Value, t types.Type) *types.Var {
	field, ok := addr.(*ssa.FieldAddr)
	if !ok || ssax.Is[*ssa.Alloc](field.X) || !isOf(field.X, t) {
		return nil
	}
	return ssax.FieldVar(field)
}

// adds reports whether a store changes what is there: x.n++.
func adds(s *ssa.Store) bool {
	op, ok := s.Val.(*ssa.BinOp)
	if !ok {
		return false
	}
	load := ssax.Load(op.X)
	if load == nil {
		return false
	}
	from, ok := load.X.(*ssa.FieldAddr)
	to, both := s.Addr.(*ssa.FieldAddr)
	return ok && both && from.X == to.X && from.Field == to.Field
}
