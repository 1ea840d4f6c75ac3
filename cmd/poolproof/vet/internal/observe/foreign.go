package observe

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/pooldecl"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// pool is which pool a get or a put is about: a package variable by its name, or a
// place in the function.
type pool struct {
	name  string // of a package variable with a path, "" if it is none
	place memory.Var
	decl  *types.Var // the variable or field that holds it, nil if it is not known
}

// other reports whether two pools are certainly not the same: two package
// variables, or two fields of one struct.
func (p pool) other(q pool) bool {
	if p.name != "" && q.name != "" {
		return p.name != q.name
	}
	return p.name == "" && q.name == "" && p.place.Base == q.place.Base && p.place.Path != q.place.Path
}

// poolName returns how the source calls a pool, "" if it has no name: a package
// variable, with its package if that is another one, or a field.
func (fn *function) poolName(p pool) string {
	switch {
	case p.name != "":
		name := p.name[strings.LastIndexByte(p.name, '/')+1:]
		if strings.Count(name, ".") != 1 {
			if p.decl != nil && p.decl.IsField() {
				return pooldecl.Name(p.decl)
			}
			return ""
		}
		if own := fn.Pass.Pkg.Path() + "."; strings.HasPrefix(p.name, own) {
			return strings.TrimPrefix(p.name, own)
		}
		return name
	case p.decl != nil:
		return pooldecl.Name(p.decl)
	}
	return ""
}

// poolAt returns the pool that a pool's address, or a struct with a path, is.
func (fn *function) poolAt(v ssa.Value, path string) (pool, bool) {
	place, ok := fn.Program.Inside(v, path)
	if !ok {
		return pool{}, false
	}
	if g, isGlobal := place.Base.(*ssa.Global); isGlobal && g.Pkg != nil {
		decl, _ := g.Object().(*types.Var)
		if field := ssax.FieldVar(v); field != nil {
			decl = field
		}
		return pool{name: g.Pkg.Pkg.Path() + "." + g.Name() + place.Path, decl: decl}, true
	}
	return pool{place: place, decl: ssax.FieldVar(v)}, true
}

// from returns the pool that result i of a call comes from, to the one that
// argument i is put into.
func (fn *function) from(c *flow.Call, i int) (pool, bool) {
	if c.IsPoolGet() {
		return fn.poolAt(c.Args[0], "")
	}
	return fn.reach(c, c.Summary.From, i)
}

func (fn *function) to(c *flow.Call, i int) (pool, bool) {
	if c.IsPoolPut() {
		return fn.poolAt(c.Args[0], "")
	}
	return fn.reach(c, c.Summary.To, i)
}

func (fn *function) reach(c *flow.Call, refs []summary.PoolRef, i int) (pool, bool) {
	ref, ok := summary.Pool(refs, i)
	switch {
	case !ok:
		return pool{}, false
	case ref.Param < 0:
		return pool{name: ref.Pool}, true
	case ref.Param >= c.Captures || ref.Param >= len(c.Args):
		return pool{}, false
	}
	return fn.poolAt(c.Args[ref.Param], ref.Pool)
}

// ref is a pool as the callers of the function know it.
func (fn *function) ref(p pool, index int) (summary.PoolRef, bool) {
	if p.name != "" {
		return summary.PoolRef{Index: index, Param: -1, Pool: p.name}, true
	}
	i, path, ok := fn.Program.Given(fn.f, p.place)
	return summary.PoolRef{Index: index, Param: i, Pool: path}, ok
}

// learnPools learns which pools the results come from and the parameters go to.
func (fn *function) learnPools(s *summary.Summary) {
	s.From, s.To = nil, nil
	for r := range 64 {
		if s.Getter>>r == 0 {
			break
		}
		if s.Getter.Has(r) {
			if ref, ok := fn.onlySource(r); ok {
				s.From = append(s.From, ref)
			}
		}
	}
	for i, prm := range fn.f.Params {
		if !s.Gives(i) || i >= 64 {
			continue
		}
		var only summary.PoolRef
		known := false
		for j := range fn.puts {
			p := &fn.puts[j]
			if p.captured || fn.Program.Origin(p.arg) != ssa.Value(prm) {
				continue
			}
			at, ok := fn.to(&p.call, p.index)
			ref, named := fn.ref(at, i)
			if !ok || !named || known && ref != only {
				known = false
				break
			}
			only, known = ref, true
		}
		if known {
			s.To = append(s.To, only)
		}
	}
}

// onlySource returns the pool that all returns take result r from.
func (fn *function) onlySource(r int) (only summary.PoolRef, known bool) {
	for _, b := range fn.f.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || r >= len(ret.Results) || ssax.IsNil(ret.Results[r]) || b == fn.f.Recover {
			continue
		}
		root := fn.Program.Origin(ret.Results[r])
		g := fn.getOf(root)
		if g == nil {
			return only, false
		}
		at, ok := fn.from(&g.call, g.result())
		ref, named := fn.ref(at, r)
		if !ok || !named || known && ref != only {
			return only, false
		}
		only, known = ref, true
	}
	return only, known
}

