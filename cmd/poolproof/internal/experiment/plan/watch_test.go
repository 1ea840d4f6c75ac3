package plan

import (
	"slices"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/progress"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestWhatIsSlowIsWatchedForANumberOfOperations(t *testing.T) {
	for _, tt := range []struct {
		once time.Duration
		want string
	}{
		{0, "20ms"},
		{500 * time.Microsecond, "20ms"},
		{time.Millisecond, "100x"},
		{2 * time.Millisecond, "100x"},
		{3 * time.Millisecond, "10x"},
		{20 * time.Millisecond, "10x"},
		{21 * time.Millisecond, "3x"},
		{time.Second, "3x"},
		{time.Minute, "3x"},
	} {
		if got := benchtimeOf(tt.once); got != tt.want {
			t.Errorf("benchtimeOf(%s) = %s, want %s", tt.once, got, tt.want)
		}
	}
}

func TestBenchmarksThatRunAsLongShareARun(t *testing.T) {
	once := map[string]time.Duration{"A": time.Microsecond, "B": 2 * time.Microsecond, "C": 2 * time.Millisecond}
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

func TestTheUserHearsHowManyBenchmarksHaveBeenWatched(t *testing.T) {
	var say steps
	at := time.Unix(1000, 0)
	tell := &told{say: &say, now: func() time.Time { return at }, last: at, all: 4}
	out, other := tell.lines(), tell.lines()
	out.Write([]byte("goos: linux\nBenchmarkA-2   "))
	other.Write([]byte("BenchmarkX-2  3  1 ns/op\n"))
	at = at.Add(quietly)
	out.Write([]byte("100 12 ns/op\nBenchmarkB/n=1-2 1 5 ns/op\nok\n"))
	at = at.Add(quietly)
	out.Write([]byte("BenchmarkC-2 1 5 ns/op\n"))
	if want := "checked 2 of 4 benchmarks"; len(say.texts) != 1 || say.texts[0] != want {
		t.Errorf("it says %q, want %q alone", say.texts, want)
	}
}

// steps keeps what is announced.
type steps struct {
	progress.Reporter
	texts []string
}

func (s *steps) Step(text string) { s.texts = append(s.texts, text) }
