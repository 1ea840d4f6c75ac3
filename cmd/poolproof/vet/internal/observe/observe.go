// Package observe turns functions into events: what happens to each pooled
// object on the paths of its function. What an event means is for the checks to
// say.
package observe

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/pooldecl"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// Package is what the functions of one package have in common.
type Package struct {
	Pass   *analysis.Pass
	Events *events.Events // to which the events are added

	// LentType returns whether values of a type are lent to callbacks.
	LentType func(types.Type) (*types.TypeName, bool)

	Effects *Table
	Chans   *channels
	Funcs   []*ssa.Function

	source *source
	pools  pooldecl.Decls
	left   *leftovers
}

// function is one function under observation.
type function struct {
	*Package
	*Code
	out *events.Func
	// fields are puts of what a field holds, by a callee.
	fields []put
	// handed are hand-overs to somebody who puts.
	handed []put
	// lists are what has its elements put, one after the other.
	lists []emptying
	made  map[ssa.Value]*events.Object // by root
}

// get is a value that a call got from a pool.
type get struct {
	call  flow.Call
	value ssa.Value
}

// put is an argument of a call that is given back.
type put struct {
	call     flow.Call
	index    int
	arg      ssa.Value // or the address of a captured variable
	captured bool
	certain  bool // not only on some paths of the callee
	counted  bool // by a count of references
	roots    []ssa.Value
	told     ssa.Value // the result that says whether it was put; nil: none does, or nobody looks
	toldYes  bool      // what told is then: true, or nil

	// Of a put of what a field of an argument holds: the field, whether the callee
	// sets it anew, and the object.
	place  memory.Var
	sets   bool
	object *events.Object

	// Of a hand-over to somebody who puts: the instruction, and the case of a
	// select.
	at     ssa.Instruction
	chosen *ssa.SelectState
	fails  ssa.Value // the error on which it depends, nil if on none
}

// Function adds the events of f.
func Function(o *Package, f *ssa.Function) {
	fn := newFunction(o, f)
	if !fn.concerned() {
		return
	}
	fn.out = o.newFunc(f)
	observe(fn)
	fn.end()
}

// newFunction looks at a function of a package.
func newFunction(o *Package, f *ssa.Function) *function {
	fn := &function{Package: o, Code: newCode(o.Effects, f, o.Events.Options.Budget), made: make(map[ssa.Value]*events.Object)}
	fn.fieldPuts()
	fn.handOvers()
	fn.lists = fn.emptyings()
	return fn
}

// concerned reports whether there is anything in a function that has to do with pools.
func (fn *function) concerned() bool {
	return len(fn.gets)+len(fn.puts)+len(fn.fields)+len(fn.handed)+len(fn.holders)+len(fn.lists) > 0 || fn.takesLent()
}

// end adds what was observed to the events of the package.
func (fn *function) end() {
	if fn.walker.GaveUp {
		fn.Events.GaveUp = append(fn.Events.GaveUp, events.GivenUp{Pos: fn.out.Pos, Func: fn.out.Name})
	}
	if len(fn.out.Objects) > 0 {
		fn.Events.Funcs = append(fn.Events.Funcs, fn.out)
	}
}

func (o *Package) newFunc(f *ssa.Function) *events.Func {
	out := &events.Func{Name: f.RelString(o.Pass.Pkg), Pos: f.Pos(), Syntax: f.Syntax(), Test: o.Events.Test(f.Pos())}
	out.Obj, _ = f.Object().(*types.Func)
	return out
}

// Sites are the places in one function where objects are got and put.
type Sites struct {
	Program *flow.Program
	f       *ssa.Function
	gets    []get
	puts    []put
	defers  []*ssa.Defer
	// cleanups are literals that a test runs at its end.
	cleanups []flow.Call
	// holders are new structs with a pooled object in them.
	holders []get
}

// sitesOf finds the sites of a function.
func sitesOf(p *flow.Program, f *ssa.Function) *Sites {
	fn := &Sites{Program: p, f: f}
	fn.find()
	return fn
}

