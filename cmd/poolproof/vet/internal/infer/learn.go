package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// learner learns what one function does.
type learner struct {
	p      *flow.Program
	f      *ssa.Function
	s      *summary.Summary
	walker *paths.Walker

	puts    map[int][]put // of parameters
	returns []*ssa.Return
	gets    map[ssa.Value]bool                  // pooled objects that the function gets
	kept    map[ssa.Value]bool                  // those that it stores or puts
	given   map[ssa.Value][]ssa.CallInstruction // where it puts them
	boxes   []box
	keeps   []keep
}

// keep is an instruction that stores a parameter where it stays.
type keep struct {
	index int
	instr ssa.Instruction
}

// box is a parameter that is stored in a pooled object which the function got.
type box struct {
	index int
	root  ssa.Value
}

// put is an instruction that gives a parameter back.
type put struct {
	instr   ssa.CallInstruction
	certain bool
	counted bool // by a count of references
}

// param is a parameter that a value comes from.
type param struct {
	index int
	flow.Origin
}

func (l *learner) directives(d Directives) {
	fn, ok := l.f.Object().(*types.Func)
	if !ok {
		return
	}
	for _, name := range d.Owns(fn) {
		l.s.Owns |= l.named(name)
	}
	for _, name := range d.Borrows(fn) {
		l.s.Borrows |= l.named(name)
	}
}

func (l *learner) named(name string) summary.Mask {
	for i, p := range l.f.Params {
		if p.Name() == name {
			return summary.Bit(i)
		}
	}
	return 0
}

func (l *learner) learn() {
	l.puts = make(map[int][]put)
	l.gets = make(map[ssa.Value]bool)
	l.kept = make(map[ssa.Value]bool)
	l.given = make(map[ssa.Value][]ssa.CallInstruction)
	for _, b := range l.f.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case ssa.CallInstruction:
				l.call(instr)
			case *ssa.Store:
				l.store(instr)
			case *ssa.MapUpdate:
				l.stored(instr, instr.Value, instr.Map)
				l.stored(instr, instr.Key, instr.Map)
			case *ssa.Send:
				l.retain(instr.X)
			case *ssa.Select:
				for _, state := range instr.States {
					if state.Send != nil {
						l.retain(state.Send)
					}
				}
			case *ssa.MakeClosure:
				l.closure(instr)
			case *ssa.Return:
				l.returns = append(l.returns, instr)
			}
		}
	}
	l.results()
	l.releases()
	l.keepers()
	// What a directive says is not contradicted by what the code seems to do.
	l.s.Retains &^= l.s.Borrows
	l.s.Lends &^= l.s.Borrows
	l.s.Release |= l.s.Owns
}

// params returns the parameters that v comes from.
func (l *learner) params(v ssa.Value) []param {
	if !flow.HasPointers(v.Type()) {
		return nil
	}
	if i, part, ok := l.captured(v); ok {
		return []param{{i, flow.Origin{Root: v, Field: flow.None, May: part}}}
	}
	if !l.reaches() {
		return nil
	}
	var found []param
	for _, o := range l.p.OriginsIn(l.f, v) {
		if i, ok := l.index(o.Root); ok {
			found = append(found, param{i, o})
		}
	}
	return found
}

// index returns the number of a parameter, or of a captured variable.
func (l *learner) index(v ssa.Value) (int, bool) {
	switch v := v.(type) {
	case *ssa.Parameter:
		i := slices.Index(l.f.Params, v)
		return i, i >= 0
	case *ssa.FreeVar:
		i := slices.Index(l.f.FreeVars, v)
		return len(l.f.Params) + i, i >= 0
	}
	return 0, false
}

// reaches reports whether the function is given anything that has memory.
func (l *learner) reaches() bool {
	for _, p := range l.f.Params {
		if flow.HasPointers(p.Type()) {
			return true
		}
	}
	return len(l.f.FreeVars) > 0
}

// captured returns the number of the captured variable of which v is the value,
// or, then part is set, a field.
func (l *learner) captured(v ssa.Value) (i int, part, ok bool) {
	if len(l.f.FreeVars) == 0 {
		return 0, false, false
	}
	for range 10 {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.TypeAssert:
			v = x.X
		case *ssa.Slice:
			v = x.X
		case *ssa.FieldAddr:
			if _, variable := x.X.(*ssa.FreeVar); !variable {
				return 0, false, false
			}
			v, part = x.X, true
		case *ssa.UnOp:
			if flow.Load(x) == nil {
				return 0, false, false
			}
			v = x.X
		case *ssa.FreeVar:
			i = slices.Index(l.f.FreeVars, x)
			return len(l.f.Params) + i, part, i >= 0
		default:
			return 0, false, false
		}
	}
	return 0, false, false
}

