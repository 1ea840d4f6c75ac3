package stale

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// A field of a pooled struct is stale where it is read if on some path from Get no code has set it, and
// some user puts the struct with something in it. That is certain of a field that no code of the package
// sets to nothing, to what a caller says, or to what each user begins with.

// kept is what the code of a package does with one field of a pooled struct.
type kept struct {
	left    bool // some code leaves something there that not each user sets
	adds    bool // beside what is there: elements, or what is written
	renewed bool // some code may set it for each user
	asked   bool // some code has asked for the field before it sets it, as in if !x.ready { ...; x.ready = true }

	given  bool // an exported method, which not each user calls, sets it to its argument
	tested bool // some code asks whether it is nil

	cut   bool // some code cuts off the beginning of the slice
	whole bool // some code may give it another slice
}

// fields are those of the pooled structs of a package.
type fields map[*types.Var]*kept

func (l fields) of(field *types.Var) *kept {
	if l[field] == nil {
		l[field] = new(kept)
	}
	return l[field]
}

// look notes what an instruction does with pooled structs.
func (l fields) look(o *track.Table, instr ssa.Instruction, isPooled func(ssa.Value) *types.Struct) {
	switch instr := instr.(type) {
	case *ssa.Store:
		if st := isPooled(instr.Addr); st != nil { // *x = T{}
			l.renew(st, func(*types.Var) bool { return true })
		}
	case *ssa.FieldAddr:
		if isPooled(instr.X) != nil {
			l.address(o, instr)
		}
	case ssa.CallInstruction: // other packages see what is exported
		c := o.Program.Resolve(instr)
		if c.Fn == nil || c.Lit != nil || c.IsPool() || c.Invoke {
			return
		}
		for _, arg := range c.Args {
			if st := isPooled(ssax.Strip(arg)); st != nil {
				l.renew(st, (*types.Var).Exported)
			}
		}
	}
}

func (l fields) renew(st *types.Struct, which func(*types.Var) bool) {
	for field := range st.Fields() {
		if which(field) {
			l.of(field.Origin()).renew()
		}
	}
}

// renew notes that some code may set the field to anything.
func (k *kept) renew() { k.renewed, k.whole = true, true }

// address notes what is done with the address of a field.
func (l fields) address(o *track.Table, at *ssa.FieldAddr) {
	k := l.of(ssax.FieldVar(at))
	if accumulates(at.Type()) {
		k.content(o, at)
		return
	}
	for _, ref := range *at.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
			k.loaded(o, ref)
		case *ssa.Store:
			if ref.Addr != at {
				k.renew()
				continue
			}
			k.store(ref, at)
			if cut, own := ofItself(ref, at); own {
				k.cut = k.cut || cut
			} else {
				k.whole = true
			}
		case *ssa.Call: // atomic.CompareAndSwapInt32(&x.f, 0, 1)
			c := o.Program.Resolve(ref)
			if n := len(c.Args); n > 1 && names.IsCounting(c.Name()) && isSomething(c.Args[n-1]) {
				k.set(ref)
			} else if !flow.IsAtomic(c.Fn) || n > 1 {
				k.renew()
			}
		default:
			k.renew()
		}
	}
}

// ofItself reports whether a store gives a field a part of what it holds, or that with more elements, and
// whether the beginning of it is cut off.
func ofItself(s *ssa.Store, at *ssa.FieldAddr) (cut, own bool) {
	for v := s.Val; ; {
		switch x := v.(type) {
		case *ssa.Slice:
			cut, v = cut || ssax.CutsOff(x), x.X
			continue
		case *ssa.Call:
			if appended := appendedTo(x); appended != nil {
				v = appended
				continue
			}
		case *ssa.UnOp:
			return cut, ssax.Load(x) != nil && ssax.FieldVar(x.X) == ssax.FieldVar(at)
		}
		return false, false
	}
}

// appendedTo returns the first argument of a call of append, nil if it is none.
func appendedTo(call *ssa.Call) ssa.Value {
	if b, ok := call.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
		return call.Call.Args[0]
	}
	return nil
}

// store notes what a store to a field says.
func (k *kept) store(s *ssa.Store, at *ssa.FieldAddr) {
	asked := asks(s, at)
	switch {
	case appends(s):
		if !asked {
			k.left, k.adds = true, true
		}
	case isSomething(s.Val), adds(s) && slices.Contains([]token.Token{token.ADD, token.OR}, s.Val.(*ssa.BinOp).Op):
		k.asked = k.asked || asked
		k.set(s)
	case asked && isMade(s.Val): // where there is none
	case isGiven(s):
		k.given = true
	default:
		k.renewed = true
	}
}

