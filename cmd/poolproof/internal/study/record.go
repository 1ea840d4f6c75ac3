package study

import "time"

// Form is the shape of a launch.
type Form string

const (
	FormBursts Form = "bursts" // many bursts of about 1 ms, drained
	// FormStretch: each side works alone for a while in a row, in bursts, while the
	// other is stopped. What comes rarely, or by the clock, comes as often as in a
	// program that runs by itself.
	FormStretch Form = "stretch"
	// FormMany: bursts of [Manifold] times as many operations as those of FormBursts. What a
	// benchmark function keeps itself begins again in each burst.
	FormMany  Form = "many"
	FormPairs Form = "pairs" // one process a burst (EnginePairs)
	FormRate  Form = "rate"  // long bursts of operations that start at a fixed rate, plain sums of CPU time
	FormLong  Form = "long"  // of rules before version 3: ten pairs of bursts of 100 ms; passed over
	FormFloor Form = "floor" // of rules before version 2: a layout floor; passed over
)

// Status says how a launch ended.
type Status string

const (
	StatusOK      Status = "ok"
	StatusFailed  Status = "failed"  // the benchmark failed, skipped or left its goroutine
	StatusTimeout Status = "timeout" // no answer in time
	StatusCrashed Status = "crashed" // the process ended: panic, os.Exit, signal
)

// Record is one launch: a fresh pair of processes, measured. It is one line of
// records.jsonl.
type Record struct {
	Schema      int       `json:"schema"`
	Plan        string    `json:"plan"`       // Plan.Digest
	Comparison  string    `json:"comparison"` // Comparison.ID
	Form        Form      `json:"form"`
	Layout      int       `json:"layout"` // 0: plain builds; k: both sides from the padded build k
	Launch      int       `json:"launch"` // counts from 0 within comparison, form and layout
	Status      Status    `json:"status"`
	FailedSide  string    `json:"failed_side,omitempty"` // "baseline" or "candidate" when the status is not ok
	Error       string    `json:"error,omitempty"`       // one line
	Started     time.Time `json:"started"`
	Seconds     float64   `json:"seconds"`                // of real time that the launch took, processes included
	Machine     string    `json:"machine"`                // host name: launches of one machine share it
	Go          string    `json:"go"`                     // runtime.Version of the processes
	GoCandidate string    `json:"go_candidate,omitempty"` // that of the candidate, where it is another
	Load        Load      `json:"load"`
	N           int       `json:"n"` // operations a burst
	// NCandidate is N of the candidate where it is another: of sides that differ
	// much, each has bursts of the usual length.
	NCandidate int `json:"n_candidate,omitempty"`
	// Processor is where the bursts of both sides ran, 1 for the first, if each was the
	// work of one thread; 0: anywhere.
	Processor int `json:"processor,omitempty"`
	// Pairs is the number of pairs of the launches that follow, where this one has
	// more: the first launch of a comparison.
	Pairs          int     `json:"pairs,omitempty"`
	Note           string  `json:"note,omitempty"` // how the launch differs from the plan, as "12 pairs of 40 ms: the set-up takes longer than a burst"
	Baseline       Columns `json:"baseline"`
	Candidate      Columns `json:"candidate"`
	CandidateFirst []bool  `json:"candidate_first"` // the coin of each pair
}

// Load describes the other work of the machine during a launch, each a share of all its
// cores, 0 to 1; -1 where it is not known.
type Load struct {
	Foreign float64 `json:"foreign"` // busy with other programs
	Steal   float64 `json:"steal"`   // taken by the hypervisor
	Average float64 `json:"average"` // the one-minute load average, not a share
}

// Columns returns those of a side, to be read or filled.
func (r *Record) Columns(s Side) *Columns {
	if s == Candidate {
		return &r.Candidate
	}
	return &r.Baseline
}

// Ops is the number of operations in a burst of a side.
func (r *Record) Ops(s Side) int {
	if s == Candidate && r.NCandidate > 0 {
		return r.NCandidate
	}
	return r.N
}
