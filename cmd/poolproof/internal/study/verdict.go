package study

import "time"

// Verdict is the answer to one comparison.
type Verdict string

const (
	Positive     Verdict = "POSITIVE"     // time or memory better, the other not worse
	Negative     Verdict = "NEGATIVE"     // time or memory worse, the other not better
	TradeOff     Verdict = "TRADE-OFF"    // one better, the other worse
	NoChange     Verdict = "NO CHANGE"    // both inside the band
	Inconclusive Verdict = "INCONCLUSIVE" // the effect that could have been seen is printed
	Invalid      Verdict = "INVALID"      // the experiment removed nothing or never ran the code
	Unsafe       Verdict = "UNSAFE"       // the arm is not correct
	// DiffersByMachine: machines have decided otherwise, each for itself.
	DiffersByMachine Verdict = "DIFFERS BY MACHINE"
	NotMeasured      Verdict = "not measured" // the budget did not reach it, or it failed
)

// Decided reports whether a verdict says what the candidate does.
func (v Verdict) Decided() bool {
	return v == Positive || v == Negative || v == TradeOff || v == NoChange
}

// Class is the judgement of one metric.
type Class string

const (
	Better     Class = "better"
	Same       Class = "same"
	Worse      Class = "worse"
	NotWorse   Class = "not worse" // the interval's upper end is inside the band, the lower end is not
	Mixed      Class = "mixed"     // memory only: bytes and allocations moved in opposite directions
	Unresolved Class = "unresolved"
)

// Estimate is an effect with its interval: the relative change candidate/baseline - 1,
// so -0.10 means that the arm takes 10 % less. Zero Launches: not estimated.
type Estimate struct {
	Effect   float64 `json:"effect"`
	Lo       float64 `json:"lo"`
	Hi       float64 `json:"hi"`
	Launches int     `json:"launches"`
	Class    Class   `json:"class,omitempty"`
	Decided  int     `json:"decided,omitempty"`  // launches at the look that decided; 0: none did
	LaunchSD float64 `json:"launch_sd,omitzero"` // standard deviation of launch estimates, log ratio
	WithinSE float64 `json:"within_se,omitzero"` // mean standard error inside a launch, log ratio
}

// Counter is an exact count per operation on both sides.
type Counter struct {
	Baseline  float64 `json:"baseline"`
	Candidate float64 `json:"candidate"`
	Equal     bool    `json:"equal"` // within the tolerance
	// Unsteady: it moved, but launches differ so much that this may be chance.
	Unsteady bool `json:"unsteady,omitempty"`
	// Moved: all launches agree that it moved, even if within the tolerance.
	Moved bool `json:"moved,omitempty"`
}

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
