package paths

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// questions are the subjects of a function's conditions. A condition that is
// asked once only cannot contradict another one, and need not be kept.
type questions struct {
	count map[string]int    // by the text of the key
	phis  map[*ssa.Phi]bool // on which a condition may depend
}

// again reports whether more than one condition is about a key.
func (q *questions) again(text string) bool { return q.count[text] > 1 }

// asked returns what the conditions of a function are about.
func (w *Walker) asked(f *ssa.Function) *questions {
	if q, ok := w.questions[f]; ok {
		return q
	}
	if w.questions == nil {
		w.questions = make(map[*ssa.Function]*questions)
	}
	q := &questions{count: make(map[string]int), phis: make(map[*ssa.Phi]bool)}
	w.questions[f] = q
	for _, b := range f.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.If:
				w.ask(instr.Cond, q, 0)
				if w.stays(instr.Cond) && ssax.Reaches(b, b) {
					w.ask(instr.Cond, q, 0) // each round of a loop asks again
				}
			case *ssa.Return:
				// What is returned may tell the caller which path it was.
				for _, r := range instr.Results {
					if ssax.IsBool(r.Type()) {
						w.ask(r, q, 0)
					}
				}
			case *ssa.Store:
				// A constant that is stored answers the question what is there.
				if _, ok := instr.Val.(*ssa.Const); ok {
					if place, ok := w.Program.Place(instr.Addr); ok {
						q.count[w.Program.PlaceText(place)]++
					}
				}
			}
		}
	}
	return q
}

// stays reports whether a condition is about what the function was given or has declared at
// its beginning: it is the same in each round of a loop, unless a store changes that.
func (w *Walker) stays(cond ssa.Value) bool {
	return !slices.ContainsFunc(w.Program.KeyOf(cond).Blocks, func(b *ssa.BasicBlock) bool { return b.Index > 0 })
}

func (w *Walker) ask(cond ssa.Value, q *questions, depth int) {
	if depth > 4 {
		return
	}
	switch c := cond.(type) {
	case *ssa.UnOp:
		if c.Op == token.NOT {
			w.ask(c.X, q, depth+1)
			return
		}
	case *ssa.BinOp:
		switch op, x, y, _ := ordered(c); op {
		case token.EQL:
			if _, ok := x.(*ssa.Const); ok {
				x = y
			}
			w.about(x, q, depth)
			return
		case token.LSS:
			q.count[w.Program.KeyOf(x).Text+"<"+w.Program.KeyOf(y).Text]++
			return
		}
	}
	w.about(cond, q, depth)
}

// about notes a value that is asked for, and what it may be on some paths.
func (w *Walker) about(v ssa.Value, q *questions, depth int) {
	q.count[w.Program.KeyOf(v).Text]++
	phi, ok := v.(*ssa.Phi)
	if !ok || q.phis[phi] || depth > 4 {
		return
	}
	q.phis[phi] = true
	for _, e := range phi.Edges {
		if _, isConst := e.(*ssa.Const); !isConst {
			w.ask(e, q, depth+1)
		}
	}
}
