// Package stale finds what the last user of a pooled object has left in it for the next one.
package stale

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// Leftovers are the fields of a package's pooled structs that keep what users leave there.
type Leftovers struct {
	fields    fields
	forgotten map[*types.Var]bool

	Forgetful map[*ssa.Function]string // the fields that functions leave out which reset others
}

// Learn reads all functions of a package.
func Learn(o *scene.Package) *Leftovers {
	l := &Leftovers{fields: make(fields), forgotten: make(map[*types.Var]bool), Forgetful: make(map[*ssa.Function]string)}
	pooled := pooled(o)
	if len(pooled) == 0 {
		return l
	}
	for instr := range ssax.Instrs(o.Funcs...) {
		l.fields.look(o.Effects, instr, func(v ssa.Value) *types.Struct {
			st, named := pooledStruct(v.Type(), o.Pass.Pkg)
			if ssax.Is[*ssa.Alloc](v) || pooled[named] == nil {
				return nil // a new one
			}
			return st
		})
	}
	for field, k := range l.fields {
		o.Shrinks[field] = k.cut && !k.whole
	}
	for _, t := range pooled {
		l.forgets(o, t)
	}
	return l
}

// pooled returns the pointers to structs of the package that pools have.
func pooled(o *scene.Package) map[*types.TypeName]types.Type {
	list := make(map[*types.TypeName]types.Type)
	for _, pool := range o.Events.Pools {
		for _, get := range pool.Gets {
			if get.Asserted == nil || len(pool.Puts) == 0 {
				continue
			}
			if st, named := pooledStruct(get.Asserted, o.Pass.Pkg); st != nil {
				list[named] = get.Asserted
			}
		}
	}
	return list
}

// forgets notes of the function that resets a pooled struct field by field which fields it leaves out that
// users of the struct set.
func (l *Leftovers) forgets(o *scene.Package, t types.Type) {
	var reset renewal
	handled := make(map[*types.Var]bool)
	for _, f := range o.Funcs {
		if f.Parent() != nil || f.Synthetic != "" || o.Events.Test(f.Pos()) {
			continue
		}
		r := renews(o, f, t)
		if names.IsRenewing(f.Name()) {
			for field := range r.mentioned {
				handled[field] = true
			}
		}
		if r.fields >= r.least && r.fields > reset.fields {
			reset = r
		}
	}
	if reset.f == nil {
		return
	}
	var forgotten []string
	st, named := pooledStruct(t, o.Pass.Pkg)
	for field := range st.Fields() {
		k := field.Origin()
		if !handled[k] && l.fields.stays(k) && !field.Embedded() && (!l.fields[k].asked || reset.named && ssax.IsBool(k.Type())) {
			forgotten = append(forgotten, field.Name())
		}
	}
	if len(forgotten) == 0 {
		return
	}
	for field := range st.Fields() {
		l.forgotten[field.Origin()] = slices.Contains(forgotten, field.Name())
	}
	l.Forgetful[reset.f] = strings.Join(forgotten, ", ") + " of the pooled " + named.Name()
}

// renewal is a function that makes a pooled struct as new: as its name says, or because it gets or puts it
// and sets some of its fields.
type renewal struct {
	f         *ssa.Function
	named     bool
	fields    int // that it sets
	least     int // number of them for a function that means all of the struct
	mentioned map[*types.Var]bool
}

// renews returns what a function does to make a struct as new.
func renews(o *scene.Package, f *ssa.Function, t types.Type) renewal {
	r := renewal{f: f, named: names.IsCleaning(f.Name()) || names.IsSetup(f.Name()), least: 3, mentioned: make(map[*types.Var]bool)}
	p := o.Effects.Program
	set := make(map[*types.Var]bool)
	gives := puts(p, f, t)
	for instr := range ssax.Instrs(p.Family(f)...) {
		switch instr := instr.(type) {
		case *ssa.FieldAddr:
			if field := fieldOf(instr, t); field != nil {
				r.mentioned[field] = true
			}
		case *ssa.Store:
			if field := fieldOf(instr.Addr, t); field != nil && (isNothing(instr.Val) || !gives) {
				set[field] = true
			}
		}
	}
	r.fields = len(r.mentioned)
	if !r.named {
		r.fields, r.least = len(set), 2
		if !gives && !gets(p, f, t) {
			r.fields = 0
		}
	}
	return r
}

// isNothing reports whether a value is nil, zero, or a slice without elements.
func isNothing(v ssa.Value) bool {
	if s, ok := v.(*ssa.Slice); ok {
		return s.High != nil && ssax.IsInt(s.High, 0)
	}
	c, ok := v.(*ssa.Const)
	return ok && (c.Value == nil || !isSomething(c) && !ssax.IsString(c.Type()) || c.Value.ExactString() == `""`)
}

// puts reports whether a function puts an object of a type, and does not get it.
func puts(p *flow.Program, f *ssa.Function, t types.Type) bool {
	return flow.Any(p.Calls(f), func(c *flow.Call) bool {
		return c.IsPoolPut() && types.Identical(ssax.Strip(c.Args[len(c.Args)-1]).Type(), t)
	})
}

// gets reports whether a function gets an object of a type for its callers.
func gets(p *flow.Program, f *ssa.Function, t types.Type) bool {
	results := f.Signature.Results()
	return p.Own(f).Getter.Has(0) && types.Identical(results.At(0).Type(), t)
}

// Forgets finds the fields that a function leaves out which resets others.
func (l *Leftovers) Forgets(fn *scene.Function) []scene.Found {
	decl, ok := fn.F.Syntax().(*ast.FuncDecl)
	what := l.Forgetful[fn.F]
	if what == "" || !ok {
		return nil
	}
	last := decl.Body.List[len(decl.Body.List)-1]
	obj := &events.Object{Func: fn.Out}
	fn.Out.Objects = append(fn.Out.Objects, obj)
	return []scene.Found{{Of: obj, History: events.History{Events: []events.Event{{Kind: events.Use, How: events.Forgotten, What: what, Pos: last.Pos(), End: last.End()}}}}}
}
