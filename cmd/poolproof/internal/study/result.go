package study

import ()

// Result is the judgement of one comparison.
type Result struct {
	Comparison    string                `json:"comparison"`
	Benchmark     string                `json:"benchmark"`
	Arm           string                `json:"arm"`
	Baseline      string                `json:"baseline"`
	Cell          []string              `json:"cell,omitempty"`
	Isolated      bool                  `json:"isolated,omitempty"`   // the code under study is all that the benchmark does
	Sequential    bool                  `json:"sequential,omitempty"` // the sides were not measured in turn: see [EnginePrinted]
	Verdict       Verdict               `json:"verdict"`
	Reasons       []Reason              `json:"reasons,omitempty"` // most important first
	Failed        *Failure              `json:"failed,omitempty"`  // a side's benchmark fails; the verdict is NotMeasured
	Time          Class                 `json:"time,omitempty"`
	Memory        Class                 `json:"memory,omitempty"`
	Estimator     Estimator             `json:"estimator,omitzero"` // that decided
	Deciding      Estimate              `json:"deciding,omitzero"`  // a copy of it
	MWall         Estimate              `json:"m_wall,omitzero"`    // between collections
	MCPU          Estimate              `json:"m_cpu,omitzero"`
	TWall         Estimate              `json:"t_wall,omitzero"` // with the collections paid
	TCPU          Estimate              `json:"t_cpu,omitzero"`
	LongWall      Estimate              `json:"long_wall,omitzero"`
	LongCPU       Estimate              `json:"long_cpu,omitzero"`
	AsBuilt       *Estimate             `json:"as_built,omitempty"`   // that of the plain builds, where Deciding is over padded builds
	BaselineTime  float64               `json:"baseline_ns"`          // ns/op, median of bursts, with a Pace CPU time; 0: not measured or not shown
	CandidateTime float64               `json:"candidate_ns"`         // BaselineTime changed by Deciding.Effect
	Allocs        Counter               `json:"allocs"`               // allocs/op
	Bytes         Counter               `json:"bytes"`                // B/op
	Cycles        [2]int                `json:"cycles,omitzero"`      // collections of the baseline and of the candidate
	Extra         map[string][2]float64 `json:"extra,omitempty"`      // b.ReportMetric, of the baseline and of the candidate
	Metrics       []MetricResult        `json:"metrics,omitempty"`    // those of them that the study judges
	Paced         *Paced                `json:"paced,omitempty"`      // of a comparison at a fixed rate
	Detectable    float64               `json:"detectable,omitempty"` // unresolved: the half-width reached, as a relative effect
	NeedTime      Duration              `json:"need_time,omitempty"`  // unresolved: measuring time that would be needed in all
	Spent         Duration              `json:"spent,omitzero"`       // measuring time
	Launches      int                   `json:"launches"`             // all forms and layouts
	Times         []LaunchTimes         `json:"times,omitempty"`      // of the launches that Deciding is made of, in their order
	Machines      []MachineResult       `json:"machines,omitempty"`   // what each of several says
	Notes         []Reason              `json:"notes,omitempty"`      // remarks on the launches, each once
	Foreign       float64               `json:"foreign"`              // median foreign load, share; -1 unknown
	Waits         float64               `json:"waits,omitempty"`      // at least this share of its time either side waits; 0: less than half
	Expect        []Verdict             `json:"expect,omitempty"`
	// AsExpected is nil where the study expects nothing or the comparison was
	// not measured or is INCONCLUSIVE without being expected to be.
	AsExpected *bool `json:"as_expected,omitempty"`
	// Want is the launch that the rule needs to go on; nil when it has decided, or when
	// the plan's last look has passed.
	Want *Want `json:"-"`
}

// CPU is the estimate of CPU time that goes with the deciding one; without
// launches where there is none.
func (r Result) CPU() Estimate {
	switch {
	case r.Estimator.Clock == CPU:
		return r.Deciding
	case r.Estimator.Kind == Mutator:
		return r.MCPU
	case r.Estimator.Kind == Total:
		return r.TCPU
	case r.Estimator.Kind == Long:
		return r.LongCPU
	}
	return Estimate{}
}