// find collects the gets and puts of the function.
func (fn *Sites) find() {
	for _, b := range fn.f.Blocks {
		if b == fn.f.Recover {
			continue
		}
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if d, ok := instr.(*ssa.Defer); ok {
				fn.defers = append(fn.defers, d)
			}
			c := fn.Program.Resolve(call)
			for r := 0; c.Summary.Getter>>r != 0; r++ {
				if v := c.Result(r); v != nil && c.Summary.Getter.Has(r) {
					fn.gets = append(fn.gets, get{c, v})
				}
			}
			fn.holdersOf(c)
			fn.putsOf(c)
			if c.Fn != nil && c.Fn.Name() == "Cleanup" && c.Fn.Pkg() != nil && c.Fn.Pkg().Path() == "testing" && len(c.Args) == 2 {
				if made, ok := c.Args[1].(*ssa.MakeClosure); ok {
					fn.cleanups = append(fn.cleanups, fn.Program.Closure(call, made))
				}
			}
		}
	}
}

func (fn *Sites) putsOf(c flow.Call) {
	for i, arg := range c.Args {
		p := put{call: c, index: i, arg: arg, captured: i >= c.Captures, certain: c.Summary.Gives(i)}
		if t, ok := c.Summary.Tells(i); ok && !p.captured {
			p.certain = true
			p.told, p.toldYes = c.Result(t.Result), t.Value
		}
		if !p.certain && !c.Summary.MayPut.Has(i) || !ssax.HasPointers(arg.Type()) {
			continue
		}
		fn.puts = append(fn.puts, p)
	}
}

// observe makes an object of each get, and of each put whose object the function
// got otherwise.
func observe(fn *function) {
	budget := fn.budget
	step := func(f func()) {
		fn.walker.Budget = budget
		f()
	}
	for _, g := range fn.gets {
		fn.made[g.value] = fn.object(g.value, ssax.ObjectType(g.value), &g)
	}
	for i := range fn.puts {
		p := &fn.puts[i]
		p.roots = fn.putRoots(p)
		p.counted = flow.Counted(fn.Program, p.call.Instr)
		obj := fn.objectOf(p)
		obj.Puts = append(obj.Puts, fn.putEvent(p))
	}
	for i := range fn.puts {
		p := &fn.puts[i]
		if !p.certain || p.counted || p.call.Started() || !refers(fn.objectOf(p).Type) {
			continue // what a goroutine puts at its end is lent to it until then
		}
		step(func() {
			switch {
			case p.told != nil:
				fn.after(p)
				return // the rest holds of what is put on every path
			case p.call.Deferred():
				fn.deferred(p)
			default:
				fn.after(p)
			}
			fn.escapes(p)
			fn.growth(p)
			fn.field(p)
			fn.refs(p)
			fn.foreign(p)
		})
	}
	fn.afterFields(step)
	fn.afterOwners(step)
	fn.afterLists(step)
	fn.afterHandOvers(step)
	for _, g := range fn.gets {
		step(func() { fn.leaks(g) })
		fn.stale(g)
	}
	fn.leakingHolders(step)
	fn.lent()
}

// refers reports whether a pooled value of the type is an object: one that is
// copied when it is got is nobody's any more.
func refers(t types.Type) bool {
	if t == nil {
		return true
	}
	switch t.Underlying().(type) {
	case *types.Basic, *types.Struct, *types.Array:
		return t.Underlying() == types.Typ[types.UnsafePointer]
	}
	return true
}

// object makes an object and adds it to the function.
func (fn *function) object(root ssa.Value, t types.Type, g *get) *events.Object {
	obj := &events.Object{Func: fn.out, Type: t, Name: fn.nameOf(root)}
	switch {
	case t == nil || types.IsInterface(t):
		obj.Shape = events.Interface
	case ssax.IsBuffer(t):
		obj.Shape = events.Buffer
	}
	if g != nil {
		e := fn.event(events.Get, g.call.Instr)
		e.What = g.call.Name()
		obj.Get = &e
		obj.Custom = g.call.Custom && g.call.Invoke
	}
	fn.out.Objects = append(fn.out.Objects, obj)
	return obj
}

