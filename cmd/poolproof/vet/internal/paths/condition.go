package paths

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// Eval returns the value of a condition if the path so far decides it.
func (w *Walker) Eval(cond ssa.Value, s *State) (value, known bool) {
	cond = s.Resolve(cond)
	switch c := cond.(type) {
	case *ssa.Const:
		if value, known = ssax.Truth(c); known {
			return value, true
		}
	case *ssa.UnOp:
		if c.Op == token.NOT {
			value, known = w.Eval(c.X, s)
			return !value, known
		}
	case *ssa.BinOp:
		if value, known, ok := w.compare(c, s); ok {
			return value, known
		}
	}
	k := w.Program.KeyOf(cond)
	for _, f := range s.known {
		if f.text == k.Text && f.equals == "" {
			return f.value, true
		}
	}
	return false, false
}

// ordered returns a comparison as == or <, and whether it says the opposite of that; op is
// ILLEGAL of anything else.
func ordered(c *ssa.BinOp) (op token.Token, x, y ssa.Value, opposite bool) {
	switch c.Op {
	case token.EQL, token.LSS:
		return c.Op, c.X, c.Y, false
	case token.NEQ:
		return token.EQL, c.X, c.Y, true
	case token.GEQ:
		return token.LSS, c.X, c.Y, true
	case token.LEQ:
		return token.LSS, c.Y, c.X, true
	case token.GTR:
		return token.LSS, c.Y, c.X, false
	}
	return token.ILLEGAL, nil, nil, false
}

// compare evaluates a comparison for equality or order.
func (w *Walker) compare(c *ssa.BinOp, s *State) (value, known, ok bool) {
	op, x, y, opposite := ordered(c)
	switch x, y = s.Resolve(x), s.Resolve(y); op {
	case token.EQL:
		value, known = w.equal(x, y, s)
		return value != opposite && known, known, true
	case token.LSS:
		cx, _ := x.(*ssa.Const)
		if cy, ok := y.(*ssa.Const); ok && cx != nil && cx.Value != nil && cy.Value != nil {
			return constant.Compare(cx.Value, token.LSS, cy.Value) != opposite, true, true
		}
		n, exact, _ := s.least(x)
		if m, also, _ := s.least(y); exact && also {
			return (n < m) != opposite, true, true
		}
		text := w.less(x, y, s)
		for _, f := range s.known {
			if f.text == text && f.equals == "" {
				return f.value != opposite, true, true
			}
		}
		return false, false, true
	}
	return false, false, false
}

// IsNil reports whether a value is nil, if the path so far decides it.
func (w *Walker) IsNil(v ssa.Value, s *State) (value, known bool) {
	v = s.Resolve(v)
	return w.equal(v, ssa.NewConst(nil, v.Type()), s)
}

// equal reports whether x equals y, if that is known.
func (w *Walker) equal(x, y ssa.Value, s *State) (value, known bool) {
	if _, isPointer := x.Type().Underlying().(*types.Pointer); isPointer && x == y {
		return true, true // one value by two names
	}
	if _, ok := x.(*ssa.Const); ok {
		x, y = y, x
	}
	if cx, ok := x.(*ssa.Const); ok {
		if cy, ok := y.(*ssa.Const); ok {
			if cx.IsNil() || cy.IsNil() {
				return cx.IsNil() == cy.IsNil(), true
			}
			return constant.Compare(cx.Value, token.EQL, cy.Value), true
		}
	}
	kx, ky := w.Program.KeyOf(x), w.Program.KeyOf(y)
	cy, yConst := y.(*ssa.Const)
	if is, known := ssax.Truth(y); known {
		if v, ok := w.Eval(x, s); ok {
			return v == is, true
		}
	}
	if yConst && cy.IsNil() && w.neverNil(x) {
		return false, true
	}
	for _, f := range s.known {
		if f.text != kx.Text || f.equals == "" {
			continue
		}
		switch {
		case f.equals == ky.Text:
			return f.value, true
		case f.value && yConst && f.fixed:
			return false, true // it equals another constant
		}
	}
	return false, false
}

// neverNil reports whether a value cannot be nil.
func (w *Walker) neverNil(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.MakeInterface, *ssa.Alloc, *ssa.MakeClosure, *ssa.Function, *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeChan, *ssa.FieldAddr:
		return true
	case *ssa.TypeAssert: // Get returns a nil that the assertion lets pass only if nil was put
		if call, ok := v.X.(*ssa.Call); ok && !v.CommaOk {
			c := w.Program.Resolve(call)
			return c.IsPoolGet()
		}
	case *ssa.Call:
		if fn := v.Call.StaticCallee(); fn != nil && fn.Pkg != nil {
			switch fn.String() {
			case "errors.New", "fmt.Errorf":
				return true
			}
		}
	}
	return false
}

