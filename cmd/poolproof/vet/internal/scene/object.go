package scene

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// Object makes an object and adds it to the function.
func (fn *Function) Object(root ssa.Value, t types.Type, g *track.Get) *events.Object {
	obj := &events.Object{Func: fn.Out, Type: t, Name: fn.nameOf(root)}
	switch {
	case t == nil || types.IsInterface(t):
		obj.Shape = events.Interface
	case ssax.IsBuffer(t):
		obj.Shape = events.Buffer
	}
	if g != nil {
		e := fn.Event(events.Get, g.Call.Instr)
		e.What = g.Call.Name()
		obj.Get = &e
		obj.Custom = g.Call.Custom && g.Call.Invoke
	}
	fn.Out.Objects = append(fn.Out.Objects, obj)
	return obj
}

// ObjectOf returns the object that a put gives back.
func (fn *Function) ObjectOf(p *track.Put) *events.Object {
	if p.Object != nil {
		return p.Object
	}
	for _, r := range p.Roots {
		if obj := fn.Made[r]; obj != nil {
			return obj
		}
	}
	root := p.Roots[0]
	t := root.Type()
	if p.Captured && ssax.Pointee(t) != nil && root == p.Arg && p.At == nil {
		t = ssax.Pointee(t)
	}
	obj := fn.Object(root, t, nil)
	obj.Custom = p.Call.Custom && p.Call.Invoke
	fn.Made[root] = obj
	return obj
}

// Refers reports whether a pooled value of the type is an object: one that is
// copied when it is got is nobody's any more.
func Refers(t types.Type) bool {
	if t == nil {
		return true
	}
	switch t.Underlying().(type) {
	case *types.Basic, *types.Struct, *types.Array:
		return t.Underlying() == types.Typ[types.UnsafePointer]
	}
	return true
}

// Found is a remarkable path of an object: what a question finds.
type Found struct {
	Of *events.Object
	events.History
}

// Question is one question about a function. It adds nothing to its objects, and walks as
// if it were the only one.
type Question func() []Found

// Found joins the object of a put with the history that a question found.
func (fn *Function) Found(p *track.Put, h events.History) Found { return Found{fn.ObjectOf(p), h} }

// Ask asks questions, each with the whole budget, and keeps what they find.
func (fn *Function) Ask(questions ...Question) {
	for _, q := range questions {
		fn.Whole()
		for _, f := range q() {
			last, first := f.Last(), f.Events[0]
			if !slices.ContainsFunc(f.Of.Histories, func(old events.History) bool { // an event at the end has one already that begins alike
				was := old.Last()
				foreign := (was.How == events.Foreign) != (last.How == events.Foreign) // another question
				return was.Pos == last.Pos && was.Kind == last.Kind && old.Events[0].Kind == first.Kind && !foreign
			}) {
				f.Of.Histories = append(f.Of.Histories, f.History)
			}
		}
	}
}

// GetsOf returns the get of an object as the first events of its histories.
func (fn *Function) GetsOf(p *track.Put) []events.Event {
	if obj := fn.ObjectOf(p); obj.Get != nil {
		return []events.Event{*obj.Get}
	}
	return nil
}