// objectOf returns the object that a put gives back.
func (fn *function) objectOf(p *put) *events.Object {
	if p.object != nil {
		return p.object
	}
	for _, r := range p.roots {
		if obj := fn.made[r]; obj != nil {
			return obj
		}
	}
	root := p.roots[0]
	t := root.Type()
	if p.captured && ssax.Pointee(t) != nil && root == p.arg && p.at == nil {
		t = ssax.Pointee(t)
	}
	obj := fn.object(root, t, nil)
	obj.Custom = p.call.Custom && p.call.Invoke
	fn.made[root] = obj
	return obj
}

// putRoots returns the values that are the object of a put.
func (fn *Sites) putRoots(p *put) []ssa.Value {
	if !p.captured {
		if field := interior(p.arg); field != nil {
			return []ssa.Value{field} // the struct around it is another object
		}
		if phi := flow.Carried(fn.Program, p.arg); phi != nil {
			return []ssa.Value{phi} // what this round makes is another object
		}
		return []ssa.Value{fn.Program.Origin(p.arg)}
	}
	if alloc, ok := p.arg.(*ssa.Alloc); ok {
		var roots []ssa.Value
		for _, s := range fn.Program.Stores(alloc).Whole {
			if s.Parent() != fn.f || ssax.IsNil(s.Val) {
				continue
			}
			if r := fn.Program.Origin(s.Val); !slices.Contains(roots, r) {
				roots = append(roots, r)
			}
		}
		if len(roots) > 0 {
			return roots
		}
	}
	return []ssa.Value{p.arg}
}

// interior returns the address of a field that an argument is, nil if it is none.
func interior(arg ssa.Value) ssa.Value {
	if m, ok := arg.(*ssa.MakeInterface); ok {
		arg = m.X
	}
	if field, ok := arg.(*ssa.FieldAddr); ok {
		return field
	}
	return nil
}

// Code is one function with what is known of it and of those that it calls.
type Code struct {
	Program *flow.Program
	*Table
	*Sites
	walker *paths.Walker
	budget int // steps of one walk
}

// newCode looks at a function.
func newCode(t *Table, f *ssa.Function, budget int) *Code {
	return &Code{
		Program: t.Program, Table: t, Sites: sitesOf(t.Program, f),
		walker: &paths.Walker{Program: t.Program}, budget: max(budget, 1),
	}
}

// aliases returns the aliases of the object of a put, and the place that holds
// it, if it is read from one. It is nil if nothing can be said of the object.
func (fn *Code) aliases(p *put) *alias.Set {
	if p.place.Base != nil {
		return fn.fieldAliases(p)
	}
	var al *alias.Set
	if alloc, ok := p.arg.(*ssa.Alloc); ok && p.captured {
		if len(p.roots) > 1 || p.roots[0] == p.arg {
			return nil // several objects in one variable, by a literal
		}
		al = alias.Of(fn.Program, p.roots[0])
		al.AddPlace(memory.Var{Base: alloc})
		return fn.bounded(al)
	}
	if p.captured {
		return nil
	}
	al = alias.Of(fn.Program, p.roots...)
	if load := ssax.Load(p.roots[0]); load != nil {
		if place, ok := fn.Program.Place(load.X); ok {
			al.AddPlace(place)
			fn.addViews(al, place, p)
		}
	}
	return fn.bounded(al)
}

// bounded returns aliases if they are all there are. If not, the function is
// given up.
func (fn *Code) bounded(al *alias.Set) *alias.Set {
	if al.Truncated {
		fn.walker.GaveUp = true
		return nil
	}
	return al
}

// detaches reports whether a call overwrites a field of argument i.
func detaches(c *flow.Call, i, field int) bool {
	return c.Summary.Detaches(i, field) || field != summary.All && c.Summary.Detaches(i, summary.All)
}
