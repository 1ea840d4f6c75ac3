package track

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// Get is a value that a call got from a pool.
type Get struct {
	Call  flow.Call
	Value ssa.Value
}

// Put is an argument of a call that is given back.
type Put struct {
	Call     flow.Call
	Index    int
	Arg      ssa.Value // or the address of a captured variable
	Captured bool
	Certain  bool              // not only on some paths of the callee
	Counted  bool              // by a count of references
	If       []paths.Condition // on what the function was given, under which a called literal puts it
	Roots    []ssa.Value
	Told     ssa.Value // the result that says whether it was put; nil: none does, or nobody looks
	ToldYes  bool      // what told is then: true, or nil

	// Of a put of what a field of an argument holds: the field, whether the callee
	// sets it anew, whether a directive says that it takes the object over, and the object.
	Place  memory.Var
	Sets   bool
	Taken  bool
	Object *events.Object

	// Of a hand-over to code that puts: the instruction, and the case of a
	// select.
	At     ssa.Instruction
	Chosen *ssa.SelectState
	Waits  bool // a goroutine may wait until it puts: so long, the object is lent to it
}

// find collects the gets and puts of the function.
func (fn *Code) find() {
	for c := range fn.Program.Calls(fn.F) {
		if d, ok := c.Instr.(*ssa.Defer); ok {
			fn.Defers = append(fn.Defers, d)
		}
		for r := range (c.Summary.Getter | c.Summary.Holders).Members() {
			switch v := c.Result(r); {
			case v == nil:
			case c.Summary.Getter.Has(r):
				fn.Gets = append(fn.Gets, Get{c, v})
			default:
				fn.Holders = append(fn.Holders, Get{c, v})
			}
		}
		fn.putsOf(c)
		if c.Fn != nil && c.Fn.Name() == "Cleanup" && c.Fn.Pkg() != nil && c.Fn.Pkg().Path() == "testing" && len(c.Args) == 2 {
			if made, ok := c.Args[1].(*ssa.MakeClosure); ok {
				fn.Cleanups = append(fn.Cleanups, fn.Program.Closure(c.Instr, made))
			}
		}
	}
}

func (fn *Code) putsOf(c flow.Call) {
	for i, arg := range c.Args {
		p := Put{Call: c, Index: i, Arg: arg, Captured: i >= c.Captures, Certain: c.Summary.Gives(i)}
		if t, ok := c.Summary.Tells(i); ok && !p.Captured {
			p.Told, p.ToldYes = c.Result(t.Result), t.Value
			p.Certain = t.Value || p.Told != nil // who does not ask whether it failed has it still
		}
		if !p.Certain && !c.Summary.MayPut.Has(i) || !ssax.HasPointers(arg.Type()) {
			continue
		}
		if p.Captured && !p.Certain && c.Lit != nil && !c.Summary.RefPut.Has(i) {
			p.If = putsIf(fn.Table, c.Lit, arg)
		}
		fn.Puts = append(fn.Puts, p)
	}
}

// putsIf returns the conditions under which a literal puts what a variable holds, if they are all on what
// the function around was given.
func putsIf(o *Table, lit *ssa.Function, variable ssa.Value) []paths.Condition {
	for c := range o.Program.Calls(lit) {
		for i, arg := range c.Args[:c.Captures] {
			load := ssax.Load(ssax.Strip(arg))
			if load == nil || !c.Summary.Gives(i) || c.Started() || flow.Counted(o.Program, c.Instr) {
				continue
			}
			captured, ok := load.X.(*ssa.FreeVar)
			place, _ := o.Program.Place(load.X)
			if !ok || place.Base != variable || !o.Program.AtEntry(load, captured) || !o.Paths.Reached(load.Block()) {
				continue
			}
			if all := paths.Above(c.Instr.Block()); !slices.ContainsFunc(all, func(c paths.Condition) bool { return !memory.OnInput(c.If.Cond, o.Program.Places) }) {
				return all
			}
		}
	}
	return nil
}

// GetOf returns the get of which a value is the object.
func (fn *Code) GetOf(root ssa.Value) *Get {
	for i := range fn.Gets {
		if fn.Gets[i].Value == root {
			return &fn.Gets[i]
		}
	}
	return nil
}

// Result is the number of the result that the object is.
func (g *Get) Result() int { return ResultIndex(g.Value) }

// Instr is the instruction with which the object is given away.
func (p *Put) Instr() ssa.Instruction {
	if p.At != nil {
		return p.At
	}
	return p.Call.Instr
}

// Where returns the place that the object of a put is read from by a callee: a field, or a variable that
// a literal captures.
func (p *Put) Where() memory.Var {
	if p.Captured {
		return memory.Var{Base: p.Arg}
	}
	return p.Place
}

// State returns the state after a put: the conditions under which it puts, and what a callee may have let
// go of, the field out of which it put.
func (p *Put) State(w *paths.Walker) *paths.State {
	s := new(paths.State)
	for _, c := range p.If {
		w.Assume(c.If.Cond, c.Value, s)
	}
	if p.Place.Base != nil && p.Sets {
		s.Note(p.Place, false)
	}
	return s
}

// ResultIndex returns which result of a call a value is.
func ResultIndex(v ssa.Value) int {
	if e, ok := v.(*ssa.Extract); ok {
		return e.Index
	}
	return 0
}

// Tuple returns the results of the get, if it has several.
func (g Get) Tuple() ssa.Value {
	if e, ok := g.Value.(*ssa.Extract); ok {
		return e.Tuple
	}
	return nil
}

