package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// Program holds the facts on the functions of a package and of those that they
// call. It is used by one goroutine.
type Program struct {
	// Fact returns what is known of a function of another package, or nil.
	Fact func(*types.Func) *summary.Summary

	*memory.Places

	own     map[*ssa.Function]*summary.Summary // of this package, literals too
	named   map[*types.Func]*ssa.Function      // of this package
	facts   map[*types.Func]*summary.Summary
	Methods Methods
	numbers map[ssa.Value]int
	calls   map[ssa.CallInstruction]Call // as they are known now
}

// NewProgram returns a program of the functions of one package, none of which is
// known yet.
func NewProgram(funcs []*ssa.Function, fact func(*types.Func) *summary.Summary) *Program {
	p := &Program{
		Places:  memory.NewPlaces(funcs),
		Fact:    fact,
		own:     make(map[*ssa.Function]*summary.Summary),
		named:   make(map[*types.Func]*ssa.Function),
		facts:   make(map[*types.Func]*summary.Summary),
		numbers: make(map[ssa.Value]int),
		calls:   make(map[ssa.CallInstruction]Call),
	}
	p.Methods = Methods{p: p, found: make(map[*types.Func][]*ssa.Function), shapes: make(map[*types.Func]bool)}
	for _, f := range funcs {
		p.own[f] = new(summary.Summary)
		if obj, ok := f.Object().(*types.Func); ok {
			p.named[obj] = f
		}
	}
	return p
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
	clear(p.Methods.shapes) // which were derived from getters
	clear(p.calls)
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

// Number returns a number for a value: which one does not matter, only that it is
// always the same.
func (p *Program) Number(v ssa.Value) int {
	n, ok := p.numbers[v]
	if !ok {
		n = len(p.numbers) + 1
		p.numbers[v] = n
	}
	return n
}

// Methods tells what the methods of interfaces do, and of types that have the shape of a pool, as
// the other functions of the package say.
type Methods struct {
	p      *Program
	found  map[*types.Func][]*ssa.Function // that a method of an interface may stand for
	shapes map[*types.Func]bool
}

// Call is a call, a go statement or a defer statement, with all that is known of
// the callee.
type Call struct {
	Instr ssa.CallInstruction
	Fn    *types.Func   // the function, or the method of an interface; nil: a function value
	Lit   *ssa.Function // the function of this package that is called, if it is one; nil otherwise
	// Args are the receiver, the arguments, and the variables that a literal captures.
	Args []ssa.Value
	// Captures is the index of the first captured variable in Args: an address,
	// where the summary means what is there.
	Captures int
	Builtin  string
	Invoke   bool // a method of an interface
	// Custom is set if the callee gets or puts by its shape alone: a type with a
	// method that returns what another one takes.
	Custom  bool
	Summary *summary.Summary // never nil
}
