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
	callers := make(map[*ssa.Function][]*ssa.Function)
	var order []*ssa.Function
	seen := make(map[*ssa.Function]bool)
	var visit func(f *ssa.Function, depth int)
	visit = func(f *ssa.Function, depth int) {
		if seen[f] || p.Own(f) == nil || depth > 500 {
			return
		}
		seen[f] = true
		for _, callee := range p.Callees(f) {
			callers[callee] = append(callers[callee], f)
			visit(callee, depth+1)
		}
		order = append(order, f)
	}
	for _, f := range funcs {
		visit(f, 0)
	}
	rounds := make(map[*ssa.Function]int)
	tooLarge := make(map[*ssa.Function]bool)
	queued := make(map[*ssa.Function]bool)
	queue := order
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
		l := learner{p: p, f: f, s: new(summary.Summary), walker: &paths.Walker{Program: p, Budget: budget}}
		l.directives(d)
		l.learn()
		if l.walker.GaveUp && !tooLarge[f] {
			tooLarge[f] = true
			gaveUp = append(gaveUp, f)
		}
		if !p.SetOwn(f, l.s) {
			continue
		}
		for _, caller := range callers[f] {
			if !queued[caller] {
				queued[caller] = true
				queue = append(queue, caller)
			}
		}
	}
	return gaveUp
}
