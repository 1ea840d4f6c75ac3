package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A variable whose address is converted to another type of pointer, only to be
// read there: *(*string)(unsafe.Pointer(&b)) is the memory of b.

// castReads returns the loads of what a conversion of an address leads to. It
// reports false if anything else is done with it.
func castReads(c *ssa.Convert) (loads []*ssa.UnOp, only bool) {
	if b, ok := c.Type().Underlying().(*types.Basic); !ok || b.Kind() != types.UnsafePointer {
		return nil, false
	}
	for _, ref := range *c.Referrers() {
		to, ok := ref.(*ssa.Convert)
		if !ok || Pointee(to.Type()) == nil {
			return nil, false
		}
		for _, use := range *to.Referrers() {
			load, ok := use.(*ssa.UnOp)
			if !ok || !isLoad(load) {
				return nil, false
			}
			loads = append(loads, load)
		}
	}
	return loads, true
}

// castVar returns the variable whose address was converted to addr.
func castVar(addr ssa.Value) *ssa.Alloc {
	to, ok := addr.(*ssa.Convert)
	if !ok {
		return nil
	}
	from, ok := to.X.(*ssa.Convert)
	if !ok {
		return nil
	}
	alloc, ok := from.X.(*ssa.Alloc)
	if !ok || !textual(Pointee(alloc.Type())) || !textual(Pointee(to.Type())) {
		return nil
	}
	return alloc
}

// textual reports whether a type is a string or a slice: its header refers to
// memory.
func textual(t types.Type) bool { return t != nil && (isString(t) || IsSlice(t)) }

// casts follows what is stored in a variable into reads under another type.
func (a spreader) casts(alloc *ssa.Alloc, v ssa.Value, info *Alias) {
	if info.Holder || !textual(Pointee(alloc.Type())) {
		return
	}
	for _, ref := range *alloc.Referrers() {
		c, ok := ref.(*ssa.Convert)
		if !ok {
			continue
		}
		loads, _ := castReads(c)
		for _, load := range loads {
			if textual(load.Type()) {
				next := a.derive(load, v, info)
				next.never = next.never || len(a.p.Stores(alloc).Whole) > 1
			}
		}
	}
}