// getOf returns the get of which a value is the object.
func (fn *function) getOf(root ssa.Value) *get {
	for i := range fn.gets {
		if fn.gets[i].value == root {
			return &fn.gets[i]
		}
	}
	return nil
}

// result is the number of the result that the object is.
func (g *get) result() int {
	if e, ok := g.value.(*ssa.Extract); ok {
		return e.Index
	}
	return 0
}

// foreign finds objects that are put into a pool which they do not come from, and
// memory that belongs to somebody else.
func (fn *function) foreign(p *put) {
	what := ""
	if g := fn.getOf(p.roots[0]); g != nil && len(p.roots) == 1 {
		from, ok := fn.from(&g.call, g.result())
		to, known := fn.to(&p.call, p.index)
		if ok && known && from.other(to) && fn.fed(from) == fn.fed(to) && !fn.chosenBy(p) {
			what = "it comes from another pool"
			if name := fn.poolName(from); name != "" {
				what = "it comes from the pool " + name
			}
		}
	} else if !p.captured {
		what = fn.owner(p)
	}
	if what == "" {
		return
	}
	e := fn.event(events.Exit, p.call.Instr)
	e.How, e.What = events.Foreign, what
	fn.history(p, events.History{Events: append(fn.getsOf(p), fn.putEvent(p), e)})
}

// fed reports whether a pool has no New: it lives on what is put. Where one of two pools
// is so, objects go from the one to the other on purpose.
func (o *Observer) fed(p pool) bool {
	if o.pools == nil {
		o.pools = pooldecl.Of(o.Pass)
	}
	d, ok := o.pools.Find(p.decl)
	return ok && d.Unset()
}

// chosenBy reports whether a test of the object decides whether this put is
// reached: its size says which pool it is fit for.
func (fn *function) chosenBy(p *put) bool {
	al := alias.Of(fn.Program, p.roots...)
	for b := p.call.Instr.Block(); b.Idom() != nil; b = b.Idom() {
		cond, ok := b.Idom().Instrs[len(b.Idom().Instrs)-1].(*ssa.If)
		if ok && fn.Program.About(cond.Cond, func(v ssa.Value) bool { return al.Of(v) != nil }) {
			return true
		}
	}
	return false
}

// owner says whose memory is put, "" if it is not known to be anybody's.
func (fn *function) owner(p *put) string {
	v := p.arg
	for range 12 {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
			continue
		case *ssa.ChangeType:
			v = x.X
			continue
		case *ssa.FieldAddr:
			if fn.shared(x.X) {
				return "it is the field " + ssax.FieldName(x) + " of a struct that stays in use"
			}
		case *ssa.IndexAddr:
			if fn.shared(x.X) {
				return "it is an element of a list that stays in use"
			}
		case *ssa.Slice:
			if elem := ssax.Pointee(x.X.Type()); elem != nil {
				if fn.shared(x.X) {
					return "it is a piece of an array that stays in use"
				}
				return ""
			}
			v = x.X
			continue
		case *ssa.Call:
			if b, ok := x.Call.Value.(*ssa.Builtin); ok && b.Name() == "Slice" {
				if inner, ok := x.Call.Args[0].(*ssa.Call); ok {
					if b, ok := inner.Call.Value.(*ssa.Builtin); ok && b.Name() == "StringData" {
						return "it is the memory of a string, which must not be written"
					}
				}
			}
		case *ssa.Alloc: // the address of a slice stands for its memory
			if s := fn.Program.Stores(x); ssax.IsSlice(ssax.Pointee(x.Type())) && len(s.Whole) == 1 {
				v = s.Whole[0].Val
				continue
			}
		case *ssa.Parameter:
			if fn.borrowedByContract(x) {
				return fn.f.Name() + " must not keep its argument"
			}
		}
		return ""
	}
	return ""
}

// shared reports whether an address is of memory that others know: a package
// variable, what a parameter or a field refers to.
func (fn *function) shared(v ssa.Value) bool {
	for range 8 {
		switch x := v.(type) {
		case *ssa.Global, *ssa.Parameter:
			return true
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		case *ssa.Slice:
			v = x.X
		case *ssa.UnOp:
			return ssax.Load(x) != nil && ssax.FieldVar(x.X) != nil
		default:
			return false
		}
	}
	return false
}

// borrowedByContract reports whether a parameter is one that the interfaces of
// package io forbid to keep.
func (fn *function) borrowedByContract(prm *ssa.Parameter) bool {
	sig := fn.f.Signature
	if sig.Recv() == nil || sig.Params().Len() == 0 || len(fn.f.Params) < 2 || fn.f.Params[1] != prm || !strings.Contains(" Write WriteAt Read ReadAt ", " "+fn.f.Name()+" ") {
		return false
	}
	return types.Identical(prm.Type(), types.NewSlice(types.Typ[types.Byte])) && sig.Results().Len() == 2
}
