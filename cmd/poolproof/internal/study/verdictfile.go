package study

import "time"

// VerdictFile is verdict.json.
type VerdictFile struct {
	Schema int    `json:"schema"`
	Plan   Plan   `json:"plan"`
	Digest string `json:"digest"` // Plan.Digest
	Judged int    `json:"judged"` // version of the rule that judged; Plan.Rule.Version is that of the measurement
	// Rule holds the numbers that it was judged with, where they are not the
	// plan's: the records are of another version.
	Rule    *Rule     `json:"rule,omitempty"`
	Started time.Time `json:"started"`
	Ended   time.Time `json:"ended"`
	Spent   Duration  `json:"spent"` // measuring time over all launches
	// Launches is the number of all launches, of every form and layout.
	Launches int `json:"launches"`
	// Method says how was measured and judged, where the plan has no numbers of
	// the rule that did.
	Method  string        `json:"method,omitempty"`
	Results []Result      `json:"results"`
	Apart   []Apart       `json:"apart,omitempty"`
	Claims  []ClaimResult `json:"claims,omitempty"`
	// Interrupted: the run was stopped before the budget was spent.
	Interrupted bool `json:"interrupted,omitempty"`
}
