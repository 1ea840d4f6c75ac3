package study

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
