package infer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/directive"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// maxRounds bounds how often a function is looked at. What a function does may
// depend on itself, and a getter can be withdrawn, so the rounds need not end by
// themselves.
const maxRounds = 5

// Directives gives what comments say of functions.
type Directives interface {
	Gives(*types.Func) bool
	Owns(*types.Func) []directive.Owned
	Borrows(*types.Func) []directive.Owned
	Lends(*types.Func) []directive.Called
	ReadOnly(*types.Func) []directive.Called
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

// run holds the facts on the calls in a package.
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
	for call := range ssax.Of[ssa.CallInstruction](f) {
		if call.Common().IsInvoke() {
			for _, method := range r.p.Methods.Implementations(call.Common().Method.Origin()) {
				r.callers[method] = append(r.callers[method], f)
			}
		}
	}
	r.order = append(r.order, f)
}

// learn looks at a function, with what is known of those that it calls.
func (r *run) learn(f *ssa.Function) *summary.Summary {
	l := learner{pooled: newPooled(r.p, f), s: new(summary.Summary), walker: &paths.Walker{Program: r.p, Budget: r.budget}}
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

// A function that calls itself puts what it is given if it does so wherever the
// inner call does: calls that return end somewhere, and there it was put. Looked at
// one after the other, such functions would wait for each other for ever. So it is
// assumed of all functions of a cycle that they put what they may put, and an
// assumption that does not follow from the others is given up, until all do.

// assume learns what the functions of a cycle put on every path, and reports
// whether that is more than was known.
func (r *run) assume(cycle []*ssa.Function) bool {
	known := make([]*summary.Summary, len(cycle))
	assumed := make([]summary.Mask, len(cycle))
	more := false
	for i, f := range cycle {
		known[i] = r.p.Own(f)
		assumed[i] = known[i].MayPut &^ known[i].MustPut
		for _, t := range known[i].Told {
			assumed[i] &^= summary.Bit(t.Param) // some paths leave it, and say so
		}
		more = more || assumed[i] != 0
	}
	for more {
		more = false
		for i, f := range cycle {
			s := *known[i]
			s.MustPut |= assumed[i]
			s.Release |= assumed[i]
			r.p.SetOwn(f, &s)
		}
		follows := true
		learned := make([]*summary.Summary, len(cycle))
		for i, f := range cycle {
			learned[i] = r.learn(f)
			if held := assumed[i] & learned[i].MustPut; held != assumed[i] {
				assumed[i], follows = held, false
			}
			more = more || assumed[i] != 0
		}
		if follows {
			for i, f := range cycle {
				r.p.SetOwn(f, learned[i])
			}
			return true
		}
	}
	for i, f := range cycle {
		r.p.SetOwn(f, known[i])
	}
	return false
}
