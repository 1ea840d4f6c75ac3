package infer

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// releases learns which parameters are given back, and how certainly.
func (l *learner) releases() {
	for _, b := range l.boxes {
		if !l.carries(b.root, nil) {
			continue
		}
		for _, instr := range l.given[b.root] {
			if l.emptied(b, instr) {
				continue
			}
			l.puts[b.index] = append(l.puts[b.index], put{instr, true, false})
			l.s.Retains &^= summary.Bit(b.index)
		}
	}
	indices := make([]int, 0, len(l.puts))
	for i := range l.puts {
		indices = append(indices, i)
	}
	slices.Sort(indices)
	for _, i := range indices {
		l.release(i, l.puts[i])
	}
}

func (l *learner) release(i int, puts []put) {
	bit := summary.Bit(i)
	certain := make(map[ssa.Instruction]bool)
	for _, p := range puts {
		if p.counted {
			l.s.RefPut |= bit
			return // the last owner puts, and nobody knows who that is
		}
		l.s.MayPut |= bit
		if p.certain {
			certain[p.instr] = true
		}
	}
	if len(certain) == 0 {
		return
	}
	v := &reaching{l: l, param: i, puts: certain}
	l.walker.Entry(l.f, v)
	if v.returns == 0 || l.walker.GaveUp {
		return
	}
	if v.without == 0 {
		l.s.MustPut |= bit
		l.s.Release |= bit
		return
	}
	if v.onlyFailures() {
		l.s.FailPut |= bit
	}
	v = &reaching{l: l, param: i, puts: certain, unfit: true}
	v.reach = Reaching(certain)
	l.walker.Entry(l.f, v)
	if v.without > 0 || v.returns == 0 || l.walker.GaveUp {
		return
	}
	if told, ok := l.told(certain); ok {
		told.Param = i
		l.s.Told = append(l.s.Told, told)
		return
	}
	l.s.Release |= bit
}

// reaching is a visitor that counts returns that are reached without a put.
type reaching struct {
	l     *learner
	param int
	puts  map[ssa.Instruction]bool
	unfit bool // leaving out the object because of what it is counts as a put
	reach map[*ssa.BasicBlock]bool

	returns, without int
	kept             []*ssa.Return // reached without a put
}

func (v *reaching) Visit(instr ssa.Instruction, s *paths.State) bool {
	if v.puts[instr] {
		v.returns++
		return false
	}
	if _, ok := instr.(*ssa.Return); ok && instr.Block() != v.l.f.Recover {
		v.returns++
		v.without++
		v.kept = append(v.kept, instr.(*ssa.Return))
	}
	return true
}

// onlyFailures reports whether each return with a put is one of an error, and each
// return without is one of none.
func (v *reaching) onlyFailures() bool {
	results := v.l.f.Signature.Results()
	at := results.Len() - 1
	if at < 0 || !types.Identical(results.At(at).Type(), types.Universe.Lookup("error").Type()) || v.returns == v.without {
		return false
	}
	for _, ret := range v.l.returns {
		if ret.Block() == v.l.f.Recover {
			continue
		}
		switch fails := !isNil(v.l.p.Stored(ret.Results[at])); {
		case slices.Contains(v.kept, ret) == fails:
			return false
		case fails && !Failure(ret.Results[at]):
			return false
		}
	}
	return true
}

// Failure reports whether an error that is returned is certainly one: not the
// result of a call that may have gone well.
func Failure(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return true
	case *ssa.UnOp:
		if load := ssax.Load(v); load != nil {
			_, isGlobal := load.X.(*ssa.Global)
			return isGlobal
		}
	case *ssa.Call:
		if fn := v.Call.StaticCallee(); fn != nil {
			return fn.String() == "errors.New" || fn.String() == "fmt.Errorf"
		}
	}
	return false
}

func (v *reaching) Merge(*ssa.Phi, ssa.Value, *paths.State) {}

func (v *reaching) Branch(cond *ssa.If, taken bool, s *paths.State) bool {
	if v.isNil(cond.Cond, taken) {
		return false
	}
	if !v.unfit {
		return true
	}
	succ, other := cond.Block().Succs[0], cond.Block().Succs[1]
	if !taken {
		succ, other = other, succ
	}
	return v.reach[succ] || !v.reach[other] || !v.ofObject(cond.Cond) || v.l.p.Switched(cond.Cond, taken, v.l.f)
}

// isNil reports whether the parameter is nil where the condition has a value.
func (v *reaching) isNil(cond ssa.Value, value bool) bool {
	b, ok := cond.(*ssa.BinOp)
	if !ok || b.Op != token.EQL && b.Op != token.NEQ || (b.Op == token.EQL) != value {
		return false
	}
	x, y := b.X, b.Y
	if isNil(x) {
		x, y = y, x
	}
	return isNil(y) && v.isParam(x)
}

