// Package leakpath finds paths on which an object does not come back to its pool,
// although it does on others.
package leakpath

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
)

// Check is PV005.
var Check = check.New(check.Check{
	Code: "PV005",
	Name: "leak-path",
	Doc:  "a path loses an object that other paths put or hand on",
	Tier: check.Warning,
}, rule)

// rule reports each object once, at the first exit that loses it.
func rule(p *check.Pass) {
	for _, fn := range p.Events.Funcs {
		for _, obj := range fn.Objects {
			for _, callee := range []bool{false, true} {
				if exits := lost(p, obj, callee); len(exits) > 0 {
					report(p, obj, exits)
				}
			}
		}
	}
	p.Histories(func(obj *events.Object, h *events.History) {
		if message := only(p, obj, h); message != "" {
			p.At(h.Last(), 0, message, remedy(h.Last().How))
		}
	})
}

// only says what is wrong with a put that a function leaves out: as a rule, if it is named as one which
// gives back, or on a path of which its caller cannot know.
func only(p *check.Pass, obj *events.Object, h *events.History) string {
	exit := h.Last()
	if p.Events.Options.DropOnError && exit.What == " of an error" {
		return ""
	}
	switch exit.How {
	case events.Hidden:
		return "this ends another " + obj.Name + " than " + p.Line(*obj.Get) + " gets from a pool: the variable here is never set"
	case events.Forgets:
		return "this assignment loses the object that " + check.Name(obj) + " holds: it comes from a pool, and nothing has put it or handed it on"
	case events.NextReceived:
		return "from here on, the next round of the loop receives another object and loses " + check.Name(obj) + ", which " + p.Line(h.Events[0]) + " puts on another path"
	case events.Unreturned:
		return "this return" + exit.What + " loses " + check.Name(obj) + ", which came from a channel and which " + p.Line(h.Events[0]) + " puts on another path"
	case events.LeftReceived:
		return "this return" + exit.What + " loses " + check.Name(obj) + ": " + obj.Func.Name + " receives it from a channel and leaves it to this function, which puts it only on other paths"
	case events.Untold:
		return "this return" + exit.What + " loses " + check.Name(obj) + ": on another path " + p.Line(h.Events[0]) + " puts it, and by what is returned the caller cannot tell which path it was"
	case events.OnlyFailed:
		return obj.Func.Obj.Name() + " puts " + check.Name(obj) + " only where " + exit.What + " has failed, and loses it where all goes well"
	case events.OnlyLength:
		return obj.Func.Obj.Name() + " puts " + check.Name(obj) + " only if its length is one of a few, and " + exit.What + " returns it cut to any length: the others are lost"
	}
	return ""
}

// lost returns the exits that lose an object, in the order of the source, without those
// that a directive ignores: those of its function, or of a callee that is given it.
func lost(p *check.Pass, obj *events.Object, callee bool) (exits []events.Event) {
	for i := range obj.Histories {
		h := &obj.Histories[i]
		exit := h.Last()
		_, got := h.First(events.Get)
		_, put := h.First(events.Put)
		if got && !put && exit.Kind == events.Exit && (exit.What != "") == callee && loses(p, exit) != "" && !p.Ignored(exit.Pos) {
			exits = append(exits, exit)
		}
	}
	slices.SortStableFunc(exits, func(a, b events.Event) int { return int(a.Pos - b.Pos) })
	return exits
}

// loses says how an exit loses an object, "" if it does not.
func loses(p *check.Pass, exit events.Event) string {
	switch exit.How {
	case events.Return:
		return "this return loses "
	case events.ErrorReturn, events.FailedReturn:
		if !p.Events.Options.DropOnError {
			return "this return of an error loses "
		}
	case events.NextRound:
		return "the next round of the loop gets another object and loses "
	}
	return ""
}

func report(p *check.Pass, obj *events.Object, exits []events.Event) {
	exit := exits[0]
	related := check.Related(*obj.Get)
	for _, other := range exits[1:] {
		related = append(related, analysis.RelatedInformation{Pos: other.Pos, End: max(other.End, other.Pos), Message: "lost here too"})
	}
	if exit.What != "" {
		p.Report(check.Report{
			Pos: exit.Pos, End: exit.End,
			Message: loses(p, exit) + exit.What + others(p, exits[1:]) + ": " + obj.Func.Name + " took it from a pool (" + p.Line(*obj.Get) + ") and leaves it to this function, which puts it or hands it on only on other paths",
			Remedy:  remedy(exit.How),
			Related: related,
		})
		return
	}
	p.Report(check.Report{
		Pos: exit.Pos, End: exit.End,
		Message: loses(p, exit) + check.Name(obj) + others(p, exits[1:]) + ": " + p.Line(*obj.Get) + " took it from a pool, and " + ends(p, obj, exit),
		Remedy:  remedy(exit.How),
		Related: related,
	})
}

// others says where else an object is lost, in a few words.
func others(p *check.Pass, exits []events.Event) string {
	var lines []string
	for _, e := range exits {
		line := strconv.Itoa(p.Fset.Position(e.Pos).Line)
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	switch n := len(lines); {
	case n == 0:
		return ""
	case n == 1:
		return ", as does line " + lines[0]
	case n <= 4:
		return ", as do lines " + strings.Join(lines[:n-1], ", ") + " and " + lines[n-1]
	default:
		return ", as do " + strconv.Itoa(n) + " other exits"
	}
}

// ends says how the object ends on other paths.
func ends(p *check.Pass, obj *events.Object, exit events.Event) string {
	if exit.How == events.FailedReturn {
		return "it is handed on only if there is no error"
	}
	for _, put := range obj.Puts {
		if put.Pos.IsValid() {
			return "only other paths put it (" + p.Line(put) + ")"
		}
	}
	return "only other paths put it or hand it on"
}

// remedy says what to do: each path puts the object, or hands it on.
func remedy(exit events.How) string {
	switch exit {
	case events.NextRound, events.NextReceived:
		return "put it before the next round"
	case events.FailedReturn:
		return "put it before this return"
	case events.Hidden:
		return "assign to it there, and declare none of that name"
	case events.Forgets:
		return "put it first"
	case events.Untold:
		return "put it here too, or let a result tell the caller"
	case events.OnlyFailed:
		return "turn the condition round, or put it there too"
	case events.OnlyLength:
		return "ask for the capacity"
	}
	return "put it here too"
}
