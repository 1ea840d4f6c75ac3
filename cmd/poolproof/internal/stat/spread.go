package stat

import (
	"math"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// The check of launches against their slices. Student's t assumes that the
// launches seen are a fair sample of all launches. A bimodal program (one
// launch in three lands on a slow heap layout, say) breaks that, and betrays
// itself: its launches differ far more than the bursts inside them.
//
// A factor alone is a bad check, the simulation says (testdata/simulated.json,
// "spread"). Where launches are exchangeable and have no effect of their own
// it never fires, but with a harmless effect of 0.5 % standard deviation,
// which t allows for, it takes back every third decision, and more often the
// more precise the bursts are. No larger factor helps, for the standard error
// in the denominator may be as small as one likes. So three things are needed
// to doubt a decision:
//
//   - launches vary spreadFactor times as much as their bursts explain;
//   - they vary by more than the band, so that it matters;
//   - the effect is within spreadFactor standard deviations of the band, so
//     that launches like these could have made it.
const (
	spreadFactor   = 3
	spreadLaunches = 4 // fewer say nothing of a standard deviation
)

// checkSpread doubts a decision that unlike launches could have made.
func (t *trial) checkSpread(r *ruling) {
	if r.time == study.Unresolved || r.n < spreadLaunches {
		return
	}
	se := withinSE(r.used, r.metric)
	if !(r.sd > spreadFactor*se && r.sd > t.e.rule.Band && math.Abs(r.mean) <= t.e.rule.Band+spreadFactor*r.sd) {
		return
	}
	r.doubt(study.Reason{Code: study.ReasonSpread, Share: math.Expm1(r.sd), Bound: math.Expm1(se)})
	r.hopeless = true
}
