package campaign

import (
	"fmt"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/results"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Result is the result of one task: a line of campaign.jsonl.
type Result struct {
	ID        string          `json:"id"`
	Setup     string          `json:"setup"` // digest of rule, benchmarks and toolchain: results of two set-ups do not mix
	Verdict   study.Verdict   `json:"verdict,omitempty"`
	Time      study.Class     `json:"time,omitempty"`
	Memory    study.Class     `json:"memory,omitempty"`
	Estimator study.Estimator `json:"estimator,omitzero"`
	Effect    float64         `json:"effect"` // of the deciding estimate, or of benchstat, or of the long runs
	Lo        float64         `json:"lo"`
	Hi        float64         `json:"hi"`
	Mutator   float64         `json:"mutator,omitempty"` // effect between collections, wall
	P         float64         `json:"p,omitempty"`       // benchstat's
	Spent     study.Duration  `json:"spent"`
	Whole     study.Duration  `json:"whole,omitempty"`   // of a question's run, builds included
	Foreign   float64         `json:"foreign,omitempty"` // load by others, share
	Reason    string          `json:"reason,omitempty"`
	// Collects is the mean number of collections in a burst of either side; nil:
	// not known.
	Collects *float64 `json:"collects,omitempty"`
	// Rule is the version of the rule that judged; 0: the first. Toolchain and
	// Machine say what was measured on, so that any machine can print the tables.
	Rule      int           `json:"rule,omitempty"`
	Toolchain string        `json:"toolchain,omitempty"`
	Machine   study.Machine `json:"machine,omitzero"`
}

// read returns a log with its results by ID. A result of another set-up is an error;
// setup "" takes that of the first.
func read(name, setup string) (log *results.Log[Result], done map[string]Result, err error) {
	if log, err = results.Open[Result](name); err != nil {
		return nil, nil, err
	}
	done = map[string]Result{}
	for i, r := range log.All {
		if setup == "" {
			setup = r.Setup
		}
		if r.Setup != setup {
			return nil, nil, fmt.Errorf("%s: result %d is of another rule, toolchain or set of benchmarks; start a campaign in another folder", name, i+1)
		}
		done[r.ID] = r
	}
	return log, done, nil
}
