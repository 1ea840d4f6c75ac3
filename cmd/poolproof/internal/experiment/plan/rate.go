package plan

import (
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// pacedCost estimates the time of one comparison at a fixed rate: the
// usual decision falls at the first look, which four launches make.
func pacedCost(p study.Pace) time.Duration { return 5 * p.Launch() }

// leaveOutPaced takes the sides from comparisons at a fixed rate where nothing
// can pace them: the testing package of the plan's engine is not ours.
func leaveOutPaced(p *study.Plan) {
	if p.Engine != study.EnginePairs {
		return
	}
	for i := range p.Comparisons {
		if c := &p.Comparisons[i]; c.Pace != nil {
			c.BaselineBench.Binary, c.CandidateBench.Binary = "", ""
			c.Skipped = "it runs at a fixed rate, which needs the duet"
		}
	}
}
