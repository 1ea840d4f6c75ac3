package scene

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/channels"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// Package is shared by the functions of one package.
type Package struct {
	Pass   *analysis.Pass
	Events *events.Events // to which the events are added

	// LentType returns whether values of a type are lent to callbacks.
	LentType func(types.Type) (*types.TypeName, bool)

	Effects *track.Table
	Chans   *channels.Channels
	Funcs   []*ssa.Function // all of the package, in source order

	// Shrinks are the fields of pooled structs of which code cuts off the beginning, and that no code gives
	// another slice.
	Shrinks map[*types.Var]bool

	source *source
	owners map[*types.Var]bool
}

// Owned reports whether a field owns a pooled object: functions of the package put what it holds, or it
// is not exported and they store in it what they got from a pool.
func (o *Package) Owned(field *types.Var) bool {
	if o.owners == nil {
		p, got := o.Effects.Program, make(map[ssa.Value]bool)
		for _, f := range o.Funcs {
			for c := range p.Calls(f) {
				for r := range c.Summary.Getter.Members() {
					got[c.Result(r)] = true
				}
			}
		}
		o.owners = make(map[*types.Var]bool)
		for _, f := range o.Funcs {
			if len(got) == 0 {
				break
			}
			for s := range ssax.Of[*ssa.Store](f) {
				if field := ssax.FieldVar(s.Addr); field != nil && !field.Exported() && got[p.Origin(s.Val)] {
					o.owners[field] = true
				}
			}
		}
	}
	return field != nil && (o.owners[field] || o.Effects.Fields[field])
}

// NewFunc returns a function without objects.
func (o *Package) NewFunc(f *ssa.Function) *events.Func {
	out := &events.Func{Name: f.RelString(o.Pass.Pkg), Pos: f.Pos(), Syntax: f.Syntax(), Test: o.Events.Test(f.Pos())}
	out.Obj, _ = f.Object().(*types.Func)
	return out
}

// Function is one function under observation.
type Function struct {
	*Package
	*track.Code
	Out *events.Func // what is observed
	// InFields are puts of what a field holds, by a callee.
	InFields []track.Put
	// Handed are hand-overs to code that puts.
	Handed []track.Put
	// Lists have their elements put, one after the other.
	Lists []track.Emptying
	// Passed are parameters of a literal of which its callee says what may be done with them.
	Passed []Passed
	// Shown are results that nobody may write.
	Shown []Shown
	// Made are the objects by their roots.
	Made map[ssa.Value]*events.Object
}

// New looks at a function of a package.
func New(o *Package, code *track.Code) *Function {
	fn := &Function{Package: o, Code: code, Made: make(map[ssa.Value]*events.Object)}
	fn.fieldPuts()
	fn.Passed, fn.Shown = passed(code), shown(code)
	fn.handOvers()
	fn.Lists = fn.Emptyings()
	return fn
}

// Concerned reports whether there is anything in a function that has to do with pools.
func (fn *Function) Concerned() bool {
	if len(fn.Gets)+len(fn.Puts)+len(fn.InFields)+len(fn.Handed)+len(fn.Holders)+len(fn.Lists)+len(fn.Passed)+len(fn.Shown) > 0 || fn.F.Name() == "Close" {
		return true
	}
	for s := range ssax.Of[*ssa.Store](fn.F) {
		if fn.Owned(ssax.SliceField(s.Addr)) || fn.Shrinks[ssax.FieldVar(s.Addr)] {
			return true
		}
	}
	lent := slices.ContainsFunc(fn.F.Params, func(p *ssa.Parameter) bool {
		_, ok := fn.LentType(p.Type())
		return ok
	})
	return lent || flow.Any(fn.Program.Calls(fn.F), func(c *flow.Call) bool { return c.Summary.RefPut != 0 })
}

// Done adds what was observed to the events of the package.
func (fn *Function) Done() {
	if fn.Walker.GaveUp {
		fn.Events.GaveUp = append(fn.Events.GaveUp, events.GivenUp{Pos: fn.Out.Pos, Func: fn.Out.Name})
	}
	if len(fn.Out.Objects) > 0 {
		fn.Events.Funcs = append(fn.Events.Funcs, fn.Out)
	}
}

// fieldPuts collects the calls that put what a field of an argument holds.
func (fn *Function) fieldPuts() {
	for c := range fn.Program.Calls(fn.F) {
		if c.Started() {
			continue
		}
		fn.Each(&c, func(place memory.Var, e summary.FieldEffect) bool {
			if (e.Puts || e.Told > 0) && !ssax.Is[*ssa.Global](place.Base) {
				p := track.Put{Call: c, Certain: true, Place: place, Sets: e.Sets, Taken: e.Taken}
				if e.Told > 0 {
					p.Told, p.ToldYes = c.Result(e.Told-1), true
				}
				fn.InFields = append(fn.InFields, p)
			}
			return true
		})
	}
}

// Passed is a parameter of a literal that goes into a call, and what the callee says of it.
type Passed struct {
	Param *ssa.Parameter
	To    string // the callee
	summary.Callback
}

// passed returns what is known of the parameters of a literal because of the call that it
// is an argument of, where that is all that becomes of it.
func passed(fn *track.Code) (list []Passed) {
	if fn.F.Parent() == nil {
		return nil
	}
	is := func(v ssa.Value) bool {
		made, ok := v.(*ssa.MakeClosure)
		return ok && made.Fn == fn.F || v == ssa.Value(fn.F)
	}
	for c := range fn.Program.Calls(fn.F.Parent()) {
		i := slices.IndexFunc(c.Args[:c.Captures], is)
		if i < 0 {
			continue
		}
		for _, b := range c.Summary.Callbacks {
			if b.Param == i && b.Arg < len(fn.F.Params) && (b.Lent || b.ReadOnly) {
				list = append(list, Passed{fn.F.Params[b.Arg], c.Name(), b})
			}
		}
	}
	return list
}

// Shown is a result that others read at the same time.
type Shown struct {
	Value ssa.Value
	Call  ssa.CallInstruction
	By    string // the callee
}

// shown returns the results of calls that nobody may write.
func shown(fn *track.Code) (list []Shown) {
	for c := range fn.Program.Calls(fn.F) {
		for r := range c.Summary.ReadOnly.Members() {
			if v := c.Result(r); v != nil {
				list = append(list, Shown{v, c.Instr, c.Name()})
			}
		}
	}
	return list
}