// call notes what a call does with parameters.
func (l *learner) call(instr ssa.CallInstruction) {
	c := l.p.Resolve(instr)
	if c.Builtin != "" {
		return
	}
	l.starts(&c)
	for r := range 64 {
		if c.Summary.Getter == 0 || c.Summary.Getter>>r == 0 {
			break
		}
		if c.Summary.Getter.Has(r) {
			if v := c.Result(r); v != nil {
				l.gets[v] = true
			}
		}
	}
	s := c.Summary
	unknown := c.Fn == nil && c.Lit == nil || c.Invoke && s.Release|s.MustPut == 0
	if !unknown && !c.Started() && s.MayPut|s.MustPut|s.Release|s.RefPut|s.Retains|s.Keeps|s.Lends|s.Owns == 0 && len(s.Into) == 0 && len(s.Detach) == 0 {
		return
	}
	for i, arg := range c.Args {
		if !flow.HasPointers(arg.Type()) {
			continue
		}
		if i >= c.Captures {
			l.capturedEffect(&c, i, arg)
			continue
		}
		bit := summary.Bit(i)
		into := intoOf(s, i)
		if !unknown && !c.Started() && (s.MayPut|s.MustPut|s.Release|s.RefPut|s.Retains|s.Keeps|s.Lends|s.Owns)&bit == 0 && len(into) == 0 && !detaches(s, i) {
			continue
		}
		if s.Gives(i) || s.MayPut&bit != 0 || c.Started() {
			l.keep(arg)
		}
		if s.Gives(i) {
			l.give(arg, instr)
		}
		for _, p := range l.params(arg) {
			l.argument(&c, i, arg, p, unknown)
			for _, f := range into {
				if f.To < len(c.Args) {
					p.May = p.May || !f.From.Has(i)
					l.storedIn(p, c.Args[f.To])
				}
			}
		}
	}
}

// argument notes what a call does with argument i, which comes from p.
func (l *learner) argument(c *flow.Call, i int, arg ssa.Value, p param, unknown bool) {
	bit, s := summary.Bit(i), c.Summary
	own := summary.Bit(p.index)
	if c.Started() {
		l.s.Retains |= own // what the goroutine puts, it puts later
		return
	}
	if s.Retains&bit != 0 {
		l.s.Retains |= own
	}
	if s.Keeps&bit != 0 && !p.May && p.Field == flow.None {
		if _, isCall := c.Instr.(*ssa.Call); isCall {
			l.keeps = append(l.keeps, keep{p.index, c.Instr})
		}
	}
	if s.Borrows&bit != 0 {
		return
	}
	switch {
	case p.Holds && c.IsPoolPut() && !p.May && l.isFreshBox(p, arg):
		l.puts[p.index] = append(l.puts[p.index], put{c.Instr, true, l.counted(c.Instr)})
		return
	case p.Holds:
		if s.Gives(i) || s.MayPut&bit != 0 {
			l.s.Retains |= own // it is put inside of something else
		}
		return
	case s.Gives(i):
		l.puts[p.index] = append(l.puts[p.index], put{c.Instr, !p.May && p.Field == flow.None, l.counted(c.Instr)})
	case s.MayPut&bit != 0:
		l.puts[p.index] = append(l.puts[p.index], put{c.Instr, false, l.counted(c.Instr)})
	}
	if s.RefPut&bit != 0 {
		l.s.RefPut |= own
	}
	whole := p.Field == flow.None && !p.May
	if s.Lends&bit != 0 && whole {
		l.s.Lends |= own
	}
	if unknown && whole && (!c.Invoke || i > 0 && !standard(c.Fn)) {
		l.s.Lends |= own
	}
	for _, d := range s.Detach {
		if d.Param == i && whole {
			for _, field := range d.Fields {
				l.s.AddDetach(p.index, field)
			}
		}
	}
}

// standard reports whether a method belongs to an interface of the standard
// library: their rules forbid to keep what is passed.
func standard(fn *types.Func) bool {
	return fn.Pkg() == nil || !hasDot(fn.Pkg().Path())
}

// hasDot reports whether the first element of an import path has a dot: those of
// the standard library have none.
func hasDot(path string) bool {
	for _, r := range path {
		switch r {
		case '.':
			return true
		case '/':
			return false
		}
	}
	return false
}

func intoOf(s *summary.Summary, i int) (flows []summary.Flow) {
	for _, f := range s.Into {
		if (f.From | f.May).Has(i) {
			flows = append(flows, f)
		}
	}
	return flows
}

func detaches(s *summary.Summary, i int) bool {
	for _, d := range s.Detach {
		if d.Param == i {
			return true
		}
	}
	return false
}

