// Package figures turns the statistics of pools into samples with a name and labels,
// for the packages that show them. Package metrics says which pools are meant.
package figures

// Kind says how the values of a Metric behave.
type Kind uint8

const (
	// Counter only grows, from 0 when the pool is made.
	Counter Kind = iota
	// Level is an amount that exists now. Levels of different pools and classes
	// add up.
	Level
	// Gauge is a quotient or an age. Gauges do not add up.
	Gauge
)

// Metric is one kind of figure. It is not changed after the start of the
// program.
type Metric struct {
	// Name is in snake case, without prefix and unit.
	Name string
	Help string // a sentence without its full stop
	Kind Kind
	// Unit is in the notation of UCUM, as OpenTelemetry wants it: By for bytes, 1
	// for a quotient, a word in braces for a number of things.
	Unit string
	// Labels are the names of what tells the samples of this metric apart.
	Labels []string
}

// Bytes, Seconds and Quotient are the units of metrics that do not count things.
// Values in seconds need not be whole.
const (
	Bytes    = "By"
	Seconds  = "s"
	Quotient = "1"
)

// Names of labels.
const (
	labelPool   = "pool"
	labelClass  = "class"
	labelReason = "reason"
	labelState  = "state"
)

var (
	byPool   = []string{labelPool}
	byClass  = []string{labelPool, labelClass}
	byReason = []string{labelPool, labelReason}
	byState  = []string{labelPool, labelState}
	byStage  = []string{"pipeline", "stage"}
)

var (
	gets = &Metric{"gets", "Objects and buffers handed out; from the level Uses on", Counter, "{get}", byClass}

	misses = &Metric{"misses", "Objects and buffers made because the pool had none", Counter, "{miss}", byClass}

	fromReserve = &Metric{"from_reserve", "Gets that found something in the reserve only", Counter, "{get}", byClass}

	dropped = &Metric{"dropped", "Objects and buffers given back and not kept", Counter, "{drop}", byReason}

	foreign = &Metric{"foreign",
		"Objects given back that are not of this pool (at the level Leaks), slices refused", Counter, "{object}", byPool}

	lost = &Metric{"lost",
		"Objects and buffers that the garbage collector took from their owner; at the level Leaks", Counter, "{object}", byClass}

	decayed = &Metric{"decayed", "Objects and buffers that left the reserve because no Get took them", Counter, "{object}", byClass}

	inUse = &Metric{"in_use_objects", "Objects and buffers that are out now; at the level Leaks", Level, "{object}", byClass}

	inUseBytes = &Metric{"in_use", "Memory of the buffers that are out now; at the level Leaks", Level, Bytes, byClass}

	reserved = &Metric{"reserved_objects", "Objects and buffers in the reserve now", Level, "{object}", byClass}

	reservedBytes = &Metric{"reserved", "Memory in the reserve now; of objects, if they have a Size rule", Level, Bytes, byClass}

	waste = &Metric{"waste",
		"Bytes handed out for each byte asked for, since the pool was made; from the level Uses on", Gauge, Quotient, byPool}
)

// Figures of package hotswap.
var (
	swapValues = &Metric{"hotswap_values",
		"Values of a hotswap pool: current ones of containers, retired ones that have readers, free ones, drafts of writers", Level, "{value}", byState}

	swapHolds = &Metric{"hotswap_holds", "Refs and Readers that hold a value of a hotswap pool now", Level, "{hold}", byPool}

	swapOldest = &Metric{"hotswap_oldest_retired",
		"Time since the value was replaced that has had readers for the longest time since; 0 without one", Gauge, Seconds, byPool}

	swapMade = &Metric{"hotswap_made", "Values that a hotswap pool has made, because none was free", Counter, "{value}", byPool}

	swapReused = &Metric{"hotswap_reused", "Drafts of a hotswap pool that were a used value", Counter, "{draft}", byPool}

	swapDropped = &Metric{"hotswap_dropped", "Values that a hotswap pool has given up", Counter, "{value}", byPool}
)

// Figures of the stages of pipelines.
var (
	stageRuns = &Metric{"stage_runs", "Runs of a stage of a pipeline that have begun", Counter, "{run}", byStage}

	stageBatches = &Metric{"stage_batches", "Batches that a stage has sent", Counter, "{batch}", byStage}

	stageValues = &Metric{"stage_values", "Values that a stage has sent", Counter, "{value}", byStage}

	stageErrors = &Metric{"stage_errors", "Item errors that a stage has sent, those that it passed on included", Counter, "{error}", byStage}

	stageBusy = &Metric{"stage_busy", "Time that a stage itself has taken", Counter, Seconds, byStage}

	stageBlocked = &Metric{"stage_blocked", "Time that the stages before a goroutine's first one waited for it", Counter, Seconds, byStage}

	stageStarved = &Metric{"stage_starved", "Time that a goroutine's first stage waited for those before it", Counter, Seconds, byStage}

	stageQueued = &Metric{"stage_queued", "Batches that wait at a stage now", Level, "{batch}", byStage}

	stageRoom = &Metric{"stage_queue_room", "Batches that can wait at a stage", Level, "{batch}", byStage}
)

var all = []*Metric{
	gets, misses, fromReserve, dropped, foreign, lost, decayed,
	inUse, inUseBytes, reserved, reservedBytes, waste,
	stageRuns, stageBatches, stageValues, stageErrors, stageBusy, stageBlocked, stageStarved, stageQueued, stageRoom,
	swapValues, swapHolds, swapOldest, swapMade, swapReused, swapDropped,
}

// All returns the metrics that a Sample can be of. The caller must not change
// what they point to.
func All() []*Metric { return append([]*Metric(nil), all...) }
