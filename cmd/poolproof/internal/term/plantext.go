package term

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// Plan writes what a run would do, for -dry-run: the binaries, each
// comparison with its launches by the rule's first and last look, and the
// measuring time that they take.
func Plan(w io.Writer, p study.Plan) error {
	var t text
	t.line(p.Title)
	t.line("")
	g := words.Grid{Head: []string{"binary", "package", "layout"}}
	for _, b := range p.Binaries {
		layout := "plain"
		if b.Layout > 0 {
			layout = fmt.Sprintf("padded %d", b.Layout)
		}
		g.Add(b.ID, b.Package, layout)
	}
	t.block(g)
	if cells := words.CellsOf(p.Comparisons, func(c study.Comparison) []string { return c.Cell }); len(cells) > 0 {
		t.line("Cells")
		for _, c := range cells {
			t.line("  " + c)
		}
		t.line("")
	}
	t.block(comparisons(p))
	for _, c := range p.Comparisons {
		why := c.Invalid + c.Unsafe + c.Skipped
		if c.Failed != nil {
			why = c.Failed.String()
		}
		if why != "" {
			about := []string{c.Benchmark, c.Arm}
			if words.OneArm(p) {
				about = about[:1]
			}
			t.line(strings.Join(append(about, c.Cell...), " ") + ": not measured: " + words.Clauses([]string{why}))
		}
	}
	for _, f := range p.Failed {
		t.line(f.Benchmark + ": " + words.Clauses([]string{f.Text}))
	}
	t.expectedTime(p)
	return t.writeTo(w)
}

func (t *text) block(g words.Grid) {
	if len(g.Cells) > 0 {
		t.grid("", g)
		t.line("")
	}
}

func comparisons(p study.Plan) words.Grid {
	g := words.Grid{Head: []string{"benchmark", "cell", "arm", "against", "launches", "time"}}
	for _, c := range p.Comparisons {
		launches, span := words.Dash, words.Dash
		if measured(c) {
			least := firstLook(p, c)
			launches = fmt.Sprintf("%d or more", least)
			span = words.Duration(timeOf(p, c, least)) + " or more"
		}
		g.Add(c.Benchmark, strings.Join(c.Cell, " "), c.Arm, c.Baseline, launches, span)
	}
	if words.OneArm(p) {
		g.Drop(3)
		g.Drop(2)
	}
	if len(words.CellsOf(p.Comparisons, func(c study.Comparison) []string { return c.Cell })) == 0 {
		g.Drop(1)
	}
	return g
}

// expectedTime sums up.
func (t *text) expectedTime(p study.Plan) {
	r := p.Rule
	var n, fewest, paced int
	var shortest study.Duration
	for _, c := range p.Comparisons {
		if measured(c) {
			if c.Pace != nil {
				paced++
			}
			least := firstLook(p, c)
			n, fewest, shortest = n+1, fewest+least, shortest+timeOf(p, c, least)
		}
	}
	t.line(fmt.Sprintf("%s, %d launches or more, %s of measuring or more; builds and the start of processes are not counted.",
		words.Plural(n, "comparison", "comparisons"), fewest, words.Duration(shortest)))
	if long, _ := looks(r.LongLooks); long > 0 && r.Stretch > 0 && n > paced {
		t.line(fmt.Sprintf("Where bursts cannot decide, a comparison adds %s of the long form or more (%s).",
			words.Plural(long, "launch", "launches"), words.Duration(study.Duration(2*time.Duration(r.Stretch+r.Head)*time.Duration(long)))))
	}
	if least, most := looks(r.PaddedLooks); least > 0 {
		t.line(fmt.Sprintf("Where only time changes, it adds %s launches on padded builds, one on each (%s).",
			fromTo(fmt.Sprint(least), fmt.Sprint(most)), fromTo(words.Duration(launchTime(p, least)), words.Duration(launchTime(p, most)))))
	}
	if p.Budget > 0 {
		t.line(fmt.Sprintf("Budget: %s; comparisons beyond it are not measured.", words.Duration(p.Budget)))
	}
}

// launchTime is the measuring time of n launches: two sides, warm-up included.
func launchTime(p study.Plan, n int) study.Duration {
	bursts := 2 * (p.Rule.WarmUp + p.Rule.Pairs)
	return study.Duration(time.Duration(n*bursts) * time.Duration(p.Rule.Burst))
}

// timeOf is the measuring time of n launches of a comparison.
func timeOf(p study.Plan, c study.Comparison, n int) study.Duration {
	if c.Pace != nil {
		return study.Duration(time.Duration(n) * c.Pace.Launch())
	}
	return launchTime(p, n)
}

// firstLook is the least number of launches that decide a comparison.
func firstLook(p study.Plan, c study.Comparison) int {
	ns := p.Rule.Looks
	if c.Pace != nil {
		ns = p.Rule.LongLooks
	}
	least, _ := looks(ns)
	return least
}

// looks are the first and the last look.
func looks(ns []int) (least, most int) {
	if len(ns) == 0 {
		return 0, 0
	}
	return ns[0], ns[len(ns)-1]
}

func fromTo(a, b string) string {
	if a == b {
		return a
	}
	return a + " to " + b
}

// measured reports whether the plan means to measure the comparison.
func measured(c study.Comparison) bool {
	return c.Invalid == "" && c.Unsafe == "" && c.Failed == nil && c.Skipped == ""
}
