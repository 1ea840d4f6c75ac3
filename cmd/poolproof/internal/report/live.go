package report

import (
	"fmt"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Verdict says in one line what became of a comparison: its verdict, times,
// change and counters. why adds the first reason.
func Verdict(p study.Plan, c study.Comparison, res study.Result, why bool) string {
	r := row{Result: res, plan: c, alone: oneArm(p)}
	text := fmt.Sprintf("%s: %s", r.name(true), r.Verdict)
	for _, part := range []struct{ name, value string }{
		{"", r.time()}, {"", r.effect()}, {"B/op ", r.bytes()}, {"allocs/op ", r.allocs()},
	} {
		if part.value != dash {
			text += ", " + part.name + part.value
		}
	}
	if r.Failed != nil {
		text += ": " + r.Failed.String()
	} else if reasons := Reasons(res); why && len(reasons) > 0 {
		text += ": " + reasons[0]
	}
	return text
}

// Live lists how all comparisons stand while they are measured, in the plan's
// order: a table that fits so many columns and rows. What does not fit is
// counted below it, the decided ones first.
func Live(p study.Plan, results []study.Result, columns, rows int) []string {
	var rs []row
	for i, c := range p.Comparisons {
		if i < len(results) && measured(c) && c.Complete() {
			rs = append(rs, row{Result: results[i], plan: c, alone: oneArm(p)})
		}
	}
	room, left := max(1, rows-2), 0
	if len(rs) > room { // decided ones make room
		var kept []row
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
	g := grid{head: []string{"benchmark", "cell", "arm", "verdict", "time/op", "time", "allocs/op"}}
	for _, r := range rs {
		g.add(r.Benchmark, r.cell(), r.Arm, r.state(), r.time(), r.effect(), r.allocs())
	}
	g.alignAt(4, " -> ")
	g.alignLeft(5, " %")
	if oneArm(p) {
		g.drop(2)
	}
	if !severalCells(rs) {
		g.drop(1)
	}
	for _, name := range []string{"allocs/op", "time/op"} {
		for i, head := range g.head {
			if head == name && columns > 0 && g.width() > columns {
				g.drop(i)
				break
			}
		}
	}
	lines := g.lines()
	if left > 0 {
		lines = append(lines, fmt.Sprintf("and %s", plural(left, "more comparison", "more comparisons")))
	}
	return lines
}

// state is the verdict, once it has fallen.
func (r row) state() string {
	switch {
	case r.Want == nil:
		return string(r.Verdict)
	case r.Launches == 0:
		return "waiting"
	}
	return strings.ToLower("measuring " + plural(r.Launches, "launch", "launches"))
}
