package infer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// maxRounds bounds how often a function is looked at. What a function does may
// depend on itself, and a getter can be withdrawn, so the rounds need not end by
// themselves.
const maxRounds = 5

// Directives are what comments say of functions.
type Directives interface {
	Owns(*types.Func) []string
	Borrows(*types.Func) []string
}

// Run learns what the functions of p do. Functions that were too large for
// budget are returned.
func Run(p *flow.Program, funcs []*ssa.Function, d Directives, budget int) (gaveUp []*ssa.Function) {
	r := &run{
		p: p, directives: d, budget: budget,
		callees:  make(map[*ssa.Function][]*ssa.Function),
		callers:  make(map[*ssa.Function][]*ssa.Function),
		tooLarge: make(map[*ssa.Function]bool),
	}
	for _, f := range funcs {
		r.visit(f, 0)
	}
	r.settle(r.order)
	for _, cycle := range cycles(r.order, r.callees) {
		if r.assume(cycle) {
			var changed []*ssa.Function
			for _, f := range cycle {
				changed = append(changed, r.callers[f]...)
			}
			r.settle(changed)
		}
	}
	return r.gaveUp
}

// run is what is known of the calls in a package.
type run struct {
	p          *flow.Program
	directives Directives
	budget     int

	callees, callers map[*ssa.Function][]*ssa.Function
	order            []*ssa.Function // callees first
	tooLarge         map[*ssa.Function]bool
	gaveUp           []*ssa.Function
}

func (r *run) visit(f *ssa.Function, depth int) {
	if _, seen := r.callees[f]; seen || r.p.Own(f) == nil || depth > 500 {
		return
	}
	r.callees[f] = nil
	callees := r.p.Callees(f)
	r.callees[f] = callees
	for _, callee := range callees {
		r.callers[callee] = append(r.callers[callee], f)
		r.visit(callee, depth+1)
	}
	for _, b := range f.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok && call.Common().IsInvoke() {
				for _, method := range r.p.Implementations(call.Common().Method.Origin()) {
					r.callers[method] = append(r.callers[method], f)
				}
			}
		}
	}
	r.order = append(r.order, f)
}

// learn looks at a function, with what is known of those that it calls.
func (r *run) learn(f *ssa.Function) *summary.Summary {
	l := learner{p: r.p, f: f, s: new(summary.Summary), walker: &paths.Walker{Program: r.p, Budget: r.budget}}
	l.directives(r.directives)
	l.learn()
	if l.walker.GaveUp && !r.tooLarge[f] {
		r.tooLarge[f] = true
		r.gaveUp = append(r.gaveUp, f)
	}
	return l.s
}

// settle looks at functions, and at those that call them, until nothing changes.
func (r *run) settle(queue []*ssa.Function) {
	rounds := make(map[*ssa.Function]int)
	queued := make(map[*ssa.Function]bool)
	for _, f := range queue {
		queued[f] = true
	}
	for len(queue) > 0 {
		f := queue[0]
		queue = queue[1:]
		queued[f] = false
		if rounds[f]++; rounds[f] > maxRounds {
			continue
		}
		if !r.p.SetOwn(f, r.learn(f)) {
			continue
		}
		for _, caller := range r.callers[f] {
			if !queued[caller] {
				queued[caller] = true
				queue = append(queue, caller)
			}
		}
	}
}
