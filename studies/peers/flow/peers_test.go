package flowpeers

import (
	"testing"
	"time"

	"github.com/poolproof/poolproof/metrics"
	"github.com/poolproof/poolproof/systems/flow"
)

func TestPeersDoWhatAPlainLoopDoes(t *testing.T) {
	want, err := runLoop(t.Context())
	if err != nil || want.Errors != Inputs/1000 || want.Values < Items/2 {
		t.Fatalf("the loop: %+v, %v", want, err)
	}
	for _, p := range Peers {
		for range 2 {
			got, err := p.Run(t.Context())
			if !p.Places {
				got.Places = want.Places
			}
			if err != nil || got != want {
				t.Errorf("%s: %+v and error %v, want %+v", p.Name, got, err, want)
			}
		}
	}
}

// TestMetricsExportAWatch: neither module knows the other. What one has is what the
// other takes, or this does not compile.
func TestMetricsExportAWatch(t *testing.T) {
	w := flow.NewWatch("in")
	if _, err := flow.FromSlice(inputs).Async(1).Name("queue").Watch(w).Collect(t.Context()); err != nil {
		t.Fatal(err)
	}
	values := make(map[string]float64)
	for _, s := range metrics.Read(metrics.Stages(w.Stats)) {
		if s.Labels[0] != "in" {
			t.Errorf("labels %q", s.Labels)
		}
		if s.Labels[1] == "queue" {
			values[s.Metric.Name] = s.Value
		}
	}
	if values["stage_values"] != Inputs || values["stage_queue_room"] != 1 || values["stage_busy"] > time.Minute.Seconds() {
		t.Errorf("%v", values)
	}
}