// capturedEffect notes what a called or deferred literal does with a variable
// that it captures: addr is its address.
func (l *learner) capturedEffect(c *flow.Call, i int, addr ssa.Value) {
	s, bit := c.Summary, summary.Bit(i)
	if (s.MustPut|s.Release|s.MayPut|s.Retains|s.RefPut|s.Lends)&bit == 0 && !c.Started() {
		return
	}
	if alloc, ok := addr.(*ssa.Alloc); ok && (s.Gives(i) || s.MayPut&bit != 0) {
		for _, store := range l.p.Stores(alloc).Whole {
			l.keep(store.Val)
		}
	}
	for _, p := range l.contents(addr) {
		own := summary.Bit(p.index)
		if s.Retains&bit != 0 || c.Started() {
			l.s.Retains |= own
		}
		if c.Started() {
			continue
		}
		if s.Lends&bit != 0 {
			l.s.Lends |= own
		}
		if s.RefPut&bit != 0 {
			l.s.RefPut |= own
		}
		if s.Gives(i) || s.MayPut&bit != 0 {
			l.puts[p.index] = append(l.puts[p.index], put{c.Instr, s.Gives(i) && !p.May, l.counted(c.Instr)})
		}
	}
}

// contents returns the parameters that a variable holds.
func (l *learner) contents(addr ssa.Value) []param {
	switch addr := addr.(type) {
	case *ssa.FreeVar:
		for i, fv := range l.f.FreeVars {
			if fv == addr {
				return []param{{len(l.f.Params) + i, flow.Origin{Root: addr, Field: flow.None}}}
			}
		}
	case *ssa.Alloc:
		var found []param
		stores := l.p.Stores(addr).Whole
		for _, store := range stores {
			for _, p := range l.params(store.Val) {
				p.May = p.May || len(stores) > 1
				found = append(found, p)
			}
		}
		return found
	}
	return nil
}

// closure notes the variables of a literal that goes elsewhere than into a call
// or a defer of this function.
func (l *learner) closure(made *ssa.MakeClosure) {
	if OnlyCalled(made) {
		return
	}
	for _, b := range made.Bindings {
		for _, p := range l.contents(b) {
			l.s.Retains |= summary.Bit(p.index)
		}
		if _, isVar := b.(*ssa.Alloc); !isVar { // the receiver of a method value
			l.retain(b)
		}
	}
}

