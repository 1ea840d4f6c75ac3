package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// mostNamed is how many arms of one kind the sentence names; more of them are
// counted, and the table has them.
const mostNamed = 3

// manyTimes is from where on a multiple says only that hardly anything was there
// before: a baseline that reuses has the bytes of some first use, and no more.
const manyTimes = 1000

// armStanding is one arm in its whole benchmarks, or in its isolated ones.
type armStanding struct {
	arm, baseline string
	isolated      bool
	rows          []row
	decided       []row // those that say whether the arm pays
	count         map[study.Verdict]int
}

// standings has the arms in the order of the ranking. An arm with whole and
// isolated benchmarks stands there twice.
func standings(rs []row) []armStanding {
	var out []armStanding
	for _, a := range ranked(rs) {
		for _, isolated := range []bool{false, true} {
			s := armStanding{arm: a.arm, baseline: a.baseline, isolated: isolated, count: map[study.Verdict]int{}}
			for _, r := range a.rows {
				if r.plan.Isolated != isolated {
					continue
				}
				s.rows = append(s.rows, r)
				s.count[r.Verdict]++
				if decisive(r.Verdict) {
					s.decided = append(s.decided, r)
				}
			}
			if len(s.rows) > 0 {
				out = append(out, s)
			}
		}
	}
	return out
}

// decisive reports whether a verdict answers the question.
func decisive(v study.Verdict) bool {
	return slices.Contains([]study.Verdict{study.Positive, study.Negative, study.TradeOff, study.NoChange}, v)
}

// payoff is how the sentence speaks of an arm.
type payoff int

const (
	pays         payoff = iota
	paysInPart          // else it changes nothing
	paysAtAPrice        // else it is a trade-off
	paysAndCosts        // whatever else
	isTradeOff
	tradesAtBest // else it costs, or changes nothing
	changesNothing
	costsInPart // else it changes nothing
	costs
	isOpen // fewer than half of its comparisons are decided
	isInvalid
	isUnsafe
)

func (s armStanding) payoff() payoff {
	switch n := len(s.decided); {
	case s.count[study.Unsafe] > 0:
		return isUnsafe
	case n == 0 && s.count[study.Invalid] == len(s.rows):
		return isInvalid
	case 2*n < len(s.rows):
		return isOpen
	}
	better, worse, trade := s.count[study.Positive], s.count[study.Negative], s.count[study.TradeOff]
	switch n := len(s.decided); {
	case n == better:
		return pays
	case n == worse:
		return costs
	case n == s.count[study.NoChange]:
		return changesNothing
	case n == trade:
		return isTradeOff
	case better > 0 && worse > 0:
		return paysAndCosts
	case better > 0 && trade > 0:
		return paysAtAPrice
	case better > 0:
		return paysInPart
	case trade > 0:
		return tradesAtBest
	}
	return costsInPart
}

// spokenOf leaves out the isolated benchmarks of an arm that has whole ones: these
// speak of it, whatever the isolated ones say, unless all of them are INVALID. What
// is not correct in isolation is not correct.
func spokenOf(arms []armStanding) []armStanding {
	var out []armStanding
	for _, s := range arms {
		if last := len(out) - 1; last >= 0 && out[last].arm == s.arm && out[last].baseline == s.baseline { // s is isolated
			if out[last].payoff() != isInvalid && s.payoff() != isUnsafe {
				continue
			}
			out = out[:last]
		}
		out = append(out, s)
	}
	return out
}

