package observe

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// view is what a walk knows of an object at one point of a path.
type view struct {
	*Table
	al   *alias.Set
	live func(ssa.Value) bool  // whether a value is an alias here
	held func(memory.Var) bool // whether a place holds the object here
}

// touch is what an instruction does with an object.
type touch struct {
	kind  events.Kind // Use or Put; 0: nothing
	how   events.How
	what  string
	reach events.Reach
	value ssa.Value // the alias
}

// touches returns what an instruction does with the object.
func (v *view) touches(instr ssa.Instruction) touch {
	switch instr := instr.(type) {
	case *ssa.Store:
		return v.store(instr)
	case *ssa.UnOp:
		if ssax.Load(instr) != nil && v.memory(instr.X) && !isAlloc(instr.X) {
			return v.use(instr.X, events.Read, "")
		}
	case *ssa.Index:
		if v.memory(instr.X) {
			return v.use(instr.X, events.Read, "")
		}
	case *ssa.Lookup:
		if v.memory(instr.X) {
			return v.use(instr.X, events.Read, "")
		}
	case *ssa.Range:
		if v.memory(instr.X) {
			return v.use(instr.X, events.Read, "range")
		}
	case *ssa.BinOp:
		for _, x := range []ssa.Value{instr.X, instr.Y} {
			if b, ok := x.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 && v.memory(x) {
				return v.use(x, events.Read, "")
			}
		}
	case *ssa.Convert:
		if v.memory(instr.X) && ssax.Copies(instr) {
			return v.use(instr.X, events.Read, "")
		}
	case *ssa.MapUpdate:
		switch {
		case v.memory(instr.Map):
			return v.use(instr.Map, events.Written, "")
		case v.live(instr.Value) && v.al.Of(instr.Map) == nil:
			return v.use(instr.Value, events.StoredMap, "")
		}
	case *ssa.Send:
		if v.live(instr.X) {
			return v.use(instr.X, events.Sent, "")
		}
	case *ssa.Select:
		for _, s := range instr.States {
			if s.Send != nil && v.live(s.Send) {
				return v.use(s.Send, events.Sent, "")
			}
		}
	case *ssa.Return:
		for _, r := range instr.Results {
			if v.live(r) {
				return v.use(r, events.Returned, "")
			}
		}
	case *ssa.MakeClosure:
		return v.closure(instr)
	case ssa.CallInstruction:
		return v.call(instr)
	}
	return touch{}
}

func isAlloc(x ssa.Value) bool {
	_, ok := x.(*ssa.Alloc)
	return ok
}

// memory reports whether x is the memory of the object here, not only something
// that refers to it.
func (v *view) memory(x ssa.Value) bool {
	info := v.al.Of(x)
	return info != nil && !info.Holder && v.live(x)
}

func (v *view) use(x ssa.Value, how events.How, what string) touch {
	return touch{events.Use, how, what, v.al.Of(x).Reach, x}
}

func (v *view) store(s *ssa.Store) touch {
	if v.memory(s.Addr) {
		return v.use(s.Addr, events.Written, "")
	}
	if !v.live(s.Val) {
		return touch{}
	}
	place, ok := v.Program.Place(s.Addr)
	if ok && place.Local() {
		return touch{}
	}
	if base := v.al.Of(place.Base); ok && base != nil && base.Holder {
		return touch{}
	}
	how := events.StoredField
	if _, global := place.Base.(*ssa.Global); ok && global {
		how = events.StoredGlobal
	}
	return v.use(s.Val, how, "")
}

// closure returns the use by a literal that goes elsewhere than into a call.
func (v *view) closure(made *ssa.MakeClosure) touch {
	if ssax.OnlyCalled(made) {
		return touch{}
	}
	fn := made.Fn.(*ssa.Function)
	if fn.Synthetic != "" { // a method value
		for _, b := range made.Bindings {
			if v.memory(b) {
				return v.use(b, events.Captured, "")
			}
		}
		return touch{}
	}
	for _, b := range made.Bindings {
		if alloc, ok := b.(*ssa.Alloc); ok && v.held(memory.Var{Base: alloc}) {
			if t := v.inside(fn, alloc); t.kind != 0 {
				t.how = events.Captured
				return t
			}
		}
	}
	return touch{}
}

// inside returns the first use of a captured variable in a literal, if there is
// one.
func (v *view) inside(fn *ssa.Function, alloc *ssa.Alloc) touch {
	place := memory.Var{Base: alloc}
	seen := make(map[ssa.Value]bool)
	var live func(ssa.Value) bool
	live = func(x ssa.Value) bool {
		info := v.al.Of(x)
		if info == nil || x.Parent() != fn || seen[x] {
			return false
		}
		if at, loaded := v.al.Loaded(x); loaded {
			return at == place && !overwrites(v.Program, fn, place)
		}
		seen[x] = true
		defer delete(seen, x)
		if phi, ok := x.(*ssa.Phi); ok {
			return info.Must && phi.Parent() == fn
		}
		for _, s := range v.al.Sources(x) {
			if live(s) && !v.al.Never(x) {
				return true
			}
		}
		return false
	}
	inner := &view{Table: v.Table, al: v.al, live: live, held: func(at memory.Var) bool { return at == place }}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if t := inner.touches(instr); t.kind == events.Use && !flagged(instr, alloc, v.Program) {
				return t
			}
		}
	}
	return touch{}
}