// Timed reports whether there are times to show: an invalid or unsafe
// experiment has none that mean anything.
func (r Result) Timed() bool {
	switch r.Verdict {
	case Invalid, Unsafe, NotMeasured:
		return false
	}
	return r.Deciding.Launches > 0
}

// Counted reports whether there are exact counters to show. An INVALID verdict
// often rests on them.
func (r Result) Counted() bool {
	return r.Launches > 0 && r.Verdict != Unsafe && r.Verdict != NotMeasured
}

// Want asks for more launches of one comparison.
type Want struct {
	Form   Form `json:"form"`
	Layout int  `json:"layout"`
	Launch int  `json:"launch"` // the next launch to record
	// Unlikely: builds like those so far would not confirm the difference, however
	// many the rule looks at.
	Unlikely bool `json:"unlikely,omitempty"`
}

// MetricResult is the judgement of one figure that the benchmark reports.
type MetricResult struct {
	Unit      string  `json:"unit"`
	Baseline  float64 `json:"baseline"` // mean over launches
	Candidate float64 `json:"candidate"`
	Class     Class   `json:"class"` // Unresolved where Why says so
	Exact     bool    `json:"exact,omitempty"`
	Decides   bool    `json:"decides,omitempty"` // has a say in the verdict
	// Estimate is the relative change with its interval. Zero Launches: it was
	// counted, or has no ratio because a side is zero in some launch.
	Estimate Estimate `json:"estimate,omitzero"`
	Why      *Reason  `json:"why,omitempty"` // why there is nothing to judge
}

// LaunchTimes is the time of an operation in one launch, in nanoseconds on both
// sides, as the deciding estimator's kind sees it: a median of bursts, or with
// the collections paid. Zero: the launch does not have that clock.
type LaunchTimes struct {
	Form   Form       `json:"form"`
	Layout int        `json:"layout,omitempty"`
	Launch int        `json:"launch"`
	Wall   [2]float64 `json:"wall_ns"`
	CPU    [2]float64 `json:"cpu_ns"`
}

// Paced is the usage of both sides of a comparison at a fixed rate, by side.
type Paced struct {
	Pace
	CPU    [2]float64 `json:"cpu_ns"`           // of all threads an operation, the collector's included
	Bytes  [2]float64 `json:"bytes_per_s"`      // allocated
	Allocs [2]float64 `json:"allocs_per_s"`     // heap objects
	Cycles [2]float64 `json:"gcs_per_min"`      // collections that the garbage makes
	Pause  [2]float64 `json:"pause_ms_per_min"` // the world stopped, milliseconds
	Owed   [2]float64 `json:"owed"`             // share of CPU that was charged by the price of a collection, not seen
	Late   [2]float64 `json:"late_ns"`          // mean delay of an operation's start
}

// MachineResult is one machine's result of a comparison.
type MachineResult struct {
	Machine  string   `json:"machine"` // shard and host
	CPU      string   `json:"cpu"`
	Verdict  Verdict  `json:"verdict"`
	Deciding Estimate `json:"deciding,omitzero"`
	Launches int      `json:"launches"`
}

// Apart is by how much the effect of one comparison differs between two cells with
// builds of their own: with Go 1.24 and with Go 1.26, say.
type Apart struct {
	From string `json:"from"` // ID of the comparison in the first cell with builds
	To   string `json:"to"`   // and in another one
	// Effect is by how much the effect in To is above that in From, as a ratio less 1, and
	// Lo and Hi are its interval.
	Effect float64 `json:"effect"`
	Lo     float64 `json:"lo"`
	Hi     float64 `json:"hi"`
}

// Differs reports whether the effects differ, beyond chance.
func (a Apart) Differs() bool { return a.Lo > 0 || a.Hi < 0 }