func (v *reaching) isParam(x ssa.Value) bool {
	for _, p := range v.l.params(x) {
		if p.index == v.param && !p.Holds {
			return true
		}
	}
	return false
}

// ofObject reports whether a condition is about the parameter alone.
func (v *reaching) ofObject(cond ssa.Value) bool { return v.l.p.About(cond, v.isParam) }

// Reaching returns the blocks from which an instruction of the set is reached.
func Reaching(set map[ssa.Instruction]bool) map[*ssa.BasicBlock]bool {
	reach := make(map[*ssa.BasicBlock]bool)
	var back func(b *ssa.BasicBlock)
	back = func(b *ssa.BasicBlock) {
		if reach[b] {
			return
		}
		reach[b] = true
		for _, p := range b.Preds {
			back(p)
		}
	}
	for instr := range set {
		back(instr.Block())
	}
	return reach
}

// counted reports whether an instruction is reached only when a count of
// references is zero.
func (l *learner) counted(instr ssa.Instruction) bool { return Counted(l.p, instr) }

func (l *learner) isCount(v ssa.Value, depth int) bool { return isCount(l.p, v, depth) }

// Counted reports whether an instruction is reached only when a count of
// references is zero.
func Counted(p *flow.Program, instr ssa.Instruction) bool {
	for b := instr.Block(); b != nil; b = b.Idom() {
		d := b.Idom()
		if d == nil {
			return false
		}
		cond, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If)
		if !ok || d.Succs[0] == d.Succs[1] {
			continue
		}
		// Both forms: if n == 0 { put }, and if n != 0 { return }; put.
		if isCount(p, cond.Cond, 0) {
			return true
		}
	}
	return false
}

// isCount reports whether a value is a count of references after one was given
// up, or a comparison of it: an atomic Add, CompareAndSwap or Swap, a field that is
// decremented, or one that is named as a count of references.
func isCount(p *flow.Program, v ssa.Value, depth int) bool {
	if depth > 4 {
		return false
	}
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op == token.NOT {
			return isCount(p, v.X, depth+1)
		}
		if ssax.Load(v) != nil {
			return isCounter(v)
		}
	case *ssa.Convert:
		return isCount(p, v.X, depth+1)
	case *ssa.BinOp:
		if v.Op == token.SUB {
			return isOne(v.Y) && ssax.Load(v.X) != nil && isField(v.X.(*ssa.UnOp).X)
		}
		if !comparison(v.Op) {
			return false
		}
		x, y := v.X, v.Y
		if _, ok := x.(*ssa.Const); ok {
			x, y = y, x
		}
		return zeroOrOne(y) && isCount(p, x, depth+1)
	case *ssa.Call:
		c := p.Resolve(v)
		if c.Fn == nil {
			return false
		}
		if c.Summary.Counts {
			return true
		}
		return isAtomic(c.Fn) && names.IsCounting(c.Fn.Name())
	}
	return false
}

// isAtomic reports whether a function is one of a package of atomics.
func isAtomic(fn *types.Func) bool {
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	switch fn.Pkg().Path() {
	case "sync/atomic", "internal/runtime/atomic", "go.uber.org/atomic":
		return true
	}
	return false
}

func isField(addr ssa.Value) bool {
	_, ok := addr.(*ssa.FieldAddr)
	return ok
}

func comparison(op token.Token) bool {
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return true
	}
	return false
}

func isOne(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Int && c.Int64() == 1
}

func zeroOrOne(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Int && (c.Int64() == 0 || c.Int64() == 1)
}

// isCounter reports whether a load is of a field that counts references: by its
// name, or because it is decremented beside.
func isCounter(load *ssa.UnOp) bool {
	field, ok := load.X.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	st, ok := ssax.Pointee(field.X.Type()).Underlying().(*types.Struct)
	if !ok {
		return false
	}
	b, isInt := load.Type().Underlying().(*types.Basic)
	if !isInt || b.Info()&types.IsInteger == 0 {
		return false
	}
	if names.IsCounter(st.Field(field.Field).Name()) {
		return true
	}
	for _, b := range load.Parent().Blocks {
		for _, instr := range b.Instrs {
			s, ok := instr.(*ssa.Store)
			if !ok {
				continue
			}
			at, ok := s.Addr.(*ssa.FieldAddr)
			if !ok || at.X != field.X || at.Field != field.Field {
				continue
			}
			if sub, ok := s.Val.(*ssa.BinOp); ok && sub.Op == token.SUB && isOne(sub.Y) {
				return true
			}
		}
	}
	return false
}
