package rank

import "github.com/poolproof/poolproof/cmd/poolproof/internal/study"

// Standing is one arm in its whole benchmarks, or in its isolated ones.
type Standing struct {
	Arm, Baseline string
	Isolated      bool
	Results       []study.Result
	Decided       []study.Result // those that say whether the arm pays
	Count         map[study.Verdict]int
}

// Standings has the arms in the order of the ranking. An arm with whole and
// isolated benchmarks stands there twice.
func Standings(rs []study.Result) []Standing {
	var out []Standing
	for _, a := range Arms(rs) {
		for _, isolated := range []bool{false, true} {
			s := Standing{Arm: a.Name, Baseline: a.Baseline, Isolated: isolated, Count: map[study.Verdict]int{}}
			for _, r := range a.Results {
				if r.Isolated != isolated {
					continue
				}
				s.Results = append(s.Results, r)
				s.Count[r.Verdict]++
				if r.Verdict.Decided() {
					s.Decided = append(s.Decided, r)
				}
			}
			if len(s.Results) > 0 {
				out = append(out, s)
			}
		}
	}
	return out
}

// Payoff is the worth of an arm over its benchmarks.
type Payoff int

// From the best to the worst, and what says nothing of that.
const (
	Pays         Payoff = iota
	PaysInPart          // else it changes nothing
	PaysAtAPrice        // else it is a trade-off
	PaysAndCosts        // whatever else
	IsTradeOff
	TradesAtBest // else it costs, or changes nothing
	ChangesNothing
	CostsInPart // else it changes nothing
	Costs
	IsOpen // fewer than half of its comparisons are decided
	IsInvalid
	IsUnsafe
)

// Payoff sums up what the comparisons say.
func (s Standing) Payoff() Payoff {
	switch n := len(s.Decided); {
	case s.Count[study.Unsafe] > 0:
		return IsUnsafe
	case n == 0 && s.Count[study.Invalid] == len(s.Results):
		return IsInvalid
	case 2*n < len(s.Results):
		return IsOpen
	}
	better, worse, trade := s.Count[study.Positive], s.Count[study.Negative], s.Count[study.TradeOff]
	switch n := len(s.Decided); {
	case n == better:
		return Pays
	case n == worse:
		return Costs
	case n == s.Count[study.NoChange]:
		return ChangesNothing
	case n == trade:
		return IsTradeOff
	case better > 0 && worse > 0:
		return PaysAndCosts
	case better > 0 && trade > 0:
		return PaysAtAPrice
	case better > 0:
		return PaysInPart
	case trade > 0:
		return TradesAtBest
	}
	return CostsInPart
}

// Spoken leaves out the isolated benchmarks of an arm that has whole ones: these
// speak of it, whatever the isolated ones say, unless all of them are INVALID. What
// is not correct in isolation is not correct.
func Spoken(arms []Standing) []Standing {
	var out []Standing
	for _, s := range arms {
		if last := len(out) - 1; last >= 0 && out[last].Arm == s.Arm && out[last].Baseline == s.Baseline { // s is isolated
			if out[last].Payoff() != IsInvalid && s.Payoff() != IsUnsafe {
				continue
			}
			out = out[:last]
		}
		out = append(out, s)
	}
	return out
}
