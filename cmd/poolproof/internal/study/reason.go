package study

// ReasonCode says what a [Reason] is about. The rule gives codes and values;
// package report puts them into words.
type ReasonCode string

// Reasons of the verdict itself.
const (
	// ReasonTime: Class of time by Estimator and Estimate. Share is the band. Count
	// is how many launches the first look needs, where there are fewer.
	ReasonTime ReasonCode = "time"
	// ReasonClockTooCoarse: no launch has an estimate of time.
	ReasonClockTooCoarse ReasonCode = "clock-too-coarse"
	// ReasonMemory: the result's Bytes, Allocs and Memory. Alone: memory made
	// the verdict, not time.
	ReasonMemory ReasonCode = "memory"
	// ReasonMetric: the result's metric of that Unit.
	ReasonMetric ReasonCode = "metric"
	// ReasonClocksDisagree: Estimator moves by Estimate and Other by
	// OtherEstimate, in opposite directions.
	ReasonClocksDisagree ReasonCode = "clocks-disagree"
	// ReasonClocksDiffer: Estimator is of Class by Estimate, Other of OtherClass
	// by OtherEstimate; the first decided.
	ReasonClocksDiffer ReasonCode = "clocks-differ"
	// ReasonIsolated: the code under study is all that the benchmark does.
	ReasonIsolated ReasonCode = "isolated"
)

// Reasons of a verdict on several machines.
const (
	// ReasonMachines: the result's Machines, of which Count measured.
	ReasonMachines ReasonCode = "over-machines"
	// ReasonMachinesOpen: some have decided, and others have not.
	ReasonMachinesOpen ReasonCode = "machines-open"
	// ReasonMachinesUnconfirmed: fewer than half have confirmed a difference of time themselves.
	ReasonMachinesUnconfirmed ReasonCode = "machines-unconfirmed"
)

// Reasons of a verdict on lines that go test printed.
const (
	// ReasonPrinted: Class of time by Estimate, whose interval allows for a drift
	// of Share between the sides. Counts are the lines, or the processes if Alone
	// is false. Bound is the factor that time alone must move by.
	ReasonPrinted ReasonCode = "printed"
	// ReasonPrintedOnce: a side has one line, so that there is no interval.
	ReasonPrintedOnce ReasonCode = "printed-once"
	// ReasonPrintedElsewhere: Text says in what the machines of the files differ.
	ReasonPrintedElsewhere ReasonCode = "printed-elsewhere"
	// ReasonNoMemory: Side has no B/op and allocs/op.
	ReasonNoMemory ReasonCode = "no-memory"
)

// Reasons why there is nothing to judge.
const (
	// ReasonBaselineAllocatesTooLittle: Counter holds allocs/op, Count the
	// least number that was to be expected.
	ReasonBaselineAllocatesTooLittle ReasonCode = "baseline-allocates-too-little"
	// ReasonNothingRemoved: the counter of that Unit does not fall.
	ReasonNothingRemoved ReasonCode = "nothing-removed"
	// ReasonNotRaised: the counter of that Unit should rise and does not.
	ReasonNotRaised ReasonCode = "not-raised"
	// ReasonSaid: Text is from another stage, as the plan's word on why a
	// comparison is invalid, unsafe or skipped, or the compiler's.
	ReasonSaid ReasonCode = "said"
	// ReasonFailed: a launch failed on Side; Text is the user's program's.
	ReasonFailed ReasonCode = "failed"
	// ReasonNotReached: the budget ended before the first launch.
	ReasonNotReached ReasonCode = "not-reached"
	// ReasonNotReported: Side does not report the metric of that Unit in Counts[0]
	// of Counts[1] launches.
	ReasonNotReported ReasonCode = "not-reported"
)

