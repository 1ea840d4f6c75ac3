package study

import "time"

// Form is the shape of a launch.
type Form string

const (
	FormSlices Form = "slices" // many slices of about 1 ms, drained
	FormLong   Form = "long"   // few slices of about 100 ms, plain sums
	FormPairs  Form = "pairs"  // one process a slice (EnginePairs)
	FormRate   Form = "rate"   // long slices of operations that start at a fixed rate, plain sums of CPU time
	FormFloor  Form = "floor"  // of rules before version 2, which measured a layout floor; passed over
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
	Schema     int       `json:"schema"`
	Plan       string    `json:"plan"`       // Plan.Digest
	Comparison string    `json:"comparison"` // Comparison.ID
	Form       Form      `json:"form"`
	Layout     int       `json:"layout"` // 0: plain builds; k: both sides from the padded build k
	Launch     int       `json:"launch"` // counts from 0 within comparison, form and layout
	Status     Status    `json:"status"`
	FailedSide string    `json:"failed_side,omitempty"` // "old" or "new" when the status is not ok
	Error      string    `json:"error,omitempty"`       // one line
	Started    time.Time `json:"started"`
	Seconds    float64   `json:"seconds"`          // of real time that the launch took, processes included
	Machine    string    `json:"machine"`          // host name: launches of one machine share it
	Go         string    `json:"go"`               // runtime.Version of the processes
	GoNew      string    `json:"go_new,omitempty"` // that of the new side, where it is another
	Load       Load      `json:"load"`
	N          int       `json:"n"`              // operations a slice, the same on both sides
	Note       string    `json:"note,omitempty"` // how the launch differs from the plan, as "12 pairs of 40 ms: the set-up takes longer than a burst"
	Old        Columns   `json:"old"`
	New        Columns   `json:"new"`
	NewFirst   []bool    `json:"new_first"` // the coin of each pair
}

// Load is what else the machine did during a launch, each a share of all its
// cores, 0 to 1; -1 where it is not known.
type Load struct {
	Foreign float64 `json:"foreign"` // busy with other programs
	Steal   float64 `json:"steal"`   // taken by the hypervisor
	Average float64 `json:"average"` // the one-minute load average, not a share
}

// Columns holds the slices of one side, one element a slice, in the order of
// the pairs. Times are in nanoseconds for the whole slice (N operations).
type Columns struct {
	Wall   []int64  `json:"wall"`                 // inside the benchmark's timer window
	CPU    []int64  `json:"cpu,omitempty"`        // of all threads, inside the window
	Drain  []int64  `json:"drain,omitempty"`      // CPU from the window's end until no collection was marking
	DrainW []int64  `json:"drain_wall,omitempty"` // the wall time of that wait
	Allocs []uint64 `json:"allocs"`               // heap objects allocated inside the window
	Bytes  []uint64 `json:"bytes"`                // heap bytes allocated inside the window
	GCs    []uint32 `json:"gcs,omitempty"`        // collections finished in slice and drain
	GCCPU  []int64  `json:"gc_cpu,omitempty"`     // CPU charged to the collector, slice and drain
	Pause  []int64  `json:"pause,omitempty"`      // stop-the-world time, slice and drain
	Heap   []uint64 `json:"heap,omitempty"`       // HeapInuse after the slice, bytes
	// Of paced slices alone:
	Late       []int64  `json:"late,omitempty"`           // by how much operations started late, nanoseconds, summed up
	Price      []int64  `json:"gc_price,omitempty"`       // CPU time of a collection that was forced behind the window
	PricePause []int64  `json:"gc_price_pause,omitempty"` // stop-the-world time of that collection
	Room       []uint64 `json:"gc_room,omitempty"`        // bytes from one collection to the next by the collector's goal, at the window's end
	// Extra holds the mean over slices of what the benchmark gave to
	// b.ReportMetric, by unit.
	Extra map[string]float64 `json:"extra,omitempty"`
}

// Len is the number of slices.
func (c Columns) Len() int { return len(c.Wall) }
