package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// mostNamed is how many arms of one kind are named, with their figures; the
// others are counted, and the ranking of the note has them.
const mostNamed = 4

// manyTimes is from where on a multiple says only that hardly anything was there
// before: a baseline that reuses has the bytes of some first use, and no more.
const manyTimes = 1000

// armParts says of each arm whether it pays, in the order of the ranking.
func armParts(file study.File, comparisons []study.SummaryRow) []string {
	var pay, partly, differ, same, trade, cost []string
	baselines := map[string]bool{}
	for _, a := range ranked(summaryRows(file, comparisons)) {
		baselines[a.baseline] = true
		d := a.decided()
		name := fmt.Sprintf("`%s` (%s)", a.arm, d)
		switch n := len(d.rows); {
		case n == 0:
		case n == d.count[study.Positive]:
			pay = append(pay, name)
		case n == d.count[study.Negative]:
			cost = append(cost, name)
		case n == d.count[study.NoChange]:
			same = append(same, name)
		case n == d.count[study.TradeOff]:
			trade = append(trade, name)
		case d.count[study.Negative]+d.count[study.TradeOff] > 0:
			differ = append(differ, name)
		default:
			partly = append(partly, name)
		}
	}
	var parts []string
	for _, p := range []struct {
		arms      []string
		one, many string
	}{
		{pay, "pays", "pay"},
		{partly, "pays in part", "pay in part"},
		{trade, "is a trade-off", "are trade-offs"},
		{differ, "pays in some and costs in others", "pay in some and cost in others"},
		{same, "changes nothing", "change nothing"},
		{cost, "costs more than it saves", "cost more than they save"},
	} {
		if n := len(p.arms); n > 0 {
			if n > mostNamed+1 { // one more takes no more room than its name
				p.arms = append(p.arms[:mostNamed:mostNamed], fmt.Sprintf("%d more", n-mostNamed))
			}
			parts = append(parts, list(p.arms)+" "+oneOrMany(n, p.one, p.many))
		}
	}
	if len(parts) == 0 {
		return nil
	}
	against := "against their baselines, "
	if len(baselines) == 1 {
		against = "against `" + comparisons[0].Baseline + "`, "
	}
	return append([]string{against + parts[0]}, parts[1:]...)
}

// summaryRows are the rows of a committed result, as the ranking takes them.
func summaryRows(file study.File, comparisons []study.SummaryRow) []row {
	isolated := map[string]bool{}
	for _, b := range file.Benchmarks {
		isolated[b.Name] = b.Isolated
	}
	var rs []row
	for _, c := range comparisons {
		r := row{Result: c.Result(), plan: study.Comparison{Isolated: isolated[c.Benchmark]}}
		if r.Deciding.Launches > 0 || r.Bytes != (study.Counter{}) || r.Allocs != (study.Counter{}) {
			r.Launches = max(1, r.Deciding.Launches) // exact counters need one
		}
		rs = append(rs, r)
	}
	return rs
}

// decision is what is decided of an arm: on whole benchmarks, or on isolated ones
// where there are no others.
type decision struct {
	rows     []row
	count    map[study.Verdict]int
	isolated bool
}

func (a alternative) decided() decision {
	d := decision{count: map[study.Verdict]int{}}
	whole := slices.ContainsFunc(a.rows, func(r row) bool { return !r.plan.Isolated && decisive(r.Verdict) })
	for _, r := range a.rows {
		if decisive(r.Verdict) && r.plan.Isolated != whole {
			d.rows = append(d.rows, r)
			d.count[r.Verdict]++
		}
	}
	d.isolated = len(d.rows) > 0 && !whole
	return d
}

// decisive reports whether a verdict answers the question.
func decisive(v study.Verdict) bool {
	return slices.Contains([]study.Verdict{study.Positive, study.Negative, study.TradeOff, study.NoChange}, v)
}

// String is "time -20.1 % to -3.4 % in 12 comparisons, B/op -97.8 %".
func (d decision) String() string {
	time := ""
	if s := d.spanOf(timeRatio); s != "" {
		time = "time " + s
	}
	if len(d.rows) > 1 && len(d.count) == 1 {
		time = strings.TrimSpace(fmt.Sprintf("%s in %d comparisons", time, len(d.rows)))
	}
	var parts []string
	if time != "" {
		parts = append(parts, time)
	}
	for _, v := range order {
		if d.count[v] > 0 && len(d.count) > 1 {
			parts = append(parts, fmt.Sprintf("%d %s", d.count[v], v))
		}
	}
	// Memory is told where time does not say why.
	if slices.ContainsFunc(d.rows, func(r row) bool { return decisive(r.Verdict) && !r.obvious() }) {
		if s := d.spanOf(bytesMoved); s != "" {
			parts = append(parts, "B/op "+s)
		}
	}
	if d.isolated {
		parts = append(parts, "in isolation")
	}
	return strings.Join(parts, ", ")
}

// bytesMoved is the log ratio of the bytes, where they have one.
func bytesMoved(r row) (float64, bool) {
	if !r.counted() || r.Bytes.Baseline <= 0 {
		return 0, false
	}
	return math.Log((r.Bytes.Candidate + 1e-9) / r.Bytes.Baseline), true
}

func (d decision) spanOf(ratio func(row) (float64, bool)) string {
	var xs []float64
	for _, r := range d.rows {
		if x, ok := ratio(r); ok {
			xs = append(xs, math.Expm1(x))
		}
	}
	if len(xs) == 0 {
		return ""
	}
	return span(xs, func(x float64) string {
		switch {
		case x >= manyTimes:
			return fmt.Sprintf("over %dx more", manyTimes)
		case x >= 10:
			return multiple(1+x) + "x more"
		}
		return change(x)
	})
}