// Assume adds what is known where a condition has a value.
func (w *Walker) Assume(cond ssa.Value, value bool, s *State) {
	cond = s.Resolve(cond)
	switch c := cond.(type) {
	case *ssa.UnOp:
		if c.Op == token.NOT {
			w.Assume(c.X, !value, s)
			return
		}
	case *ssa.BinOp:
		if op, x, y, opposite := ordered(c); op != token.ILLEGAL {
			x, y = s.Resolve(x), s.Resolve(y)
			if _, ok := x.(*ssa.Const); ok && op == token.EQL {
				x, y = y, x
			}
			kx, ky := w.Program.KeyOf(x), w.Program.KeyOf(y)
			k := known{text: kx.Text, equals: ky.Text, value: value != opposite, blocks: append(kx.Blocks, ky.Blocks...), places: append(kx.Places, ky.Places...)}
			if _, k.fixed = y.(*ssa.Const); op == token.LSS {
				k.text, k.equals = w.less(x, y, s), ""
			}
			w.keep(c.Parent(), k, s)
			for _, k := range w.implied(op, x, y, k.value, s) {
				w.keep(c.Parent(), k, s)
			}
			return
		}
	}
	k := w.Program.KeyOf(cond)
	w.keep(cond.Parent(), known{text: k.Text, value: value, blocks: k.Blocks, places: k.Places}, s)
	if value && cond.Parent() != nil {
		asked := w.asked(cond.Parent())
		for _, place := range w.Program.Excluded(cond) {
			if text := w.Program.PlaceText(place); asked.count[text] > 0 {
				s.assume(known{text: text, blocks: k.Blocks, places: []memory.Var{place}})
			}
		}
	}
}

// keep assumes a condition if the function asks about it again.
func (w *Walker) keep(f *ssa.Function, k known, s *State) {
	if f != nil && w.asked(f).again(k.text) {
		s.assume(k)
	}
}

// questions are the subjects of a function's conditions. A condition that is
// asked once only cannot contradict another one, and need not be kept.
type questions struct {
	count  map[string]int    // by the text of the key
	phis   map[*ssa.Phi]bool // on which a condition may depend
	counts map[*ssa.Phi]bool // those that are compared with a constant by order
	loops  map[*ssa.Phi]bool // those that count up, and are compared with something else
}

// again reports whether more than one condition is about a key.
func (q *questions) again(text string) bool { return q.count[text] > 1 }

// asked returns what the conditions of a function, and of the literals around and in it, are about.
func (w *Walker) asked(f *ssa.Function) *questions {
	family := w.Program.Family(f)
	f = family[0]
	if q, ok := w.questions[f]; ok {
		return q
	}
	if w.questions == nil {
		w.questions = make(map[*ssa.Function]*questions)
	}
	q := &questions{count: make(map[string]int), phis: make(map[*ssa.Phi]bool), counts: make(map[*ssa.Phi]bool), loops: make(map[*ssa.Phi]bool)}
	w.questions[f] = q
	for _, f := range family {
		for instr := range ssax.Instrs(f) {
			switch instr := instr.(type) {
			case *ssa.If:
				w.ask(instr.Cond, q, 0)
				if w.stays(instr.Cond) && ssax.Reaches(instr.Block(), instr.Block()) {
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
				// What is stored may answer the question what is there.
				if place, ok := w.Program.Place(instr.Addr); ok {
					q.count[w.Program.PlaceText(place)]++
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
				x, y = y, x
			}
			w.about(x, q, depth)
			w.askImplied(op, x, y, q)
			if _, merged := y.(*ssa.Phi); merged {
				w.about(y, q, depth)
			}
			return
		case token.LSS:
			q.count[w.less(x, y, &State{})]++
			w.askImplied(op, x, y, q)
			counter, xMerged := x.(*ssa.Phi)
			if _, yConst := y.(*ssa.Const); xMerged && yConst {
				q.counts[counter] = true // of a loop that runs a known number of times
			}
			return
		}
	}
	w.about(cond, q, depth)
}

// askImplied notes that a condition answers other questions too.
func (w *Walker) askImplied(op token.Token, x, y ssa.Value, q *questions) {
	nothing := &State{}
	for _, k := range w.implied(op, x, y, true, nothing) {
		if k.equals != "" || k.text != w.less(x, y, nothing) {
			q.count[k.text]++
		}
	}
	if from, _, adds := stepped(x); adds {
		x = from
	}
	if counter, ok := x.(*ssa.Phi); ok {
		q.loops[counter] = true
	}
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
