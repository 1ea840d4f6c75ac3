package campaign

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// launchOf is a launch of bursts of 1 ms; each fourth burst of a side is not
// disturbed, the others take that many times as long.
func launchOf(disturbed, candidate float64) study.Record {
	r := study.Record{
		Schema: study.Schema, Form: study.FormBursts, Status: study.StatusOK, Started: time.Unix(1, 0).UTC(), Seconds: 0.5,
		Go: "go1.26.8", N: 10,
	}
	for i := range 40 {
		r.CandidateFirst = append(r.CandidateFirst, i%2 == 0)
		for _, side := range study.Sides {
			ns := 1e6
			if side == study.Candidate {
				ns *= candidate
			}
			if (i+int(side))%4 != 0 {
				ns *= disturbed
			}
			r.Columns(side).Append(study.Burst{Seen: study.SeenInside, Wall: int64(ns), CPU: int64(ns), Drain: int64(i), Bytes: 640, Allocs: 10, GCs: uint32(i % 2)})
		}
	}
	return r
}

func TestLeastOfFourKeepsTheUndisturbedBursts(t *testing.T) {
	rs := []study.Record{launchOf(1.5, 1.1)}
	r := leastOf(rs, 4)[0]
	if r.Baseline.Len() != 10 || r.Candidate.Len() != 10 || len(r.CandidateFirst) != 10 {
		t.Fatalf("%d and %d bursts, %d coins", r.Baseline.Len(), r.Candidate.Len(), len(r.CandidateFirst))
	}
	for i := range 10 {
		if r.Baseline.Wall[i] != 1e6 || r.Candidate.Wall[i] != 1.1e6 || r.Baseline.Drain[i] != int64(4*i) || r.Candidate.Drain[i] != int64(4*i+3) {
			t.Errorf("group %d: %d and %d ns, drains %d and %d", i, r.Baseline.Wall[i], r.Candidate.Wall[i], r.Baseline.Drain[i], r.Candidate.Drain[i])
		}
	}
	if rs[0].Baseline.Len() != 40 || drained(rs)[0].Baseline.Wall[3] != 1.5e6+3 || rs[0].Baseline.Wall[3] != 1.5e6 {
		t.Error("the launches themselves have changed, or the drains are not charged")
	}
}

func TestAgainPrintsWhatTheKeptLaunchesSay(t *testing.T) {
	dir := t.TempDir()
	if err := Again(&strings.Builder{}, dir); err == nil || !strings.Contains(err.Error(), "no launches of a campaign") {
		t.Errorf("of an empty folder: %v", err)
	}
	if err := os.Mkdir(filepath.Join(dir, launches), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"aa/Loop/0", "aa/Loop/1", "effect/loop/1/8s/0"} {
		if err := add(filepath.Join(dir, resultsFile), Result{ID: id, Setup: "s"}); err != nil {
			t.Fatal(err)
		}
		candidate := 1.0
		if strings.HasPrefix(id, "effect") {
			candidate = 1.01
		}
		f, err := os.Create(logOf(filepath.Join(dir, launches), id))
		if err != nil {
			t.Fatal(err)
		}
		for i := range 5 {
			r := launchOf(1, candidate*[]float64{1.001, 0.999, 1, 1.0005, 0.9995}[i])
			r.Comparison, r.Launch = id, i
			if err := study.Append(f, r); err != nil {
				t.Fatal(err)
			}
		}
		f.Close()
	}
	var b strings.Builder
	if err := Again(&b, dir); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| Loop | 10 | 0.50 s | 0.08 s | wall | 0.07 % |", // the deviation of ten such launches
		"| Loop | 8s | 100 % | 0.00 % | 100 % | 0.00 % |",
		"| **all** | 4s | 100 % | 0.00 % |",
		"| loop +1 % | 8s | +1.00 % (",
		"| 0.00 % | 100 % | 0.00 % | 0.00 % |",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
}