// OnlyCalled reports whether a literal is only called or deferred where it is
// made.
func OnlyCalled(made *ssa.MakeClosure) bool {
	for _, ref := range *made.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Call:
			if ref.Call.Value != made {
				return false
			}
		case *ssa.Defer:
			if ref.Call.Value != made {
				return false
			}
		case *ssa.DebugRef:
		case *ssa.Store:
			// A variable that is only called itself: deferred recursion is rare.
			if a, ok := ref.Addr.(*ssa.Alloc); !ok || !onlyCalledVariable(a) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func onlyCalledVariable(a *ssa.Alloc) bool {
	for _, ref := range *a.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
		case *ssa.UnOp:
			for _, use := range *ref.Referrers() {
				if c, ok := use.(ssa.CallInstruction); !ok || c.Common().Value != ref {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// store notes what a store does with parameters.
func (l *learner) store(s *ssa.Store) {
	l.detach(s)
	if !flow.HasPointers(s.Val.Type()) {
		return
	}
	if place, ok := l.p.Place(s.Addr); ok && place.Local() {
		if alloc := place.Base.(*ssa.Alloc); alloc.Parent() == l.f {
			return // what becomes of the variable tells
		}
	}
	l.stored(s, s.Val, s.Addr)
}

// stored notes that v is stored where at points to.
func (l *learner) stored(instr ssa.Instruction, v, at ssa.Value) {
	l.keepUnlessLocal(v, at)
	for _, p := range l.params(v) {
		if !p.May && p.Field == flow.None && l.stays(at) {
			l.keeps = append(l.keeps, keep{p.index, instr})
		}
		if p.index >= len(l.f.Params) && isFreeVar(at) {
			continue // a captured variable assigned to a captured variable
		}
		l.storedIn(p, at)
	}
}

func isFreeVar(v ssa.Value) bool {
	_, ok := v.(*ssa.FreeVar)
	return ok
}

// stays reports whether what is stored at an address is still there when the
// function has returned, and seen by others: it is a package variable, or a field
// that a parameter refers to, and nothing else is stored there.
func (l *learner) stays(at ssa.Value) bool {
	place, ok := l.p.Place(at)
	if !ok {
		return false
	}
	switch place.Base.(type) {
	case *ssa.Parameter, *ssa.Global:
	default:
		return false
	}
	return len(l.p.StoresTo(l.f, place)) <= 1
}

// keepers learns which parameters are stored on every path.
func (l *learner) keepers() {
	for _, k := range l.keeps {
		always := len(l.returns) > 0
		for _, ret := range l.returns {
			if ret.Block() != l.f.Recover && !k.instr.Block().Dominates(ret.Block()) {
				always = false
			}
		}
		if bit := summary.Bit(k.index); always && (l.s.MayPut|l.s.RefPut|l.s.Borrows)&bit == 0 {
			l.s.Keeps |= bit
		}
	}
}

// storedIn notes that parameter p is stored where at points to.
func (l *learner) storedIn(p param, at ssa.Value) {
	own := summary.Bit(p.index)
	into := false
	for _, target := range l.p.Origins(at) {
		switch root := target.Root.(type) {
		case *ssa.Parameter:
			for i, prm := range l.f.Params {
				if prm != root {
					continue
				}
				into = true
				if i == p.index {
					continue
				}
				f := summary.Flow{To: i, From: own, Holds: own}
				if p.May || target.May {
					f.From, f.May = 0, own
				}
				l.s.AddInto(f)
			}
		case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice:
			into = true
		default:
			if l.gets[root] && !p.Holds && l.isBox(p, at, root) {
				l.boxes = append(l.boxes, box{p.index, root})
			}
		}
	}
	if !into {
		l.s.Retains |= own
	}
}

// isBox reports whether a slice parameter is stored in a pooled object that only
// carries slices: behind a pointer to a slice, or in a field.
func (l *learner) isBox(p param, at, root ssa.Value) bool {
	if p.index >= len(l.f.Params) || !flow.IsSlice(l.f.Params[p.index].Type()) || p.Field != flow.None || p.May {
		return false
	}
	if field, ok := at.(*ssa.FieldAddr); ok {
		at = field.X
	}
	return l.p.Origin(at) == root
}

// isFreshBox reports whether a slice parameter is put in a struct that is made for
// it: the pool gets the slice.
func (l *learner) isFreshBox(p param, arg ssa.Value) bool {
	if p.index >= len(l.f.Params) || !flow.IsSlice(l.f.Params[p.index].Type()) {
		return false
	}
	m, ok := arg.(*ssa.MakeInterface)
	if !ok {
		return false
	}
	alloc, ok := m.X.(*ssa.Alloc)
	if !ok {
		return false
	}
	_, isStruct := flow.Pointee(alloc.Type()).Underlying().(*types.Struct)
	return isStruct
}

func (l *learner) retain(v ssa.Value) {
	l.keep(v)
	for _, p := range l.params(v) {
		l.s.Retains |= summary.Bit(p.index)
	}
}

// keep notes that a pooled object which the function got goes elsewhere.
func (l *learner) keep(v ssa.Value) {
	if len(l.gets) == 0 || !flow.HasPointers(v.Type()) {
		return
	}
	for _, o := range l.p.Origins(v) {
		if l.gets[o.Root] && !o.May {
			l.kept[o.Root] = true
		}
	}
}

// give notes where a pooled object is put that the function got.
func (l *learner) give(v ssa.Value, instr ssa.CallInstruction) {
	for root := range l.origins(v) {
		if l.gets[root] {
			l.given[root] = append(l.given[root], instr)
		}
	}
}

func (l *learner) origins(v ssa.Value) map[ssa.Value]bool {
	roots := make(map[ssa.Value]bool)
	for _, o := range l.p.Origins(v) {
		if !o.Holds && o.Field == flow.None {
			roots[o.Root] = true
		}
	}
	return roots
}

func (l *learner) keepUnlessLocal(v, at ssa.Value) {
	if len(l.gets) == 0 {
		return
	}
	for _, o := range l.p.Origins(at) {
		switch root := o.Root.(type) {
		case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice:
			return
		default:
			if l.gets[root] {
				return
			}
		}
	}
	l.keep(v)
}

// detach notes fields of parameters that are overwritten.
func (l *learner) detach(s *ssa.Store) {
	switch addr := s.Addr.(type) {
	case *ssa.FieldAddr:
		for i, prm := range l.f.Params {
			if addr.X == prm && !l.comesFrom(s.Val, prm) {
				l.s.AddDetach(i, addr.Field)
			}
		}
	case *ssa.Parameter:
		for i, prm := range l.f.Params {
			if addr == prm && !l.comesFrom(s.Val, prm) {
				l.s.AddDetach(i, summary.All)
			}
		}
	}
}

func (l *learner) comesFrom(v ssa.Value, root ssa.Value) bool {
	if !flow.HasPointers(v.Type()) {
		return false
	}
	for _, o := range l.p.Origins(v) {
		if o.Root == root {
			return true
		}
	}
	return false
}
