package check

import (
	"strconv"

	"golang.org/x/tools/go/analysis"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
)

// Demoted returns the tier of a finding about the memory of an object: an error
// only if it is the object itself or the memory of a buffer. What is reached through a field of a
// user's struct or a container may be another's by the time.
func Demoted(tier Tier, obj *events.Object, h *events.History) Tier {
	if h.Reach >= events.Field || obj.Custom {
		return max(tier, Warning)
	}
	return tier
}

// Name returns how a message calls an object.
func Name(obj *events.Object) string {
	if obj.Name != "" {
		return obj.Name
	}
	return "the object"
}

// Part returns how a message calls the part of an object that a history is about: the
// object itself, memory of it, or a value that refers to it.
func Part(obj *events.Object, h *events.History) string {
	switch h.Reach {
	case events.Whole:
		return Name(obj)
	case events.Container:
		return "a value that refers to " + Name(obj)
	}
	return "memory of " + Name(obj)
}

// Line returns the line of an event, as messages give it.
func (p *Pass) Line(e events.Event) string {
	return "line " + strconv.Itoa(p.Fset.Position(e.Pos).Line)
}

// PutBy says which code puts an object and where it goes, for a sentence that begins "b
// is read after ": "line 10 put it in the pool buffers".
func (p *Pass) PutBy(put events.Event) string {
	where := p.Line(put)
	switch {
	case put.How == events.Handed:
		return where + " handed it to code that puts it"
	case put.How == events.Taken:
		return put.What + " (" + where + ") took it over"
	case put.How == events.Plain || put.What == "":
	case put.What == "the function literal":
		where = "the function literal on " + where
	default:
		where = put.What + " (" + where + ")"
	}
	if put.Pool == "" {
		return where + " put it in its pool"
	}
	return where + " put it in the pool " + put.Pool
}

// Puts says which code puts an object, for a sentence that ends with it: "line 15 puts b
// in the pool buffers", "the deferred putBuffer (line 11) puts b in the pool buffers".
func (p *Pass) Puts(put events.Event, object string) string {
	line := p.Line(put)
	switch {
	case put.How == events.Handed:
		return line + " hands " + object + " to code that puts it"
	case put.How == events.Taken:
		return put.What + " (" + line + ") takes " + object + " over"
	}
	callee := put.What
	if put.How == events.Plain || callee == "the function literal" || callee == "a function value" {
		callee = ""
	}
	text := line
	switch {
	case put.Deferred && callee != "":
		text = "the deferred " + callee + " (" + line + ")"
	case put.Deferred:
		text = "the call deferred on " + line
	case callee != "":
		text = callee + " (" + line + ")"
	}
	text += " puts " + object
	if put.Pool != "" {
		text += " in the pool " + put.Pool
	}
	return text
}

// Related returns the places of events that came before a finding.
func Related(list ...events.Event) []analysis.RelatedInformation {
	var related []analysis.RelatedInformation
	for _, e := range list {
		text := ""
		switch {
		case e.Kind == events.Get:
			text = "taken from the pool here"
		case e.Kind == events.Put && e.How == events.Taken:
			text = "given to code that takes it over here"
		case e.Kind == events.Put && e.Deferred:
			text = "put by this deferred call, when the function returns"
		case e.Kind == events.Put:
			text = "put here"
		default:
			continue
		}
		related = append(related, analysis.RelatedInformation{Pos: e.Pos, End: max(e.End, e.Pos), Message: text})
	}
	return related
}

// Histories calls f with each remarkable path of each object.
func (p *Pass) Histories(f func(obj *events.Object, h *events.History)) {
	for _, fn := range p.Events.Funcs {
		for _, obj := range fn.Objects {
			for i := range obj.Histories {
				f(obj, &obj.Histories[i])
			}
		}
	}
}

// AfterPut calls f with each history of an object that ends, after a put, with an event of a kind.
func (p *Pass) AfterPut(kind events.Kind, f func(obj *events.Object, h *events.History, put, last events.Event)) {
	p.Histories(func(obj *events.Object, h *events.History) {
		if put, ok := h.First(events.Put); ok && h.Last().Kind == kind {
			f(obj, h, put, h.Last())
		}
	})
}

// Ends reports a finding at the last event of a history, related to those before.
func (p *Pass) Ends(h *events.History, tier Tier, message, remedy string, fixes ...analysis.SuggestedFix) {
	last := h.Last()
	p.Report(Report{Pos: last.Pos, End: last.End, Tier: tier, Message: message, Remedy: remedy, Related: Related(h.Events[:len(h.Events)-1]...), Fixes: fixes})
}
