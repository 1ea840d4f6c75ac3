package stat

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func programRule() ProgramRule {
	r := DefaultRule()
	r.Band = math.Log(1.05)
	return ProgramRule{Rule: r, Time: []string{"cpu"}, Memory: "peak-rss", Silent: []string{"gcs"}, Higher: func(n string) bool { return strings.HasSuffix(n, "/s") }}
}

// programRuns draws launches whose candidate has so much of each metric, each with some noise.
func programRuns(n int, seed uint64, noise float64, ratio map[string]float64) (list [][2]map[string]float64) {
	rng := rand.New(rand.NewPCG(seed, 9))
	for range n {
		l := [2]map[string]float64{{}, {}}
		for _, name := range []string{"cpu", "p99", "peak-rss", "requests/s", "gcs"} { // in an order, for the same draws
			r, ok := ratio[name]
			switch {
			case !ok && name == "gcs":
				continue
			case !ok:
				r = 1
			}
			l[0][name] = 1000 * math.Exp(noise*rng.NormFloat64())
			l[1][name] = 1000 * r * math.Exp(noise*rng.NormFloat64())
		}
		list = append(list, l)
	}
	return list
}

func TestAProgramIsJudgedByTimeAndMemory(t *testing.T) {
	for _, tt := range []struct {
		name  string
		ratio map[string]float64
		want  study.Verdict
	}{
		{"nothing", nil, study.NoChange},
		{"less CPU time", map[string]float64{"cpu": 0.8}, study.Positive},
		{"more CPU time", map[string]float64{"cpu": 1.2}, study.Negative},
		{"less memory", map[string]float64{"peak-rss": 0.8}, study.Positive},
		{"more memory", map[string]float64{"peak-rss": 1.2}, study.Negative},
		{"less CPU time, more memory", map[string]float64{"cpu": 0.8, "peak-rss": 1.2}, study.TradeOff},
		{"less CPU time, later answers", map[string]float64{"cpu": 0.8, "p99": 1.5}, study.TradeOff},
		{"less CPU time, more collections", map[string]float64{"cpu": 0.8, "gcs": 2}, study.Positive},
		{"less CPU time, fewer requests", map[string]float64{"cpu": 0.8, "requests/s": 0.7}, study.TradeOff},
		{"less CPU time, more requests", map[string]float64{"cpu": 0.8, "requests/s": 1.3}, study.Positive},
		{"a change within the band", map[string]float64{"cpu": 1.01}, study.NoChange},
	} {
		if got := Program(programRule(), programRuns(12, 1, 0.005, tt.ratio)); got.Verdict != tt.want {
			t.Errorf("%s: %s, %+v", tt.name, got.Verdict, got.Metrics)
		}
	}
}

func TestAProgramThatIsNotDecidedAsksForMore(t *testing.T) {
	if got := Program(programRule(), programRuns(3, 1, 0.005, map[string]float64{"cpu": 2})); got.Verdict != study.Inconclusive || !got.Open {
		t.Errorf("before the first look: %+v", got)
	}
	if got := Program(programRule(), programRuns(5, 1, 0.3, nil)); got.Verdict != study.Inconclusive || !got.Open {
		t.Errorf("noise: %+v", got)
	}
	if got := Program(programRule(), programRuns(12, 1, 0.005, nil)); got.Open {
		t.Errorf("all decided: %+v", got)
	}
	if got := Program(programRule(), nil); got.Verdict != study.Inconclusive || len(got.Metrics) != 0 {
		t.Errorf("nothing: %+v", got)
	}
}

// TestAMetricOfSomeRunsIsLeftOut has a percentile that a run did not print.
func TestAMetricOfSomeRunsIsLeftOut(t *testing.T) {
	runs := programRuns(6, 1, 0.005, nil)
	delete(runs[4][1], "p99")
	for _, m := range Program(programRule(), runs).Metrics {
		if m.Unit == "p99" {
			t.Errorf("%+v", m)
		}
	}
}

// TestProgramsAgainstThemselves counts false verdicts of noisy programs, as long as the first twelve looks go.
func TestProgramsAgainstThemselves(t *testing.T) {
	wrong := 0
	const runs = 400
	for seed := range runs {
		all := programRuns(12, uint64(seed), 0.06, nil)
		for n := 4; n <= 12; n++ {
			if got := Program(programRule(), all[:n]); got.Time == study.Better || got.Time == study.Worse {
				wrong++
				break
			}
		}
	}
	if wrong > runs/20 {
		t.Errorf("%d of %d programs are called different from themselves", wrong, runs)
	}
	t.Logf("%d of %d", wrong, runs)
}