// flagged reports whether a literal reaches an instruction only if another
// captured variable says so: a flag that the function around sets.
func flagged(instr ssa.Instruction, object *ssa.Alloc, p *flow.Program) bool {
	for b := instr.Block(); b.Idom() != nil; b = b.Idom() {
		cond, ok := b.Idom().Instrs[len(b.Idom().Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		for _, place := range p.KeyOf(cond.Cond).Places {
			if alloc, isVar := place.Base.(*ssa.Alloc); isVar && alloc != object && alloc.Parent() != instr.Parent() {
				return true
			}
		}
	}
	return false
}

// overwrites reports whether a literal assigns to a place.
func overwrites(p *flow.Program, fn *ssa.Function, place memory.Var) bool {
	for _, s := range p.StoresTo(fn, place) {
		if s.Parent() == fn {
			return true
		}
	}
	return false
}

// call returns what a call does with the object.
func (v *view) call(instr ssa.CallInstruction) touch {
	return v.resolved(v.Program.Resolve(instr))
}

// resolved returns what a call does with the object.
func (v *view) resolved(c flow.Call) touch {
	instr := c.Instr
	if t := v.fields(&c); t.kind != 0 {
		return t
	}
	if c.Builtin != "" {
		return v.builtin(&c)
	}
	if c.Fn != nil && c.Fn.Pkg() != nil && c.Fn.Pkg().Path() == "runtime" {
		return touch{} // KeepAlive, SetFinalizer, AddCleanup
	}
	var first touch
	for i, arg := range c.Args {
		if i >= c.Captures {
			if t := v.captured(&c, i, arg); t.kind == events.Put || first.kind == 0 && t.kind != 0 {
				first = t
			}
			continue
		}
		info := v.al.Of(arg)
		if info == nil || !v.live(arg) {
			continue
		}
		switch {
		case c.Summary.Gives(i) && !info.Holder && v.same(arg):
			return touch{events.Put, givenTo(&c, i), c.Name(), info.Reach, arg}
		case c.Summary.RefPut.Has(i):
			continue
		case c.Summary.MayPut.Has(i):
			if _, told := c.Summary.Tells(i); told && first.kind == 0 && !info.Holder && v.same(arg) {
				first = v.use(arg, events.Passed, c.Name()) // it looks at the object first
			}
		case info.Holder && info.Args:
			if first.kind == 0 {
				first = v.use(arg, events.Passed, c.Name())
			}
		case info.Holder:
			if first.kind == 0 && i == 0 && names.IsTouching(c.Name()) && method(&c) {
				first = v.use(arg, events.Passed, c.Name())
			}
		default:
			if first.kind == 0 {
				first = v.use(arg, events.Passed, c.Name())
			}
		}
	}
	// A function value that holds the object: a method value.
	if first.kind == 0 && c.Fn == nil && !c.Invoke {
		if info := v.al.Of(instr.Common().Value); info != nil && !info.Holder && v.live(instr.Common().Value) {
			return v.use(instr.Common().Value, events.Passed, "")
		}
	}
	return first
}

// givenTo returns how a callee ends argument i: it takes it over where a directive says
// so, and puts it otherwise.
func givenTo(c *flow.Call, i int) events.How {
	if c.Summary.Owns.Has(i) && !c.Summary.MayPut.Has(i) {
		return events.Taken
	}
	return events.Plain
}

func method(c *flow.Call) bool { return c.Fn != nil && c.Fn.Signature().Recv() != nil }

// same reports whether a value is the object itself, as it is put: not a part of
// it that is an object of its own.
func (v *view) same(arg ssa.Value) bool {
	info := v.al.Of(arg)
	if info.Field == flow.None {
		return true
	}
	root := v.al.Of(v.al.Root)
	return root != nil && info.Field == root.Field
}

// captured returns what a called literal does with a variable that it captures.
func (v *view) captured(c *flow.Call, i int, addr ssa.Value) touch {
	alloc, ok := addr.(*ssa.Alloc)
	if !ok || !v.held(memory.Var{Base: alloc}) {
		return touch{}
	}
	if c.Summary.Gives(i) {
		return touch{events.Put, events.Plain, c.Name(), events.Whole, v.al.Root}
	}
	if c.Summary.MayPut.Has(i) || c.Summary.RefPut.Has(i) || c.Lit == nil {
		return touch{}
	}
	t := v.inside(c.Lit, alloc)
	if t.kind == events.Use {
		t.how = events.Captured
	}
	return t
}

func (v *view) builtin(c *flow.Call) touch {
	switch c.Builtin {
	case "append":
		if len(c.Args) > 0 && v.memory(c.Args[0]) {
			return v.use(c.Args[0], events.Written, "append")
		}
		if len(c.Args) > 1 && v.memory(c.Args[1]) {
			return v.use(c.Args[1], events.Read, "append")
		}
		if len(c.Args) > 1 && v.live(c.Args[1]) && !v.al.Of(c.Args[1]).Args {
			return v.use(c.Args[1], events.Passed, "append")
		}
	case "copy", "print", "println", "delete", "min", "max":
		for i, arg := range c.Args {
			if v.memory(arg) {
				how := events.Read
				if i == 0 {
					how = events.Written
				}
				return v.use(arg, how, c.Builtin)
			}
		}
	case "clear":
		if v.memory(c.Args[0]) {
			return v.use(c.Args[0], events.Written, "clear")
		}
	}
	return touch{}
}