// armSentence says of each arm whether it pays.
func armSentence(arms []armStanding) []string {
	spoken := spokenOf(arms)
	isolated := !slices.ContainsFunc(spoken, func(s armStanding) bool { return !s.isolated })
	of := map[payoff][]string{}
	var baselines []string
	for _, s := range spoken {
		name := "`" + s.arm + "`"
		if s.isolated && !isolated {
			name += " (in isolation)"
		}
		of[s.payoff()] = append(of[s.payoff()], name)
		baselines = unique(append(baselines, s.baseline))
	}
	var parts []string
	for _, p := range []struct {
		payoff    payoff
		one, many string
	}{
		{pays, "pays", "pay"},
		{paysInPart, "pays in some comparisons and changes nothing in others", "pay in some comparisons and change nothing in others"},
		{paysAtAPrice, "pays in some comparisons and is a trade-off in others", "pay in some comparisons and are trade-offs in others"},
		{paysAndCosts, "pays in some comparisons and costs in others", "pay in some comparisons and cost in others"},
		{isTradeOff, "is a trade-off", "are trade-offs"},
		{tradesAtBest, "is a trade-off at best", "are trade-offs at best"},
		{changesNothing, "changes nothing", "change nothing"},
		{costsInPart, "costs in some comparisons and pays in none", "cost in some comparisons and pay in none"},
		{costs, "costs more than it saves", "cost more than they save"},
		{isUnsafe, "is not correct", "are not correct"},
		{isOpen, "is open", "are open"},
	} {
		arms := of[p.payoff]
		switch n := len(arms); {
		case n == 0:
		case n > mostNamed:
			parts = append(parts, fmt.Sprintf("%d arms %s", n, p.many))
		default:
			parts = append(parts, list(arms)+" "+oneOrMany(n, p.one, p.many))
		}
	}
	if len(parts) == 0 || len(of) == 1 && len(of[isOpen]) > 0 {
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
func armsTable(file study.File, arms []armStanding) string {
	if len(file.Arms) == 0 && len(arms) == 1 {
		return ""
	}
	t := mdTable{head: []string{"arm", "baseline", "verdict", "time, smallest to largest", "B/op", "decided"}}
	for _, s := range arms {
		t.add(s.name(), "`"+s.baseline+"`", s.verdicts(), s.spanOf(timeRatio), s.spanOf(bytesMoved), fmt.Sprintf("%d of %d", len(s.decided)+s.count[study.Unsafe], len(s.rows)))
	}
	t.dropEmpty()
	return t.String()
}

func (s armStanding) name() string {
	if s.isolated {
		return "`" + s.arm + "` (isolated)"
	}
	return "`" + s.arm + "`"
}

// verdicts is "POSITIVE" where all comparisons have it, else "2 POSITIVE, 1 NO
// CHANGE".
func (s armStanding) verdicts() string {
	if len(s.count) == 1 {
		return string(s.rows[0].Verdict)
	}
	return tally(s.rows)
}

// whereArmsPay lists, of each arm that pays here and costs there, the benchmarks
// of each verdict, or the cells where there is one benchmark.
func whereArmsPay(arms []armStanding) string {
	var b strings.Builder
	for _, s := range arms {
		if s.count[study.Positive] == 0 || s.count[study.Negative]+s.count[study.TradeOff] == 0 {
			continue
		}
		name := row.cell
		if len(benchmarksOf(s.decided)) > 1 {
			name = func(r row) string { return r.Benchmark }
		}
		var parts []string
		for _, v := range order {
			var names []string
			for _, r := range s.decided {
				if r.Verdict == v {
					names = append(names, cellText(name(r)))
				}
			}
			if len(names) > 0 {
				parts = append(parts, fmt.Sprintf("%s in %s", v, strings.Join(unique(names), ", ")))
			}
		}
		fmt.Fprintf(&b, "- %s: %s.\n", s.name(), strings.Join(parts, "; "))
	}
	return b.String()
}

// bytesMoved is the log ratio of the bytes, where they have one. What is equal
// within the tolerance has not moved, and what the launches do not agree on says
// nothing.
func bytesMoved(r row) (float64, bool) {
	switch {
	case !r.counted() || r.Bytes.Unsteady:
		return 0, false
	case r.Bytes.Equal:
		return 0, true
	}
	ratio, ok := counterRatio(r.Bytes)
	return math.Log(ratio + 1e-12), ok
}

// spanOf is "-20.1 % to -3.4 %" over the comparisons that answer; a dash where
// none has the figure.
func (s armStanding) spanOf(ratio func(row) (float64, bool)) string {
	var xs []float64
	for _, r := range s.decided {
		if x, ok := ratio(r); ok {
			xs = append(xs, math.Expm1(x))
		}
	}
	if len(xs) == 0 {
		return dash
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
