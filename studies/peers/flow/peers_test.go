package flowpeers

import (
	"testing"

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

// TestMetricsExportAWatch: neither module knows the other. What one has can be converted
// to what the other takes, or this does not compile.
func TestMetricsExportAWatch(t *testing.T) {
	w := flow.NewWatch("in")
	if _, err := flow.FromSlice(inputs).Async(1).Name("queue").Watch(w).Collect(t.Context()); err != nil {
		t.Fatal(err)
	}
	read := func() (stages []metrics.Stage) {
		for _, s := range w.Stats() {
			stages = append(stages, metrics.Stage(s))
		}
		return stages
	}
	_ = metrics.Stages(read)
	found := false
	for _, s := range read() {
		if s.Stage == "queue" {
			found = s.Pipeline == "in" && s.Values == Inputs && s.Room == 1
		}
	}
	if !found {
		t.Errorf("%+v", read())
	}
}
