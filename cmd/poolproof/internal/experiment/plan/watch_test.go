package plan

import (
	"slices"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestWhatIsSlowIsWatchedForANumberOfOperations(t *testing.T) {
	for _, tt := range []struct {
		once time.Duration
		want string
	}{
		{0, "20ms"},
		{500 * time.Microsecond, "20ms"},
		{time.Millisecond, "1000x"},
		{2 * time.Millisecond, "100x"},
		{10 * time.Millisecond, "100x"},
		{11 * time.Millisecond, "10x"},
		{time.Second, "3x"},
		{time.Minute, "3x"},
	} {
		if got := benchtimeOf(tt.once); got != tt.want {
			t.Errorf("benchtimeOf(%s) = %s, want %s", tt.once, got, tt.want)
		}
	}
}

func TestBenchmarksThatRunAsLongShareARun(t *testing.T) {
	once := map[string]time.Duration{"A": time.Microsecond, "B": 2 * time.Microsecond, "C": 5 * time.Millisecond}
	of := func(leaf string) study.Bench { return study.Bench{Binary: "x", Leaf: leaf} }
	p := &study.Plan{Comparisons: []study.Comparison{{BaselineBench: of("A"), CandidateBench: of("B")}, {BaselineBench: of("A"), CandidateBench: of("C")}}}
	parts := partsOf(p, func(s study.Bench) time.Duration { return once[s.Leaf] })
	if len(parts) != 2 {
		t.Fatalf("%d runs, want 2: %+v", len(parts), parts)
	}
	if p := parts[0]; p.benchtime != "20ms" || !slices.Equal(p.leaves, []string{"A", "B"}) {
		t.Errorf("first run is %+v, want A and B for 20ms", p)
	}
	if p := parts[1]; p.benchtime != "100x" || !slices.Equal(p.leaves, []string{"C"}) {
		t.Errorf("second run is %+v, want 100x of C", p)
	}
}
