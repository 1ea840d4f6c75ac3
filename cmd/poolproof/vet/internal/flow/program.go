package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// Program is what is known of the functions of a package and of those that they
// call. It is used by one goroutine.
type Program struct {
	// Fact returns what is known of a function of another package, or nil.
	Fact func(*types.Func) *summary.Summary

	own      map[*ssa.Function]*summary.Summary // of this package, literals too
	named    map[*types.Func]*ssa.Function      // of this package
	facts    map[*types.Func]*summary.Summary
	makers   map[*ssa.Function]*ssa.MakeClosure
	stores   map[*ssa.Alloc]*stores
	globals  map[*ssa.Global]ssa.Value // package variables that are set once: to what
	owned    map[*types.Var]bool       // fields with a buffer that is the struct's own, or not
	flags    map[flag][]*ssa.Function  // who sets bool fields of parameters
	kinds    kinds
	shapes   map[*types.Func]bool
	methods  map[*types.Func][]*ssa.Function // that a method of an interface may stand for
	numbers  map[ssa.Value]int
	families map[*ssa.Function]*family
}

// NewProgram returns a program of the functions of one package, none of which is
// known yet.
func NewProgram(funcs []*ssa.Function, fact func(*types.Func) *summary.Summary) *Program {
	p := &Program{
		Fact:     fact,
		own:      make(map[*ssa.Function]*summary.Summary),
		named:    make(map[*types.Func]*ssa.Function),
		facts:    make(map[*types.Func]*summary.Summary),
		makers:   make(map[*ssa.Function]*ssa.MakeClosure),
		stores:   make(map[*ssa.Alloc]*stores),
		globals:  make(map[*ssa.Global]ssa.Value),
		owned:    make(map[*types.Var]bool),
		flags:    make(map[flag][]*ssa.Function),
		kinds:    kinds{made: make(map[ssa.Value][]*types.Var), set: make(map[*types.Var]bool)},
		shapes:   make(map[*types.Func]bool),
		methods:  make(map[*types.Func][]*ssa.Function),
		numbers:  make(map[ssa.Value]int),
		families: make(map[*ssa.Function]*family),
	}
	for _, f := range funcs {
		p.own[f] = new(summary.Summary)
		if obj, ok := f.Object().(*types.Func); ok {
			p.named[obj] = f
		}
	}
	for _, f := range funcs {
		for _, b := range f.Blocks {
			for _, instr := range b.Instrs {
				if s, ok := instr.(*ssa.Store); ok {
					p.setGlobal(s)
					p.learnOwned(s)
					p.learnFlag(s)
					p.learnKind(s)
				}
			}
		}
	}
	return p
}

// setGlobal notes a store to a package variable that holds a function.
func (p *Program) setGlobal(s *ssa.Store) {
	g, ok := s.Addr.(*ssa.Global)
	if !ok {
		return
	}
	if _, set := p.globals[g]; set {
		p.globals[g] = nil // several
		return
	}
	p.globals[g] = s.Val
}

// Own returns what is known of a function of the package.
func (p *Program) Own(f *ssa.Function) *summary.Summary { return p.own[f] }

// SetOwn replaces what is known of a function of the package, and reports whether
// that is something else.
func (p *Program) SetOwn(f *ssa.Function, s *summary.Summary) (changed bool) {
	if p.own[f].Equal(s) {
		return false
	}
	p.own[f] = s
	clear(p.shapes) // which were derived from getters
	return true
}

func (p *Program) fact(fn *types.Func) *summary.Summary {
	if own := p.named[fn]; own != nil {
		return p.own[own]
	}
	if s, ok := p.facts[fn]; ok {
		return s
	}
	s := seed(fn)
	if s == nil && fn.Pkg() != nil {
		s = p.Fact(fn)
	}
	p.facts[fn] = s
	return s
}

// number returns a number for a value: which one does not matter, only that it is
// always the same.
func (p *Program) number(v ssa.Value) int {
	n, ok := p.numbers[v]
	if !ok {
		n = len(p.numbers) + 1
		p.numbers[v] = n
	}
	return n
}

func isLoad(u *ssa.UnOp) bool { return u.Op == token.MUL }

// Callees returns the functions of the package that f calls, or makes literals or
// method values of.
func (p *Program) Callees(f *ssa.Function) []*ssa.Function {
	var callees []*ssa.Function
	for _, b := range f.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.MakeClosure:
				fn := instr.Fn.(*ssa.Function)
				if obj, ok := fn.Object().(*types.Func); ok && p.named[obj.Origin()] != nil {
					fn = p.named[obj.Origin()]
				}
				callees = append(callees, fn)
			case ssa.CallInstruction:
				if c := p.Resolve(instr); c.Lit != nil {
					callees = append(callees, c.Lit)
				}
			}
		}
	}
	return callees
}
