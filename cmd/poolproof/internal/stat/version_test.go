package stat

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

const goldenRule = "testdata/rule.txt"

// judgements returns the rule's verdicts on programs of all kinds, a line each:
// their records are drawn from fixed seeds.
func judgements(t *testing.T) string {
	var b strings.Builder
	fmt.Fprintf(&b, "version %d\n", Version)
	line := func(name string, p study.Plan, w world) {
		got, rs := w.measure(t, p, nil)
		var codes []string
		for _, why := range got.Reasons {
			codes = append(codes, string(why.Code))
		}
		e := got.Deciding
		fmt.Fprintf(&b, "%s: %s, time %s, memory %s, by %s: %.4f (%.4f to %.4f) of %d launches, %d in all; %s\n",
			name, got.Verdict, got.Time, got.Memory, got.Estimator, e.Effect, e.Lo, e.Hi, e.Launches, len(rs), strings.Join(codes, ", "))
	}
	for i, w := range worlds(40) {
		line(fmt.Sprint("program ", i), testPlan(), w)
	}
	for _, op := range []float64{300, 960, 1000, 1030, 1500, 3000} {
		for _, layouts := range [][]float64{on(func(int) float64 { return 0 }), on(func(k int) float64 { return 0.2 * float64(k%2*2-1) })} {
			w := plainWorld()
			w.op[1], w.layouts, w.noise, w.launch = op, layouts, 0.01, 0.002
			line(fmt.Sprintf("%g ns against 1000, layouts %.1f", op, layouts[0]), testPlan(), w)
		}
	}
	for _, few := range []struct{ price, op float64 }{{50e3, 1100}, {1.2e6, 1100}, {10e6, 3000}} {
		w := seldom(few.price)
		w.op[1] = few.op
		line(fmt.Sprintf("few collections of %g ns, %g ns against 1000", few.price, few.op), withoutLayout(testPlan()), w)
	}
	for _, long := range [][]float64{{0.1, 0.2}, {-0.07, 0.14, -0.42, -0.66}, {0.3, 0.31, 0.29}} {
		w := plainWorld()
		w.op[1], w.noise, w.launch = 1100, 0.01, 0.002
		line(fmt.Sprintf("1100 ns against 1000, in bursts of many operations %.2f", long), withoutLayout(testPlan()), longBursts(w, long, long...))
	}
	for _, dir := range measured(t) {
		v := rejudged(t, dir)
		fmt.Fprintf(&b, "%s, measured by rule %d:\n", filepath.Base(dir), v.Plan.Rule.Version)
		for _, got := range v.Results {
			e := got.Deciding
			fmt.Fprintf(&b, "\t%s: %s, time %s, memory %s, by %s: %.4f (%.4f to %.4f) of %d launches, %d in all\n",
				got.Comparison, got.Verdict, got.Time, got.Memory, got.Estimator, e.Effect, e.Lo, e.Hi, e.Launches, got.Launches)
		}
	}
	return b.String()
}

// measured lists the folders of runs that were measured on a machine, by this
// version of the rule or an earlier one.
func measured(t *testing.T) []string {
	t.Helper()
	dirs, err := filepath.Glob("testdata/measured/*")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no measured runs, %v", err)
	}
	return dirs
}

// rejudged judges what such a folder holds.
func rejudged(t *testing.T, dir string) study.VerdictFile {
	t.Helper()
	p, err := study.ReadPlan(filepath.Join(dir, study.PlanName))
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(dir, study.RecordsName))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rs, _, err := study.ReadRecords(f, f.Name())
	if err != nil {
		t.Fatal(err)
	}
	v, err := Judge(p, rs)
	if err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
	return v
}

// TestRecordsOfAnOlderRuleAreJudgedByThisOne judges what a program of rule 1
// measured: its digest is not the one that this program makes of its plan.
func TestRecordsOfAnOlderRuleAreJudgedByThisOne(t *testing.T) {
	v := rejudged(t, "testdata/measured/aa-rule1")
	switch {
	case v.Plan.Rule.Version >= Version || v.Judged != Version || v.Rule == nil || v.Rule.Version != Version:
		t.Errorf("measured by %d, judged by %d with %+v", v.Plan.Rule.Version, v.Judged, v.Rule)
	case v.Digest == v.Plan.Digest():
		t.Error("the digest is that of this program: the test shows nothing")
	case v.Rule.Pairs != v.Plan.Rule.Pairs || len(v.Rule.Looks) == len(v.Plan.Rule.Looks):
		t.Errorf("rule %+v of plan %+v", v.Rule, v.Plan.Rule)
	}
	p := v.Plan
	r := study.Record{Schema: study.Schema, Plan: "first", Comparison: p.Comparisons[0].ID, Form: study.FormBursts, Status: study.StatusFailed, Go: "go1.26.8"}
	other := r
	other.Plan, other.Launch = "second", 1
	if _, err := Judge(p, []study.Record{r, other}); err == nil || !strings.Contains(err.Error(), "recorded for plan second, judged with plan first") {
		t.Errorf("records of two plans: %v", err)
	}
	p.Rule.Version, p.Schema = Version, study.Schema
	if _, err := Judge(p, []study.Record{r}); err == nil {
		t.Error("a plan of this rule with records of another plan was judged")
	}
}

// TestAnEarlierSchemaHasADigestOfItsOwn keeps records of this rule that were
// written with the words of an earlier schema.
func TestAnEarlierSchemaHasADigestOfItsOwn(t *testing.T) {
	p := testPlan()
	rs := []study.Record{{Plan: "feed"}}
	if got := DigestOf(p, rs); got != p.Digest() {
		t.Errorf("digest %s of a plan of today", got)
	}
	p.Schema = study.Schema - 1
	if got := DigestOf(p, rs); got != "feed" {
		t.Errorf("digest %s of a plan of an earlier schema, want that of its records", got)
	}
}

