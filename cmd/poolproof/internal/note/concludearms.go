package note

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat/rank"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// mostNamed is how many arms of one kind the sentence names; more of them are
// counted, and the table has them.
const mostNamed = 3

// manyTimes is from where on a multiple says only that hardly anything was there
// before: a baseline that reuses has the bytes of some first use, and no more.
const manyTimes = 1000

// manyPercent is from where on a multiple is easier to read than a percentage.
const manyPercent = 3

// armSentence says of each arm whether it pays.
func armSentence(arms []rank.Standing) []string {
	spoken := rank.Spoken(arms)
	isolated := !slices.ContainsFunc(spoken, func(s rank.Standing) bool { return !s.Isolated })
	of := map[rank.Payoff][]string{}
	var baselines []string
	for _, s := range spoken {
		name := "`" + s.Arm + "`"
		if s.Isolated && !isolated {
			name += " (in isolation)"
		}
		of[s.Payoff()] = append(of[s.Payoff()], name)
		baselines = words.Unique(append(baselines, s.Baseline))
	}
	var parts []string
	for _, p := range []struct {
		payoff    rank.Payoff
		one, many string
	}{
		{rank.Pays, "pays", "pay"},
		{rank.PaysInPart, "pays in some comparisons and changes nothing in others", "pay in some comparisons and change nothing in others"},
		{rank.PaysAtAPrice, "pays in some comparisons and is a trade-off in others", "pay in some comparisons and are trade-offs in others"},
		{rank.PaysAndCosts, "pays in some comparisons and costs in others", "pay in some comparisons and cost in others"},
		{rank.IsTradeOff, "is a trade-off", "are trade-offs"},
		{rank.TradesAtBest, "is a trade-off at best", "are trade-offs at best"},
		{rank.ChangesNothing, "changes nothing", "change nothing"},
		{rank.CostsInPart, "costs in some comparisons and pays in none", "cost in some comparisons and pay in none"},
		{rank.Costs, "costs more than it saves", "cost more than they save"},
		{rank.IsUnsafe, "is not correct", "are not correct"},
		{rank.IsOpen, "is open", "are open"},
	} {
		arms := of[p.payoff]
		switch n := len(arms); {
		case n == 0:
		case n > mostNamed:
			parts = append(parts, fmt.Sprintf("%d arms %s", n, p.many))
		default:
			parts = append(parts, words.List(arms)+" "+words.OneOrMany(n, p.one, p.many))
		}
	}
	if len(parts) == 0 || len(of) == 1 && len(of[rank.IsOpen]) > 0 {
		return nil // what is open is counted in the next sentence
	}
	against := "against their baselines, "
	if len(baselines) == 1 {
		against = "against `" + baselines[0] + "`, "
	}
	if isolated {
		against = "in isolation and " + against
	}
	return []string{against + strings.Join(parts, "; ")}
}

// armsTable has a row for each arm: its verdicts, the smallest and the largest
// effect of those that answer, and how many do. Two revisions are compared in one
// line, which the sentence is.
func armsTable(file study.File, arms []rank.Standing) string {
	if len(file.Arms) == 0 && len(arms) == 1 {
		return ""
	}
	t := words.Grid{Head: []string{"arm", "baseline", "verdict", "time, smallest to largest", "B/op", "decided"}}
	for _, s := range arms {
		t.Add(armName(s), "`"+s.Baseline+"`", verdictsOf(s), spanOf(s, rank.TimeRatio), spanOf(s, bytesMoved), fmt.Sprintf("%d of %d", len(s.Decided)+s.Count[study.Unsafe], len(s.Results)))
	}
	dropEmpty(&t)
	return markdown(t)
}

func armName(s rank.Standing) string {
	if s.Isolated {
		return "`" + s.Arm + "` (isolated)"
	}
	return "`" + s.Arm + "`"
}

// verdictsOf is "POSITIVE" where all comparisons have it, else "2 POSITIVE, 1 NO
// CHANGE".
func verdictsOf(s rank.Standing) string {
	if len(s.Count) == 1 {
		return string(s.Results[0].Verdict)
	}
	return words.Tally(s.Results)
}

// whereArmsPay lists, of each arm that pays here and costs there, the benchmarks
// of each verdict, or the cells where there is one benchmark.
func whereArmsPay(arms []rank.Standing) string {
	var b strings.Builder
	for _, s := range arms {
		if s.Count[study.Positive] == 0 || s.Count[study.Negative]+s.Count[study.TradeOff] == 0 {
			continue
		}
		name := func(r study.Result) string { return strings.Join(r.Cell, " ") }
		if slices.ContainsFunc(s.Decided, func(r study.Result) bool { return r.Benchmark != s.Decided[0].Benchmark }) {
			name = func(r study.Result) string { return r.Benchmark }
		}
		var parts []string
		for _, v := range rank.Order {
			var names []string
			for _, r := range s.Decided {
				if r.Verdict == v {
					names = append(names, cellText(name(r)))
				}
			}
			if len(names) > 0 {
				parts = append(parts, fmt.Sprintf("%s in %s", v, strings.Join(words.Unique(names), ", ")))
			}
		}
		fmt.Fprintf(&b, "- %s: %s.\n", armName(s), strings.Join(parts, "; "))
	}
	return b.String()
}

// bytesMoved is the log ratio of the bytes, where they have one. What is equal
// within the tolerance has not moved, and what the launches do not agree on says
// nothing.
func bytesMoved(r study.Result) (float64, bool) {
	switch {
	case !r.Counted() || r.Bytes.Unsteady:
		return 0, false
	case r.Bytes.Equal:
		return 0, true
	}
	ratio, ok := words.CounterRatio(r.Bytes)
	return math.Log(ratio + 1e-12), ok
}

// spanOf is "-20.1 % to -3.4 %" over the comparisons that answer; a dash where
// none has the figure.
func spanOf(s rank.Standing, ratio func(study.Result) (float64, bool)) string {
	var xs []float64
	for _, r := range s.Decided {
		if x, ok := ratio(r); ok {
			xs = append(xs, math.Expm1(x))
		}
	}
	if len(xs) == 0 {
		return words.Dash
	}
	return words.Span(xs, func(x float64) string {
		switch {
		case x >= manyTimes:
			return fmt.Sprintf("over %dx more", manyTimes)
		case x >= 10:
			return words.Multiple(1+x) + "x more"
		}
		return words.Change(x)
	})
}
