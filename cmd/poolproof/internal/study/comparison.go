package study

// Comparison is one arm against its baseline on one benchmark in one cell.
type Comparison struct {
	ID             string   `json:"id"`        // unique within the plan, stable over runs
	Benchmark      string   `json:"benchmark"` // what both sides run: a label, or the name without its KEY=value part
	Arm            string   `json:"arm"`       // label of the candidate
	Baseline       string   `json:"baseline"`  // label of the baseline
	BaselineBench  Bench    `json:"baseline_bench"`
	CandidateBench Bench    `json:"candidate_bench"`
	Cell           []string `json:"cell,omitempty"`  // NAME=value added to both sides' environment
	Pace           *Pace    `json:"pace,omitempty"`  // operations start at a fixed rate; nil: as fast as they go
	Falls          []string `json:"falls,omitempty"` // exact counters ("B/op", "allocs/op") that the arm claims to lower
	// Allocates is how often an operation of the baseline must allocate at
	// least for the comparison to be valid; 0: any.
	Allocates int       `json:"allocates,omitempty"`
	Rises     []string  `json:"rises,omitempty"`    // exact counters that the arm claims to raise
	Isolated  bool      `json:"isolated,omitempty"` // the code under study is all that the benchmark does
	Expect    []Verdict `json:"expect,omitempty"`   // verdicts that the study expects, any of them
	// ExpectedBefore holds the verdicts that the study expected until it was
	// measured, where it expects others now.
	ExpectedBefore []Verdict `json:"expected_before,omitempty"`
	Late           bool      `json:"late,omitempty"` // measured when all that is not late is decided
	// Invalid, if not empty, says why the comparison was rejected before any
	// timing (the code under study is never executed). It is not measured.
	Invalid string `json:"invalid,omitempty"`
	// Unsafe, if not empty, says how a side misuses a sync.Pool. It is not
	// measured: what a wrong program costs is no answer.
	Unsafe string `json:"unsafe,omitempty"`
	// Failed, if not nil, says how a side's benchmark fails. It is not
	// measured.
	Failed *Failure `json:"failed,omitempty"`
	// Skipped, if not empty, says why the comparison is not measured although
	// it is valid (the budget does not reach it).
	Skipped string `json:"skipped,omitempty"`
	// Pool says, for KindUnpool, which pool the baseline does without, and how an
	// operation of the candidate uses it.
	Pool *PoolUse `json:"pool,omitempty"`
	// Variant is, for KindSite, the ID of the variant that the candidate is.
	Variant string `json:"variant,omitempty"`
	// Escape holds the compiler's words on the allocations of the code under
	// study, shown where a verdict is INVALID.
	Escape []string `json:"escape,omitempty"`
}

// Bench returns the benchmark of a side.
func (c Comparison) Bench(s Side) Bench {
	if s == Candidate {
		return c.CandidateBench
	}
	return c.BaselineBench
}

// Complete reports whether both sides are there to be measured. Where one has
// no binary or no such benchmark, Skipped says why.
func (c Comparison) Complete() bool {
	return c.BaselineBench.Binary != "" && c.CandidateBench.Binary != ""
}

// Bench is one benchmark of one binary.
type Bench struct {
	Binary string `json:"binary"` // ID of the plain build (Layout 0); empty: this side cannot be run
	Leaf   string `json:"leaf"`   // full name, as BenchmarkX/key=value/n=5, without -GOMAXPROCS
}

// Failure is a benchmark that cannot be measured because it fails, panics,
// exits or hangs.
type Failure struct {
	// Side is "baseline" or "candidate"; "" for a benchmark that belongs to no
	// comparison of the plan.
	Side      string `json:"side,omitempty"`
	Binary    string `json:"binary,omitempty"` // ID of its binary, as in Plan.Binaries
	Benchmark string `json:"benchmark"`        // full name
	Text      string `json:"text"`             // one line: what it said, with the position in the user's source
}

// String names the side and says what went wrong.
func (f Failure) String() string {
	if f.Side == "" {
		return f.Text
	}
	return "the " + f.Side + " fails: " + f.Text
}