// Holder reports whether what was got is not the object but a struct that holds it.
func (g Get) Holder() bool { return g.Call.Summary.Holders.Has(ResultIndex(g.Value)) }

// UnlessNil reports whether the getter gets only where an argument is nil which is not the
// constant here: what it returns is what it was given.
func (g Get) UnlessNil() bool {
	return slices.ContainsFunc(g.Call.Summary.GotIfNil, func(t summary.GotIfNil) bool {
		return t.Result == ResultIndex(g.Value) && t.Param < g.Call.Captures && !ssax.IsNil(g.Call.Args[t.Param])
	})
}

// PutRoots returns the values that are the object of a put.
func (fn *Code) PutRoots(p *Put) []ssa.Value {
	if !p.Captured {
		if field, ok := ssax.Strip(p.Arg).(*ssa.FieldAddr); ok {
			return []ssa.Value{field} // the struct around it is another object
		}
		if phi := flow.Carried(fn.Program, p.Arg); phi != nil {
			return []ssa.Value{phi} // what this round makes is another object
		}
		if phi := piece(p); phi != nil {
			return []ssa.Value{phi}
		}
		return []ssa.Value{fn.Program.Origin(p.Arg)}
	}
	if alloc, ok := p.Arg.(*ssa.Alloc); ok {
		var roots []ssa.Value
		stores := fn.Program.Stores(alloc).Whole
		if seen := fn.Program.Seen(p.Instr(), alloc); !seen.Else && !p.Call.Deferred() {
			stores = seen.Stores
		}
		for _, s := range stores {
			if s.Parent() != fn.F || ssax.IsNil(s.Val) {
				continue
			}
			if memory.EarlierRound(s.Val, s, alloc, p.Instr()) {
				return []ssa.Value{p.Arg} // what this round assigns is another object
			}
			if r := fn.Program.Origin(s.Val); !slices.Contains(roots, r) {
				roots = append(roots, r)
			}
		}
		if len(roots) > 0 {
			return roots
		}
	}
	return []ssa.Value{p.Arg}
}

// piece returns the merged value of which a put in a loop gives back a piece, if each round
// cuts off its beginning: what this round puts is another piece. It is nil otherwise.
func piece(p *Put) ssa.Value {
	v := ssax.Strip(p.Arg)
	for {
		slice, ok := v.(*ssa.Slice)
		if !ok {
			break
		}
		v = ssax.Strip(slice.X)
	}
	phi, ok := v.(*ssa.Phi)
	if !ok || !ssax.Reaches(p.Call.Instr.Block(), phi.Block()) {
		return nil
	}
	for _, e := range phi.Edges {
		if rest, ok := ssax.Strip(e).(*ssa.Slice); ok && ssax.Strip(rest.X) == ssa.Value(phi) && ssax.CutsOff(rest) {
			return phi
		}
	}
	return nil
}

// Pool is which pool a get or a put is about: a package variable by its name, or a
// place in the function.
type Pool struct {
	Name  string // of a package variable with a path, "" if it is none
	place memory.Var
	Decl  *types.Var // the variable or field that holds it, nil if it is not known
}

// Other reports whether two pools are certainly not the same: two package
// variables, or two fields of one struct.
func (p Pool) Other(q Pool) bool {
	if p.Name != "" && q.Name != "" {
		return p.Name != q.Name
	}
	return p.Name == "" && q.Name == "" && p.place.Base == q.place.Base && p.place.Path != q.place.Path
}

// PoolFrom returns the pool that result i of a call comes from.
func (fn *Code) PoolFrom(c *flow.Call, i int) (Pool, bool) {
	if c.IsPoolGet() {
		return fn.poolAt(c.Args[0], "")
	}
	return fn.reach(c, c.Summary.From, i)
}

// PoolTo returns the pool that argument i of a call is put into.
func (fn *Code) PoolTo(c *flow.Call, i int) (Pool, bool) {
	if c.IsPoolPut() {
		return fn.poolAt(c.Args[0], "")
	}
	return fn.reach(c, c.Summary.To, i)
}

// PoolRef is a pool as the callers of the function know it.
func (fn *Code) PoolRef(p Pool, index int) (summary.PoolRef, bool) {
	if p.Name != "" {
		return summary.PoolRef{Index: index, Param: -1, Pool: p.Name}, true
	}
	i, path, ok := fn.Program.Given(fn.F, p.place)
	return summary.PoolRef{Index: index, Param: i, Pool: path}, ok
}

func (fn *Code) reach(c *flow.Call, refs []summary.PoolRef, i int) (Pool, bool) {
	ref, ok := summary.Pool(refs, i)
	switch {
	case !ok:
		return Pool{}, false
	case ref.Param < 0:
		return Pool{Name: ref.Pool}, true
	case ref.Param >= c.Captures || ref.Param >= len(c.Args):
		return Pool{}, false
	}
	return fn.poolAt(c.Args[ref.Param], ref.Pool)
}

// poolAt returns the pool that a pool's address, or a struct with a path, is.
func (fn *Code) poolAt(v ssa.Value, path string) (Pool, bool) {
	place, ok := fn.Program.Inside(v, path)
	if !ok {
		return Pool{}, false
	}
	if g, isGlobal := place.Base.(*ssa.Global); isGlobal && g.Pkg != nil {
		decl, _ := g.Object().(*types.Var)
		if field := ssax.FieldVar(v); field != nil {
			decl = field
		}
		return Pool{Name: g.Pkg.Pkg.Path() + "." + g.Name() + place.Path, Decl: decl}, true
	}
	return Pool{place: place, Decl: ssax.FieldVar(v)}, true
}
