package study

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestPlansAndVerdictsComeBackAsTheyWere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "there", "yet")
	plan := Plan{
		Schema: Schema, Kind: KindVary, Title: "a <b> & c", Module: "m", Package: "m/p", Toolchain: "go1.26.8 linux/amd64",
		Engine: EngineDuet, Env: []string{"GOGC=100"}, Command: []string{"try", "-vary", "k"},
		Comparisons: []Comparison{{ID: "1", Benchmark: "B", Arm: "x", Baseline: "y", Expect: []Verdict{NoChange}}},
		Rule:        Rule{Burst: Duration(time.Millisecond), Looks: []int{4, 5}, Band: math.Log(1.02)},
		Budget:      Duration(20 * time.Second), Seed: math.MaxUint64,
	}
	if err := WritePlan(filepath.Join(dir, PlanName), plan); err != nil {
		t.Fatal(err)
	}
	gotPlan, err := ReadPlan(filepath.Join(dir, PlanName))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(plan, gotPlan); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
	if plan.Digest() != gotPlan.Digest() {
		t.Error("the digest has changed")
	}

	yes := true
	verdict := VerdictFile{
		Schema: Schema, Plan: plan, Digest: plan.Digest(), Started: time.Date(2026, 3, 9, 1, 2, 3, 4, time.UTC),
		Results: []Result{{Comparison: "1", Verdict: TradeOff, AsBuilt: &Estimate{Effect: 0.1, Launches: 4}, AsExpected: &yes,
			Extra: map[string][2]float64{"p99": {1, 2}}, NeedTime: Duration(90 * time.Second)}},
		Claims: []ClaimResult{{Text: "t", Outcome: "reproduced", Because: &Reason{Code: ClaimNoCell}}},
	}
	if err := WriteVerdict(filepath.Join(dir, VerdictName), verdict); err != nil {
		t.Fatal(err)
	}
	gotVerdict, err := ReadVerdict(filepath.Join(dir, VerdictName))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(verdict, gotVerdict); diff != "" {
		t.Errorf("verdict (-want +got):\n%s", diff)
	}
	text, err := os.ReadFile(filepath.Join(dir, VerdictName))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "a <b> & c") {
		t.Error("the JSON form escapes what a person would read")
	}
}

func TestAFileOfAnotherSchemaIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.json")
	for text, want := range map[string]string{
		`{"schema":3}`:            "schema 3, this program reads 2",
		`{}`:                      "schema 0, this program reads 2",
		`{"schema":1`:             "unexpected end of JSON input",
		`{"schema":2,"title":7}`:  "cannot unmarshal number",
		`{"schema":2,"digest":7}`: "cannot unmarshal number",
	} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		var err error
		if strings.Contains(text, "digest") {
			_, err = ReadVerdict(path)
		} else {
			_, err = ReadPlan(path)
		}
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), path+": ") {
			t.Errorf("reading %s: %v, want the path and %q", text, err, want)
		}
	}
}

func TestAFailedWriteLeavesTheOldFileAndNothingElse(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, VerdictName)
	if err := WriteFile(path, func(w io.Writer) error { _, err := io.WriteString(w, "old"); return err }); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := WriteFile(path, func(w io.Writer) error { fmt.Fprint(w, "half"); return broken })
	if !errors.Is(err, broken) {
		t.Errorf("error %v, want the writer's", err)
	}
	if err := WriteVerdict(path, VerdictFile{Results: []Result{{BaselineTime: math.NaN()}}}); err == nil {
		t.Error("wrote a time that is no number")
	}
	if err := WriteFile(dir, func(io.Writer) error { return nil }); err == nil {
		t.Error("replaced a directory by a file")
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(path); string(text) != "old" || len(entries) != 1 {
		t.Errorf("the file holds %q beside %d others, want the old text alone", text, len(entries)-1)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("mode %v, want one that others may read", info.Mode())
	}
}
