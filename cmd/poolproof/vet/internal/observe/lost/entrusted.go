package lost

import (
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// Entrusted asks of each object that the function got with a parameter or from a channel, and puts, for
// ways on which it neither puts it nor hands it on. By a return, the caller of a parameter is to be told
// the same as on a path that ends the object: no code is left then that could put it.
func Entrusted(fn *scene.Function) (questions []scene.Question) {
	if fn.Out.Test || names.IsRelease(fn.F.Name()) {
		return nil
	}
	asked := make(map[memory.Var]bool)
	ask := func(p *track.Put, object memory.Var) {
		if asked[object] || !p.Certain || p.Told != nil || p.Call.Started() {
			return
		}
		asked[object] = true
		e := &trust{fn: fn, put: p, object: object}
		if prm, path, ok := fn.Program.Given(fn.F, object); ok && fn.F.Parent() == nil && (fn.F.Signature.Recv() == nil || prm > 0 || path == "") {
			e.whole, e.inside = fn.F.Params[prm], path != ""
			if path == "" && staysWithCallers(fn, prm) {
				return
			}
		} else if e.from = received(object.Base); e.from != nil && e.from.Parent() == fn.F {
			e.whole, e.inside = object.Base, object.Path != ""
		} else {
			return
		}
		questions = append(questions, e.lost)
	}
	puts := slices.Clone(fn.Puts)
	for c := range fn.Program.Calls(fn.F) {
		for i, arg := range c.Args[:c.Captures] {
			if c.Summary.RefPut.Has(i) { // one reference of several is lost as well
				puts = append(puts, track.Put{Call: c, Index: i, Arg: arg, Certain: true, Roots: []ssa.Value{fn.Program.Origin(arg)}})
			}
		}
	}
	for i := range puts {
		p := &puts[i]
		if len(p.Roots) != 1 || p.Captured {
			continue
		}
		if load := ssax.Load(p.Roots[0]); load != nil {
			if place, ok := fn.Program.Place(load.X); ok {
				ask(p, place)
			}
			continue
		}
		ask(p, memory.Var{Base: p.Roots[0]})
	}
	for v := range ssax.Of[ssa.Value](fn.F) {
		if asked[memory.Var{Base: v}] || received(v) == nil {
			continue
		}
		if _, several := v.Type().(*types.Tuple); several || !ssax.HasPointers(v.Type()) {
			continue
		}
		questions = append(questions, func() []scene.Found { return leftToCallee(fn, v) })
	}
	return questions
}

// staysWithCallers reports whether a caller has found what it passes in memory that others know, and leaves
// it there: the child of a node, say, which a callee puts where it takes it out of the node.
func staysWithCallers(fn *scene.Function, prm int) bool {
	return slices.ContainsFunc(fn.Funcs, func(caller *ssa.Function) bool {
		return flow.AnyArg(fn.Program.Calls(caller), func(c *flow.Call, i int, arg ssa.Value) bool {
			return c.Lit == fn.F && i == prm && i < c.Captures && slices.ContainsFunc(fn.Program.OriginsIn(caller, arg), func(o flow.Origin) bool {
				load := ssax.Load(o.Root)
				if load == nil {
					return false
				}
				place, ok := fn.Program.Place(load.X)
				return !ok || !place.Local() && len(fn.Program.StoresTo(caller, place)) == 0
			})
		})
	})
}

// leftToCallee finds the returns of a callee that lose what the function received from a channel, if to
// receive it and to call is all that the function does with it.
func leftToCallee(fn *scene.Function, v ssa.Value) (found []scene.Found) {
	e := &trust{fn: fn, whole: v, from: received(v)}
	w := e.keeper(v, false)
	if w == nil {
		return nil
	}
	in := lostIn(fn, w)
	if in == nil || len(in.puts) == 0 {
		return nil
	}
	obj := fn.Object(v, ssax.ObjectType(v), nil)
	obj.Name = in.g.Value.Name()
	for _, exit := range in.exits {
		if exit.How == events.ErrorReturn {
			exit.What = " of an error"
		}
		exit.How = events.LeftReceived
		found = append(found, scene.Found{Of: obj, History: events.History{Events: []events.Event{exit}}})
	}
	return found
}

// received returns the instruction that receives a value from a channel, nil if none does.
func received(v ssa.Value) ssa.Instruction {
	if e, ok := v.(*ssa.Extract); ok {
		v = e.Tuple
	}
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op == token.ARROW {
			return v
		}
	case *ssa.Select:
		return v
	}
	return nil
}

// trust is an object that others have left to the function.
type trust struct {
	fn     *scene.Function
	put    *track.Put
	object memory.Var
	whole  ssa.Value       // the object, or the struct that it is in
	inside bool            // whether it is in a struct
	from   ssa.Instruction // which receives it; nil: it is a parameter
}

// lost finds the ways on which the object is lost.
func (e *trust) lost() (found []scene.Found) {
	w := e.keeper(e.whole, e.inside)
	if w == nil {
		return nil
	}
	obj := e.fn.ObjectOf(e.put)
	if obj.Name == "" {
		obj.Name = e.fn.PlaceName(e.object)
	}
	if e.inside { // what becomes of the field ends the object as well
		if setsIn(e.fn, e.object) {
			return nil // callers see in the field what became of it
		}
		loads := e.fn.Program.FamilyOf(e.fn.F).Loads[e.object]
		for _, load := range loads {
			inner := e.keeper(load, false)
			if inner == nil {
				return nil
			}
			maps.Copy(w.ends, inner.ends)
			maps.Copy(w.puts, inner.puts)
		}
	}
	w.reach = ssax.Reaching(w.ends, e.from)
	v := &untold{w, e.from, ssax.Receives(e.whole), make(map[*ssa.BasicBlock]bool)}
	if e.from != nil && !e.fn.Walker.From(e.from, v) || e.from == nil && !e.fn.Walker.Entry(e.fn.F, v) {
		return nil
	}
	for _, exit := range w.exits {
		if exit.How == events.ErrorReturn {
			exit.What = " of an error"
		}
		switch {
		case e.from == nil:
			exit.How = events.Untold
		case exit.How != events.NextReceived:
			exit.How = events.Unreturned
		}
		found = append(found, scene.Found{Of: obj, History: events.History{Events: []events.Event{e.fn.PutEvent(e.put), exit}}})
	}
	return found
}

// keeper knows where a value ends, or the struct in which an object is.
func (e *trust) keeper(v ssa.Value, holder bool) *keeper {
	s := new(summary.Summary)
	if holder {
		s.Holders = summary.Bit(0)
	}
	w := keeperOf(e.fn, v, s)
	if w == nil {
		return nil
	}
	w.begin, w.left = e.from, true
	for instr := range w.ends {
		if call, ok := instr.(ssa.CallInstruction); ok {
			c := e.fn.Program.Resolve(call)
			if slices.ContainsFunc(slices.Collect(c.Summary.RefPut.Members()), func(i int) bool { return i < c.Captures && w.whole(c.Args[i]) }) {
				w.puts[instr] = true
			}
		}
	}
	return w
}

// setsIn reports whether a function sets a place to anything but what its caller gives it.
func setsIn(fn *scene.Function, place memory.Var) bool {
	return slices.ContainsFunc(fn.Program.StoresTo(fn.F, place), func(s *ssa.Store) bool {
		_, isParam := s.Val.(*ssa.Parameter)
		return !isParam
	})
}
