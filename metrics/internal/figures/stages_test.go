package figures_test

import (
	"slices"
	"testing"
	"time"

	"github.com/poolproof/poolproof/metrics"
	"github.com/poolproof/poolproof/metrics/internal/figures"
)

func stages() []metrics.Stage {
	return []metrics.Stage{
		{Pipeline: "in", Stage: "map", Runs: 1, Batches: 2, Values: 300, Errors: 4, Busy: 1500 * time.Millisecond},
		{Pipeline: "in", Stage: "async", Runs: 1, Batches: 2, Values: 300, Busy: time.Second, Blocked: 2 * time.Second, Starved: 250 * time.Millisecond, Queued: 3, Room: 4},
		{Pipeline: "in", Stage: "map", Runs: 1, Values: 7, Busy: time.Millisecond}, // of another run
	}
}

func TestStagesAreAddedUpByPipelineAndName(t *testing.T) {
	got := lines(figures.Read(metrics.Stages(stages)))
	want := []string{
		`stage_runs["in" "map"] 2`, `stage_batches["in" "map"] 2`, `stage_values["in" "map"] 307`,
		`stage_errors["in" "map"] 4`, `stage_busy["in" "map"] 1.501`,
		`stage_runs["in" "async"] 1`, `stage_batches["in" "async"] 2`, `stage_values["in" "async"] 300`,
		`stage_errors["in" "async"] 0`, `stage_busy["in" "async"] 1`,
		`stage_blocked["in" "async"] 2`, `stage_starved["in" "async"] 0.25`,
		`stage_queued["in" "async"] 3`, `stage_queue_room["in" "async"] 4`,
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}
