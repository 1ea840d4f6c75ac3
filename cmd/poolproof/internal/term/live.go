package term

import (
	"fmt"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// Verdict says in one line what became of a comparison: its verdict, times,
// change and counters. why adds the first reason.
func Verdict(p study.Plan, c study.Comparison, res study.Result, why bool) string {
	r := words.Row{Result: res, Plan: c, Alone: words.OneArm(p)}
	text := fmt.Sprintf("%s: %s", r.Name(true), r.Verdict)
	for _, part := range []struct{ name, value string }{
		{"", r.PerOp()}, {"", r.Change()}, {"B/op ", r.BytesPerOp()}, {"allocs/op ", r.AllocsPerOp()},
	} {
		if part.value != words.Dash {
			text += ", " + part.name + part.value
		}
	}
	if r.Failed != nil {
		text += ": " + r.Failed.String()
	} else if reasons := words.Reasons(res); why && len(reasons) > 0 {
		text += ": " + reasons[0]
	}
	return text
}

// Live lists how all comparisons stand while they are measured, in the plan's
// order: a table that fits so many columns and rows. What does not fit is
// counted below it, the decided ones first.
func Live(p study.Plan, results []study.Result, columns, rows int) []string {
	var rs []words.Row
	for i, c := range p.Comparisons {
		if i < len(results) && measured(c) && c.Complete() {
			rs = append(rs, words.Row{Result: results[i], Plan: c, Alone: words.OneArm(p)})
		}
	}
	room, left := max(1, rows-2), 0
	if len(rs) > room { // decided ones make room
		var kept []words.Row
		for i, r := range rs {
			if r.Want == nil && len(rs)-i > room-len(kept) {
				left++
				continue
			}
			kept = append(kept, r)
		}
		if rs = kept; len(rs) > room {
			left += len(rs) - room
			rs = rs[:room]
		}
	}
	if len(rs) == 0 {
		return nil
	}
	g := words.Grid{Head: []string{"benchmark", "cell", "arm", "verdict", "time/op", "time", "allocs/op"}}
	for _, r := range rs {
		g.Add(r.Benchmark, r.CellName(), r.Arm, stateOf(r), r.PerOp(), r.Change(), r.AllocsPerOp())
	}
	g.AlignAt(4, " -> ")
	g.AlignLeft(5, " %")
	if words.OneArm(p) {
		g.Drop(2)
	}
	if !words.SeveralCells(rs) {
		g.Drop(1)
	}
	for _, name := range []string{"allocs/op", "time/op"} {
		for i, head := range g.Head {
			if head == name && columns > 0 && g.Width() > columns {
				g.Drop(i)
				break
			}
		}
	}
	lines := g.Lines()
	if left > 0 {
		lines = append(lines, fmt.Sprintf("and %s", words.Plural(left, "more comparison", "more comparisons")))
	}
	return lines
}

// stateOf is the verdict, once it has fallen.
func stateOf(r words.Row) string {
	switch {
	case r.Want == nil:
		return string(r.Verdict)
	case r.Launches == 0:
		return "waiting"
	}
	return strings.ToLower("measuring " + words.Plural(r.Launches, "launch", "launches"))
}
