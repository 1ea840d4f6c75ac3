package study

// Outcome is the judgement of a published claim.
type Outcome string

const (
	// Reproduced: the published size lies in the interval that was found, or
	// within the factor that the claim allows. A claim without a size: its
	// direction was found.
	Reproduced Outcome = "reproduced"
	// OtherSize: the direction is the published one, the size is excluded.
	OtherSize Outcome = "same direction, other size"
	// Opposite: the change has the other direction.
	Opposite Outcome = "opposite"
	// NotReproduced: there is no effect, or none as large as published, and the
	// direction is open.
	NotReproduced Outcome = "not reproduced"
	// NotJudgeable: the comparison is invalid, open or not measured, or the
	// published effect is smaller than what could be told from none.
	NotJudgeable Outcome = "not judgeable"
)

// ClaimResult says of a published claim what this run found.
type ClaimResult struct {
	Text      string   `json:"text"`
	Benchmark string   `json:"benchmark"`
	Arm       string   `json:"arm"`
	Cell      []string `json:"cell,omitempty"`   // that answered
	Beside    []string `json:"beside,omitempty"` // the figure is the ratio in Cell divided by the ratio in this cell
	Metric    string   `json:"metric"`
	Published string   `json:"published,omitempty"` // the figure as published
	Size      string   `json:"size,omitempty"`      // the published size, as Claim.Size; empty: the claim has none
	NoSize    string   `json:"no_size,omitempty"`   // why the claim has none
	Within    string   `json:"within,omitempty"`    // the factor that the claim allows
	Outcome   Outcome  `json:"outcome"`
	Isolated  bool     `json:"isolated,omitempty"` // only an isolated benchmark says so
	// Finding is our figure; nil: none, and Because says why.
	Finding *ClaimFinding `json:"finding,omitempty"`
	Because *Reason       `json:"because,omitempty"`
}

// ClaimFinding is the figure that a claim is held against.
type ClaimFinding struct {
	Class     Class     `json:"class"`
	Estimator Estimator `json:"estimator,omitzero"` // of time
	Estimate  *Estimate `json:"estimate,omitempty"` // of time, or of a metric that is estimated
	Counter   *Counter  `json:"counter,omitempty"`  // of a count; of a metric that is estimated, both sides
}