// TestTheRuleIsThatOfItsVersion fails where a deciding function has changed and
// the rule's version has not. -update writes the file of a new version.
func TestTheRuleIsThatOfItsVersion(t *testing.T) {
	got := judgements(t)
	data, err := os.ReadFile(goldenRule)
	if err != nil && !*update {
		t.Fatal(err)
	}
	if string(data) == got {
		return
	}
	version, _, _ := strings.Cut(string(data), "\n")
	if now, _, _ := strings.Cut(got, "\n"); version == now {
		was, is := strings.Split(string(data), "\n"), strings.Split(got, "\n")
		for i := range min(len(was), len(is)) {
			if was[i] != is[i] {
				t.Errorf("was %s\n     is  %s", was[i], is[i])
			}
		}
		t.Fatalf("the rule judges otherwise than its %s did: raise Version in rule.go, say there and in docs/verdicts.md what changed, then run this test with -update", version)
	}
	if !*update {
		t.Fatalf("%s is of another version: run this test with -update", goldenRule)
	}
	if err := os.WriteFile(goldenRule, []byte(got), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestAnEarlierVerdictStandsWhereTheRuleSaysNothingNew: version 6 judges otherwise only where few collections were seen,
// or where they may have marked beside a program that had no idle processor; version 7 only where
// short bursts gave a class.
func TestAnEarlierVerdictStandsWhereTheRuleSaysNothingNew(t *testing.T) {
	few := study.Reason{Code: study.ReasonFewCollections}
	short := func(kind study.EstimatorKind, class study.Class, why study.ReasonCode, note string) study.Result {
		r := study.Result{Estimator: study.Estimator{Kind: kind}, Time: class, Reasons: []study.Reason{{Code: why}}}
		if note != "" {
			r.Notes = []study.Reason{{Code: study.NoteLaunch, Text: note}}
		}
		return r
	}
	var p study.Plan
	p.Machine.Cores = 2
	marked := func(kind study.EstimatorKind, cycles int, cell string, cpu float64) study.Result {
		return study.Result{
			Estimator: study.Estimator{Kind: kind}, Time: study.Unresolved, Cycles: [2]int{0, cycles}, Cell: strings.Fields(cell),
			Times: []study.LaunchTimes{{Wall: [2]float64{100, 100}, CPU: [2]float64{70, cpu}}},
		}
	}
	for _, tt := range []struct {
		judged int
		result study.Result
		want   bool
	}{
		{Version, study.Result{Reasons: []study.Reason{few}}, true},
		{5, study.Result{}, true},
		{5, study.Result{Reasons: []study.Reason{{Code: study.ReasonLongDecides, Because: []study.Reason{{Code: study.ReasonRare}}}}}, true},
		{5, study.Result{Reasons: []study.Reason{{Code: study.ReasonSpread}, few}}, false},
		{5, study.Result{Reasons: []study.Reason{{Code: study.ReasonFewEvenLong}}}, false},
		{5, study.Result{Reasons: []study.Reason{{Code: study.ReasonCheap}}}, false},
		{5, study.Result{Reasons: []study.Reason{{Code: study.ReasonLongDecides, Because: []study.Reason{few}}}}, false},
		{4, study.Result{}, false},
		{5, marked(study.Total, 30, "", 105), true}, // the other processor marks
		{5, marked(study.Total, 30, "", 155), false},
		{5, marked(study.Long, 30, "GOMAXPROCS=1", 80), false},
		{5, marked(study.Long, 30, "GOMAXPROCS=1", 60), true},
		{5, marked(study.Total, 0, "GOMAXPROCS=1", 99), true},
		{5, marked(study.Mutator, 30, "GOMAXPROCS=1", 99), true},
		{5, short(study.Mutator, study.Same, study.ReasonTime, ""), false},
		{6, marked(study.Total, 30, "GOMAXPROCS=1", 99), true},
		{6, study.Result{Reasons: []study.Reason{few}}, true},
		{6, short(study.Long, study.Worse, study.ReasonTime, ""), true},
		{6, short(study.AtRate, study.Worse, study.ReasonTime, ""), true},
		{6, short(study.Mutator, study.Worse, study.ReasonTime, ""), false},
		{6, short(study.Total, study.NotWorse, study.ReasonTime, ""), false},
		{6, short(study.Total, study.Unresolved, study.ReasonSpread, ""), true},
		{6, short(study.Total, study.Unresolved, study.ReasonPaddedDoubt, ""), false},
		{6, short(study.Mutator, study.Unresolved, study.ReasonPaddedMissing, ""), false},
		{6, short(study.Mutator, study.Unresolved, study.ReasonDependsOnN, ""), false},
		{6, short(study.Mutator, study.Worse, study.ReasonTime, "79 pairs of 10.2ms a launch, because an operation is longer than a burst"), true},
		{6, short(study.Mutator, study.Worse, study.ReasonTime, "1 pair of 1s a launch, because an operation is longer than a burst"), true},
		{6, short(study.Mutator, study.Worse, study.ReasonTime, "80 pairs of 5ms a launch, because a burst takes that long with what happens outside of its timer window"), false},
		{6, short(study.Mutator, study.Worse, study.ReasonTime, "something else of 7 pairs"), false},
	} {
		if got := Stands(p, tt.judged, tt.result); got != tt.want {
			t.Errorf("of version %d, %+v: %v", tt.judged, tt.result, got)
		}
		inPairs := p
		inPairs.Engine = study.EnginePairs
		if tt.judged == 6 && !Stands(inPairs, tt.judged, tt.result) {
			t.Errorf("of processes in pairs, %+v does not stand", tt.result)
		}
	}
}
