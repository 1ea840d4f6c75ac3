package campaign

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestRunsAreJudgedAgainIntoAFolderOfTheirOwn(t *testing.T) {
	dir, other := t.TempDir(), filepath.Join(t.TempDir(), "again")
	log, _, err := read(filepath.Join(dir, resultsFile), "")
	if err != nil {
		t.Fatal(err)
	}
	const id = "ask/parallel/lock-half/8s"
	for _, r := range []Result{
		{ID: id, Setup: "s", Rule: 1, Verdict: study.Inconclusive, Whole: study.Duration(time.Second)},
		{ID: "long/parallel/lock-half", Setup: "s", Rule: 1, Effect: -0.3},
	} {
		if err := log.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := Judge(dir, other); err == nil || !strings.Contains(err.Error(), id) {
		t.Errorf("without the run: %v", err)
	}
	keepRun(t, Options{Dir: dir}.runOf(id))
	if err := Judge(dir, other); err != nil {
		t.Fatal(err)
	}
	_, done, err := read(filepath.Join(other, resultsFile), "")
	if err != nil {
		t.Fatal(err)
	}
	r := done[id]
	if r.Verdict != study.Inconclusive && r.Verdict != study.Positive || r.Time != study.Better || r.Effect > -0.29 || r.Effect < -0.31 ||
		r.Rule != stat.Version || time.Duration(r.Whole) != time.Second || r.Setup == "s" {
		t.Errorf("judged %+v", r)
	}
	if long := done["long/parallel/lock-half"]; len(done) != 2 || long.Effect != -0.3 || long.Setup != r.Setup {
		t.Errorf("results %+v", done)
	}
	if err := Judge(dir, other); err == nil {
		t.Error("results were written over")
	}
	if err := Judge(other, t.TempDir()); err == nil {
		t.Error("a folder without runs was judged")
	}
	if text, err := os.ReadFile(filepath.Join(dir, resultsFile)); err != nil || strings.Count(string(text), "\n") != 2 || !strings.Contains(string(text), `"rule":1`) {
		t.Errorf("the first results are now %s, %v", text, err)
	}
}

// keepRun writes a run in which the candidate takes 30 % less time.
func keepRun(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	p := planOf("go1.26.8", stat.DefaultRule())
	if err := study.WritePlan(filepath.Join(dir, study.PlanName), p); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(dir, study.RecordsName))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for i, luck := range []float64{1, 1.001, 0.999, 1.002, 0.998} {
		r := launchOf(0.7 * luck)
		r.Comparison, r.Launch, r.Plan = p.Comparisons[0].ID, i, p.Digest()
		if err := study.Append(f, r); err != nil {
			t.Fatal(err)
		}
	}
}

// planOf is a plan of one comparison, without padded builds.
func planOf(toolchain string, rule study.Rule) study.Plan {
	rule.PaddedLooks = nil
	return study.Plan{
		Schema: study.Schema, Kind: study.KindAA, Engine: study.EngineDuet, Toolchain: toolchain, Machine: study.Machine{Cores: 2},
		Rule: rule, Comparisons: []study.Comparison{{ID: "again", Benchmark: "again", Arm: "again", Baseline: "itself"}},
	}
}

// launchOf is a launch of bursts of 1 ms, those of the candidate that many times
// as long.
func launchOf(candidate float64) study.Record {
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
			r.Columns(side).Append(study.Burst{Seen: study.SeenInside, Wall: int64(ns), CPU: int64(ns), Drain: int64(i), Bytes: 640, Allocs: 10, GCs: uint32(i % 2)})
		}
	}
	return r
}
