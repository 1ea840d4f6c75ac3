package track

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

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
