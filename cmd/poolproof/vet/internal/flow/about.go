package flow

import (
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// Conditions tells what conditions say of one object.
type Conditions struct {
	Program *Program
	Object  func(ssa.Value) bool // whether a value is the object
}

// About reports whether a condition is about one object alone: about its fields,
// its length or capacity, or what a method of it with one result that is no error
// says; compared with what is no other object. Such a condition decides whether
// the object is fit to be kept. One that reads what its memory contains does not: it is
// about the data.
func (o Conditions) About(cond ssa.Value) bool {
	asked := about{Conditions: o}
	return asked.only(cond, 0) && asked.found
}

// OfFitness is About, but for a condition that asks whether the object is another one: what is not put
// then is not unfit.
func (o Conditions) OfFitness(cond ssa.Value) bool {
	asked := about{Conditions: o}
	only := asked.only(cond, 0)
	return only && asked.found && !asked.identity
}

// ForWork reports whether a condition about an object decides about the work to do with it, not about
// whether it is fit: it asks for a length, and not for a capacity, and on the other side code uses the
// object before it ends. Blocks from which no end is reached are not looked at.
func (o Conditions) ForWork(cond ssa.Value, other *ssa.BasicBlock, reaches func(*ssa.BasicBlock) bool, ends func(ssa.Instruction) bool) bool {
	asks := func(name string) bool {
		return ssax.Computed(cond, func(v ssa.Value) (is, goOn bool) {
			call, ok := v.(*ssa.Call)
			if !ok {
				return false, true
			}
			c := o.Program.Resolve(call)
			return strings.EqualFold(c.Name(), name), false
		})
	}
	if !asks("len") || asks("cap") {
		return false
	}
	seen := make(map[*ssa.BasicBlock]bool)
	var used func(b *ssa.BasicBlock) bool
	used = func(b *ssa.BasicBlock) bool {
		if seen[b] || !reaches(b) {
			return false
		}
		seen[b] = true
		for _, instr := range b.Instrs {
			if ends(instr) {
				return false
			}
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			c := o.Program.Resolve(call)
			if c.Builtin != "len" && c.Builtin != "cap" && c.Builtin != "clear" && !names.IsCleaning(c.Name()) && !names.IsSize(c.Name()) && slices.ContainsFunc(c.Args, o.Object) {
				return true
			}
		}
		return slices.ContainsFunc(b.Succs, used)
	}
	return used(other)
}

// about is a question whether a condition is about the object alone.
type about struct {
	Conditions
	found    bool // it is about the object at all
	identity bool // it asks whether it is another object
}

func (o *about) only(x ssa.Value, depth int) bool {
	if depth > 8 {
		return false
	}
	if ssax.HasPointers(x.Type()) && o.Object(x) {
		o.found = true
		return !isContent(x)
	}
	next := func(x ssa.Value) bool { return o.only(x, depth+1) }
	switch x := x.(type) {
	case *ssa.Const, *ssa.Global, *ssa.Parameter, *ssa.FreeVar:
		return true // a limit
	case *ssa.Convert:
		return !ssax.Copies(x) && next(x.X)
	case *ssa.UnOp:
		return x.Op != token.ARROW && next(x.X)
	case *ssa.IndexAddr: // a table of limits
		return next(x.X)
	case *ssa.BinOp:
		o.identity = o.identity || o.ofIdentity(x)
		return next(x.X) && next(x.Y)
	case *ssa.ChangeType, *ssa.FieldAddr, *ssa.TypeAssert, *ssa.Lookup: // the pool of a size, out of a map
		for operand := range ssax.Operands(x.(ssa.Instruction)) {
			if !next(operand) {
				return false
			}
		}
		return true
	case *ssa.Extract:
		switch tuple := x.Tuple.(type) {
		case *ssa.TypeAssert:
			return next(tuple.X)
		case *ssa.Lookup:
			return next(tuple)
		}
		return false
	case *ssa.Phi:
		for _, e := range x.Edges {
			if !o.only(e, depth+2) {
				return false
			}
		}
		return true
	case *ssa.Call:
		if _, tuple := x.Type().Underlying().(interface{ Len() int }); tuple || ssax.IsError(x.Type()) {
			return false
		}
		c := o.Program.Resolve(x)
		if len(c.Args) == 1 && (c.Builtin == "len" || c.Builtin == "cap") && o.Object(c.Args[0]) {
			o.found = true
			return true
		}
		if c.Builtin == "copy" || c.Builtin == "append" {
			return false // what it has done with the memory
		}
		for _, arg := range c.Args {
			if !next(arg) {
				return false
			}
		}
		return true
	}
	return false
}

// ofIdentity reports whether a comparison asks whether the object is another one that the function has
// to do with: not nil, and no package variable, which stands for an object that no pool has.
func (o *about) ofIdentity(x *ssa.BinOp) bool {
	is := func(v ssa.Value) bool { return ssax.Pointee(v.Type()) != nil && o.Object(v) }
	known := func(v ssa.Value) bool {
		if load := ssax.Load(v); load != nil {
			v = load.X
		}
		return ssax.IsNil(v) || ssax.Is[*ssa.Global](v)
	}
	return is(x.X) && !known(x.Y) || is(x.Y) && !known(x.X)
}

// isContent reports whether an alias of an object is a piece of its memory: the address of
// an element, or a slice.
func isContent(x ssa.Value) bool {
	switch x := x.(type) {
	case *ssa.IndexAddr:
		return true
	case *ssa.Slice:
		return x.Low != nil || x.High != nil || ssax.Pointee(x.X.Type()) != nil
	case *ssa.Call:
		return ssax.IsSlice(x.Type())
	}
	return false
}