// Reasons why a class of time is doubted, or stands.
const (
	// ReasonSpread: the launches' standard deviation is Share, Bound was to be
	// expected of their bursts.
	ReasonSpread ReasonCode = "spread"
	// ReasonDrift: in the first launch the difference is Share in the first third
	// of the bursts and Bound in the last.
	ReasonDrift ReasonCode = "drift"
	// ReasonDependsOnN: the difference is Share where b.N is Counts[0]. Bursts where it is Counts[1]
	// gainsay that; they give Bound.
	ReasonDependsOnN ReasonCode = "depends-on-n"
	// ReasonCheap: the collector took Share of the time at most; Counts are the
	// collections seen.
	ReasonCheap ReasonCode = "cheap-collections"
	// ReasonOpposed: the time between collections (Other, OtherClass) is of
	// another class than the time with them (Estimator, Class).
	ReasonOpposed ReasonCode = "total-disagrees"
	// ReasonLongCollections: a collection takes Took beyond its burst, which is
	// Slot long.
	ReasonLongCollections ReasonCode = "long-collections"
	// ReasonFewCollections: short bursts saw Counts collections, fewer than
	// Count.
	ReasonFewCollections ReasonCode = "few-collections"
	// ReasonFewEvenLong: fewer than Count collections were seen, the long form
	// included.
	ReasonFewEvenLong ReasonCode = "few-collections-even-long"
	// ReasonLongDecides: the long form decides, Because of doubts.
	ReasonLongDecides ReasonCode = "long-decides"
	// ReasonManyDecide: bursts of many operations decide, Because of a doubt.
	ReasonManyDecide ReasonCode = "many-decide"
	// ReasonRare: in the plain sums of the launches, Side spends Share of its time
	// in work that comes too rarely to be in the typical burst, beyond what the
	// other side does.
	ReasonRare ReasonCode = "rare-work"
	// ReasonSums: the plain sums of the launches, with the rare work and the
	// disturbances in them, differ by Share, which is of another class than the
	// number that decides.
	ReasonSums ReasonCode = "sums-gainsay"
	// ReasonOnlyLong: only the long form could settle Because[0].
	ReasonOnlyLong ReasonCode = "only-long-could-tell"
	// ReasonLongOpen: the long form did not decide; the class of Estimator
	// stands.
	ReasonLongOpen ReasonCode = "long-open"
	// ReasonPaddedMissing: padded builds are still to be measured, which takes
	// Took.
	ReasonPaddedMissing ReasonCode = "padded-missing"
	// ReasonPaddedConfirm: Count padded builds confirm it; the binaries as built
	// give Estimate.
	ReasonPaddedConfirm ReasonCode = "padded-confirm"
	// ReasonPaddedDoubt: over Count padded builds it is not confirmed, so code
	// layout may have made Estimate, which the binaries as built show.
	ReasonPaddedDoubt ReasonCode = "padded-doubt"
	// ReasonSameDirection: too few collections were seen to know their
	// price, but the side that takes less time makes less garbage too. Counts
	// are the collections seen.
	ReasonSameDirection ReasonCode = "same-direction"
	// ReasonUnpaid: Share of what the collections of Side cost fell after its
	// bursts, where Estimator does not count it. With it, the effect would be
	// Bound.
	ReasonUnpaid ReasonCode = "collections-after-bursts"
)

// Reasons why a claim has no finding.
const (
	// ClaimNotCompared: the plan does not have the claim's comparison.
	ClaimNotCompared ReasonCode = "not-compared"
	// ClaimNoCell: the plan does not have the claim's cell.
	ClaimNoCell ReasonCode = "no-such-cell"
	// ClaimNoVerdict: the comparison has the verdict of Text and says nothing,
	// Because of the first of its reasons.
	ClaimNoVerdict ReasonCode = "no-verdict"
	// ClaimNotMeasured: there is no figure of the metric Unit.
	ClaimNotMeasured ReasonCode = "metric-not-measured"
)

// Remarks on the launches (Result.Notes).
const (
	// NoteLaunch: Text is how a launch differs from the plan.
	NoteLaunch ReasonCode = "launch"
	// NoteCoarse: the clock of Estimator was too coarse for Counts[0] of
	// Counts[1] pairs.
	NoteCoarse ReasonCode = "coarse-clock"
	// NoteMachines: the launches are of Count machines.
	NoteMachines ReasonCode = "machines"
)

// Reason is one thing that a verdict rests on: a code and the values that go
// with it. The code says which fields count.
type Reason struct {
	Code          ReasonCode `json:"code"`
	Text          string     `json:"text,omitempty"`
	Side          string     `json:"side,omitempty"` // "baseline" or "candidate"
	Unit          string     `json:"unit,omitempty"`
	Alone         bool       `json:"alone,omitempty"`
	Class         Class      `json:"class,omitempty"`
	Estimator     Estimator  `json:"estimator,omitzero"`
	Estimate      *Estimate  `json:"estimate,omitempty"`
	Other         Estimator  `json:"other,omitzero"`
	OtherClass    Class      `json:"other_class,omitempty"`
	OtherEstimate *Estimate  `json:"other_estimate,omitempty"`
	Counter       *Counter   `json:"counter,omitempty"`
	Share         float64    `json:"share,omitempty"` // relative: 0.02 is 2 %
	Bound         float64    `json:"bound,omitempty"` // relative
	Count         int        `json:"count,omitempty"`
	Counts        *[2]int    `json:"counts,omitempty"`
	Took          Duration   `json:"took,omitempty"`
	Slot          Duration   `json:"slot,omitempty"`
	Because       []Reason   `json:"because,omitempty"`
}

// Said makes reasons of other stages' sentences.
func Said(texts ...string) []Reason {
	var rs []Reason
	for _, t := range texts {
		rs = append(rs, Reason{Code: ReasonSaid, Text: t})
	}
	return rs
}