// isGiven reports whether a store is of what the caller of an exported method gives, other than one that makes
// its receiver ready.
func isGiven(s *ssa.Store) bool {
	prm, ok := s.Val.(*ssa.Parameter)
	return ok && ssax.IsReference(prm.Type()) && isExportedMethod(s.Parent()) && !names.IsRenewing(s.Parent().Name())
}

// set notes that an instruction sets the field to something: each user, or one that comes to it.
func (k *kept) set(by ssa.Instruction) {
	if conditional(by) || isExportedMethod(by.Parent()) {
		k.left = true
	} else if s, ok := by.(*ssa.Store); !ok || !adds(s) {
		k.renewed = true
	}
}

func isExportedMethod(f *ssa.Function) bool {
	return f.Signature.Recv() != nil && token.IsExported(f.Name())
}

// loaded notes what is done with a map or a pointer that a field holds.
func (k *kept) loaded(o *track.Table, load *ssa.UnOp) {
	if accumulates(load.Type()) {
		k.content(o, load)
		return
	}
	k.tested = k.tested || slices.ContainsFunc(*load.Referrers(), func(ref ssa.Instruction) bool {
		op, ok := ref.(*ssa.BinOp)
		return ok && (ssax.IsNil(op.X) || ssax.IsNil(op.Y))
	})
	if _, isMap := load.Type().Underlying().(*types.Map); !isMap {
		return
	}
	for _, ref := range *load.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef, *ssa.Lookup, *ssa.Range, *ssa.BinOp, *ssa.MakeInterface:
		case *ssa.MapUpdate:
			if ref.Map == ssa.Value(load) {
				k.left, k.adds = true, true
				continue
			}
			k.renewed = true
		case *ssa.Call:
			k.renewed = k.renewed || o.Program.Resolve(ref).Builtin != "len"
		default:
			k.renewed = true
		}
	}
}

// content notes what is done with a buffer, a builder or a hash in a field.
func (k *kept) content(o *track.Table, v ssa.Value) {
	does := content{p: o.Program, paths: o.Paths}
	does.look(alias.Of(o.Program, v), 0)
	k.renewed = k.renewed || does.did[unknown] || does.did[drains]
	if does.did[writes] {
		k.left, k.adds = true, true
	}
}

// isMade reports whether a value is a map, a slice or a struct that is made here.
func isMade(v ssa.Value) bool {
	return ssax.Is[*ssa.MakeMap](v) || ssax.Is[*ssa.MakeSlice](v) || ssax.Is[*ssa.Alloc](v)
}

// appends reports whether a store adds elements to those of a field: x.list = append(x.list, y).
func appends(s *ssa.Store) bool {
	call, ok := s.Val.(*ssa.Call)
	if !ok {
		return false
	}
	load := ssax.Load(appendedTo(call))
	return load != nil && ssax.FieldVar(load.X) != nil && ssax.FieldVar(load.X) == ssax.FieldVar(s.Addr)
}

// asks reports whether an instruction is reached on what its field holds, or on how long a list of its struct is.
func asks(instr ssa.Instruction, at *ssa.FieldAddr) bool {
	for cond, below := range ssax.Above(instr.Block()) {
		if _, decides := ssax.Leads(cond, below); decides && ssax.Computed(cond.Cond, func(v ssa.Value) (is, goOn bool) {
			load := ssax.Load(v)
			if load == nil {
				return false, true
			}
			from, ok := load.X.(*ssa.FieldAddr)
			return ok && (ssax.FieldVar(from) == ssax.FieldVar(at) || from.X == at.X && ssax.IsSlice(load.Type())), true
		}) {
			return true
		}
	}
	return false
}

// isSomething reports whether a value is a constant other than false and zero.
func isSomething(v ssa.Value) bool {
	if isTrue, known := ssax.Truth(v); known {
		return isTrue
	}
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && ssax.IsInteger(c.Type()) && c.Int64() > 0
}

// conditional reports whether an instruction is not on every path through a declared function.
func conditional(instr ssa.Instruction) bool {
	for cond, below := range ssax.Above(instr.Block()) {
		if _, known := ssax.Leads(cond, below); known {
			return true
		}
	}
	return instr.Parent().Parent() != nil
}

// stays reports whether a field is as users left it.
func (l fields) stays(field *types.Var) bool {
	k := l[field]
	return k != nil && (k.left || k.given && k.tested) && !k.renewed
}
