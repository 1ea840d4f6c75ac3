// Package doubleput finds objects that are put twice: two owners get the same
// memory.
package doubleput

import (
	"golang.org/x/tools/go/analysis"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
)

// Check is PV002.
var Check = check.New(check.Check{
	Code: "PV002",
	Name: "double-put",
	Doc:  "an object is put twice, so that two owners get the same memory",
	Tier: check.Error,
	Else: check.Through,
	Fix:  true,
}, rule)

func rule(p *check.Pass) {
	p.AfterPut(events.Put, func(obj *events.Object, h *events.History, put, again events.Event) {
		if n := len(h.Events); n < 2 || h.Events[n-2].Kind != events.Put {
			return
		}
		text := " is put again: " + p.PutBy(put)
		switch {
		case again.How == events.Taken:
			text = " is given to " + again.What + ", which takes it over, after " + p.PutBy(put)
		case put.How == events.Taken:
			text = " is put here, but " + p.PutBy(put)
		case put.How == events.Handed:
			text = " is put here, but " + p.Line(put) + " already handed it to code that puts it"
		case again.Pos == put.Pos:
			text = " is put again in each round of the loop, but was taken from its pool once"
		case again.Deferred && put.Deferred:
			text = " is put by two deferred calls: this one and the one on " + p.Line(put)
		case again.Deferred:
			text = " is put again by this deferred call: " + p.PutBy(put)
		}
		p.Ends(h, check.Demoted(check.Error, obj, h), check.Name(obj)+text, remedy(put, again), withoutFirst(p, put, again)...)
	})
}

// remedy says which of the puts remains.
func remedy(put, again events.Event) string {
	switch {
	case again.How == events.Taken:
		return "leave the put to " + again.What
	case put.How == events.Taken:
		return "leave the put to " + put.What
	case put.How == events.Handed:
		return "leave the put to that code"
	case again.Pos == put.Pos:
		return "put it after the loop, or take another in each round"
	case again.Deferred && put.Deferred:
		return "remove one of them"
	case again.Deferred:
		return "leave the put to this call"
	}
	return "put it once on each path"
}

// withoutFirst returns the fix where both puts are the same call, and the second one
// is deferred before the first one is reached: the first one goes. Whatever the
// function does until it returns, the object is its own then.
func withoutFirst(p *check.Pass, put, again events.Event) []analysis.SuggestedFix {
	pool, object, plain := p.PlainPut(put.Node)
	otherPool, otherObject, otherPlain := p.PlainPut(again.Node)
	if !again.Deferred || put.Pos == again.Pos || !plain || !otherPlain || !p.Same(pool, otherPool) || !p.Same(object, otherObject) {
		return nil
	}
	s, ok := p.Statement(put.Node)
	if !ok {
		return nil
	}
	edits := p.Remove(s)
	if edits == nil {
		return nil
	}
	return []analysis.SuggestedFix{{Message: "leave the put to the deferred call", TextEdits: edits}}
}
