package metrics

import "time"

// Stage is what one stage of a pipeline has counted since its start.
type Stage struct {
	Pipeline string // label pipeline
	Stage    string // label stage

	Runs    uint64
	Batches uint64 // sent by the stage
	Values  uint64 // in them
	Errors  uint64 // of single items, in them

	Busy    time.Duration // taken by the stage itself
	Blocked time.Duration // that the stages before waited for it
	Starved time.Duration // that it waited for the stages before

	Queued int // batches that wait at the stage now
	Room   int // how many can
}

// Stages is the stages of pipelines, as many as read returns at each reading. The
// usual read is the method Stats of a Watch of package systems/flow, which this
// module does not need for it: any type with the fields of [Stage] will do.
//
//	prom.NewCollector(metrics.Named(), metrics.Stages(watch.Stats))
//
// Stages of the same pipeline and name are added up.
func Stages[S ~struct {
	Pipeline string
	Stage    string
	Runs     uint64
	Batches  uint64
	Values   uint64
	Errors   uint64
	Busy     time.Duration
	Blocked  time.Duration
	Starved  time.Duration
	Queued   int
	Room     int
}](read func() []S) Source {
	return Source{func(r *reading) {
		for _, s := range read() {
			r.stage(Stage(s))
		}
	}}
}

func (r *reading) stage(s Stage) {
	pipeline, name := valid(s.Pipeline), valid(s.Stage)
	add := func(m *Metric, value float64) { r.addFloat(m, pipeline, name, value) }
	add(stageRuns, float64(s.Runs))
	add(stageBatches, float64(s.Batches))
	add(stageValues, float64(s.Values))
	add(stageErrors, float64(s.Errors))
	add(stageBusy, s.Busy.Seconds())
	if s.Room > 0 || s.Blocked > 0 || s.Starved > 0 { // has a goroutine of its own
		add(stageBlocked, s.Blocked.Seconds())
		add(stageStarved, s.Starved.Seconds())
		add(stageQueued, float64(s.Queued))
		add(stageRoom, float64(s.Room))
	}
}

var byStage = []string{"pipeline", "stage"}

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
