package observe

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

func (fn *function) putEvent(p *put) events.Event {
	if p.at != nil {
		return fn.handedEvent(p)
	}
	e := fn.event(events.Put, p.call.Instr)
	e.What, e.Deferred = p.call.Name(), p.call.Deferred()
	if at, ok := fn.to(&p.call, p.index); ok && p.place.Base == nil {
		e.Pool = fn.poolName(at)
	}
	switch {
	case !p.certain:
		e.How = events.Maybe
	case p.place.Base == nil && givenTo(&p.call, p.index) == events.Taken:
		e.How = events.Taken
	case !p.call.IsPoolPut():
		e.How = events.Released
	}
	return e
}

// event makes an event of an instruction.
func (fn *function) event(kind events.Kind, instr ssa.Instruction) events.Event {
	e := events.Event{Kind: kind, Pos: position(instr)}
	if call, ok := instr.(ssa.CallInstruction); ok {
		if node := fn.syntax().call(call.Common().Pos()); node != nil {
			e.Node = node
			e.Pos, e.End = anchor(node), node.End()
		}
	}
	return e
}

// anchor is where a call is said to be: at its beginning, or at the name of the
// method if the call goes over several lines.
func anchor(call *ast.CallExpr) token.Pos {
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
		if _, chained := ast.Unparen(sel.X).(*ast.CallExpr); chained {
			return sel.Sel.Pos()
		}
	}
	return call.Pos()
}

// position returns the position of an instruction, or of the nearest one before
// it that has one.
func position(instr ssa.Instruction) token.Pos {
	if instr.Pos().IsValid() {
		return instr.Pos()
	}
	var operands [8]*ssa.Value
	for _, op := range instr.Operands(operands[:0]) {
		if *op != nil && (*op).Pos().IsValid() && (*op).Parent() == instr.Parent() {
			if _, isParam := (*op).(*ssa.Parameter); !isParam {
				return (*op).Pos()
			}
		}
	}
	b := instr.Block()
	at := slices.Index(b.Instrs, instr)
	for i := at - 1; i >= 0; i-- {
		if b.Instrs[i].Pos().IsValid() {
			return b.Instrs[i].Pos()
		}
	}
	return instr.Parent().Pos()
}

// nameOf returns how the source calls a value: the variable that it is assigned
// to.
func (fn *function) nameOf(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.Parameter:
		return v.Name()
	case *ssa.FreeVar:
		return v.Name()
	case *ssa.FieldAddr:
		if base := fn.nameOf(v.X); base != "" {
			return base + "." + ssax.FieldName(v)
		}
		return "the field " + ssax.FieldName(v)
	case *ssa.Alloc:
		if !strings.Contains(v.Comment, " ") && v.Comment != "complit" && v.Comment != "new" {
			return v.Comment
		}
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return fn.syntax().result(call.Pos(), v.Index)
		}
	}
	return fn.syntax().assigned(v.Pos())
}

// history adds a remarkable path to the object of a put.
func (fn *function) history(p *put, h events.History) {
	obj := fn.objectOf(p)
	for _, old := range obj.Histories {
		last, first := old.Last(), old.Events[0]
		foreign := (last.How == events.Foreign) != (h.Last().How == events.Foreign) // another question
		if last.Pos == h.Last().Pos && last.Kind == h.Last().Kind && first.Kind == h.Events[0].Kind && !foreign {
			return
		}
	}
	obj.Histories = append(obj.Histories, h)
}

// getsOf returns the get of an object as the first events of its histories.
func (fn *function) getsOf(p *put) []events.Event {
	if obj := fn.objectOf(p); obj.Get != nil {
		return []events.Event{*obj.Get}
	}
	return nil
}
