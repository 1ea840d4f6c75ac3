package track

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// View is a walk's knowledge of an object at one point of a path.
type View struct {
	*Table
	al   *alias.Set
	live func(ssa.Value) bool  // whether a value is an alias here
	held func(memory.Var) bool // whether a place holds the object here
	eval func(cond ssa.Value) (value, known bool)
	// looked are the literals that Inside has looked into from here, or is looking into:
	// literals call themselves and each other.
	looked map[insideLiteral]Touch
}

// insideLiteral is a literal and a variable that it captures.
type insideLiteral struct {
	fn    *ssa.Function
	alloc *ssa.Alloc
}

// Touch is the effect of an instruction on an object.
type Touch struct {
	Kind  events.Kind // Use or Put; 0: nothing
	How   events.How
	What  string
	Reach events.Reach
	Value ssa.Value // the alias
}

// memory reports whether x is the memory of the object here, not only something
// that refers to it.
func (v *View) memory(x ssa.Value) bool {
	info := v.al.Of(x)
	return info != nil && !info.Holder && v.live(x)
}

func (v *View) use(x ssa.Value, how events.How, what string) Touch {
	return Touch{events.Use, how, what, v.al.Of(x).Reach, x}
}

// same reports whether a value is the object itself, as it is put: not a part of
// it that is an object of its own.
func (v *View) same(arg ssa.Value) bool {
	info := v.al.Of(arg)
	if info.Field == flow.None {
		return true
	}
	root := v.al.Of(v.al.Root)
	return root != nil && info.Field == root.Field
}

// touches returns what an instruction does with the object.
func (v *View) touches(instr ssa.Instruction) Touch {
	switch instr := instr.(type) {
	case *ssa.Store:
		return v.store(instr)
	case *ssa.UnOp:
		if ssax.Load(instr) != nil && v.memory(instr.X) && !ssax.Is[*ssa.Alloc](instr.X) {
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
	case *ssa.Send, *ssa.Select:
		for s := range ssax.Sends(instr) {
			if v.live(s.Value) {
				return v.use(s.Value, events.Sent, "")
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
		return v.Call(instr)
	}
	return Touch{}
}

func (v *View) store(s *ssa.Store) Touch {
	if v.memory(s.Addr) {
		return v.use(s.Addr, events.Written, "")
	}
	if !v.live(s.Val) {
		return Touch{}
	}
	place, ok := v.Program.Place(s.Addr)
	if ok && place.Local() {
		return Touch{}
	}
	if base := v.al.Of(place.Base); ok && base != nil && base.Holder {
		return Touch{}
	}
	how := events.StoredField
	if _, global := place.Base.(*ssa.Global); ok && global {
		how = events.StoredGlobal
	}
	return v.use(s.Val, how, "")
}

// Call returns what a call does with the object.
func (v *View) Call(instr ssa.CallInstruction) Touch {
	return v.Resolved(v.Program.Resolve(instr))
}

// Resolved returns what a call does with the object.
func (v *View) Resolved(c flow.Call) Touch {
	instr := c.Instr
	if t := v.Effects(&c); t.Kind != 0 {
		return t
	}
	if c.Builtin != "" {
		return v.builtin(&c)
	}
	if c.Fn != nil && c.Fn.Pkg() != nil && c.Fn.Pkg().Path() == "runtime" {
		return Touch{} // KeepAlive, SetFinalizer, AddCleanup
	}
	var first Touch
	for i, arg := range c.Args {
		if i >= c.Captures {
			if t := v.captured(&c, i, arg); t.Kind == events.Put || first.Kind == 0 && t.Kind != 0 {
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
			return Touch{events.Put, GivenTo(&c, i), c.Name(), info.Reach, arg}
		case c.Summary.RefPut.Has(i):
			continue
		case c.Summary.MayPut.Has(i):
			if _, told := c.Summary.Tells(i); told && first.Kind == 0 && !info.Holder && v.same(arg) {
				first = v.use(arg, events.Passed, c.Name()) // it looks at the object first
			}
		case info.Holder && info.Args:
			if first.Kind == 0 {
				first = v.use(arg, events.Passed, c.Name())
			}
		case info.Holder:
			if first.Kind == 0 && i == 0 && names.IsTouching(c.Name()) && flow.IsMethod(&c) {
				first = v.use(arg, events.Passed, c.Name())
			}
		default:
			if first.Kind == 0 {
				first = v.use(arg, events.Passed, c.Name())
			}
		}
	}
	// A function value that holds the object: a method value.
	if first.Kind == 0 && c.Fn == nil && !c.Invoke {
		if info := v.al.Of(instr.Common().Value); info != nil && !info.Holder && v.live(instr.Common().Value) {
			return v.use(instr.Common().Value, events.Passed, "")
		}
	}
	return first
}

// Effects returns what a call does with the object through a struct that it gets,
// whose field holds it.
func (v *View) Effects(c *flow.Call) (t Touch) {
	started := c.Started()
	v.Each(c, func(place memory.Var, e summary.FieldEffect) bool {
		if !v.al.Holds(place) || !v.held(place) {
			return true
		}
		reach := events.Whole
		if c.Lit == nil {
			reach = events.Field
		}
		switch {
		case e.Puts && !started:
			t = Touch{events.Put, events.Plain, c.Name(), reach, nil}
			return false
		case e.Uses || started && e.May:
			t = Touch{events.Use, events.Passed, c.Name(), reach, nil}
		}
		return true
	})
	return t
}

// mayPut reports whether a call puts the object, on some paths, through a struct that
// it gets.
func (v *View) mayPut(call ssa.CallInstruction) (may bool) {
	c := v.Program.Resolve(call)
	v.Each(&c, func(place memory.Var, e summary.FieldEffect) bool {
		may = may || e.MayPut && v.al.Holds(place) && v.held(place)
		return !may
	})
	return may
}

// GivenTo returns how a callee ends argument i: it takes it over where a directive says
// so, and puts it otherwise.
func GivenTo(c *flow.Call, i int) events.How {
	if c.Summary.Owns.Has(i) && !c.Summary.MayPut.Has(i) {
		return events.Taken
	}
	return events.Plain
}

// captured returns what a called literal does with a variable that it captures.
func (v *View) captured(c *flow.Call, i int, addr ssa.Value) Touch {
	alloc, ok := addr.(*ssa.Alloc)
	if !ok || !v.held(memory.Var{Base: alloc}) {
		return Touch{}
	}
	if c.Summary.Gives(i) {
		return Touch{events.Put, events.Plain, c.Name(), events.Whole, v.al.Root}
	}
	if c.Summary.RefPut.Has(i) || c.Lit == nil {
		return Touch{}
	}
	t := v.Inside(c.Lit, alloc)
	switch {
	case t.Kind == events.Put:
		return Touch{events.Put, events.Plain, c.Name(), events.Whole, v.al.Root}
	case c.Summary.MayPut.Has(i):
		return Touch{} // it may put the object where it uses it, and not if somebody else did
	case t.Kind == events.Use:
		t.How = events.Captured
	}
	return t
}

func (v *View) builtin(c *flow.Call) Touch {
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
	return Touch{}
}
