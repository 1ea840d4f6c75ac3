package stat_test

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// pooled is a comparison of a pool with its result.
type pooled struct {
	pool, bench, form string
	verdict           study.Verdict
	effect            float64
	isolated          bool
}

// verdictOf makes the verdict file of a package whose benchmarks gave these answers.
func verdictOf(all ...pooled) study.VerdictFile {
	var v study.VerdictFile
	index := map[string]int{}
	reached := map[string]bool{}
	for _, p := range all {
		if _, ok := index[p.pool]; !ok {
			index[p.pool] = len(v.Plan.Pools)
			v.Plan.Pools = append(v.Plan.Pools, study.ListedPool{ID: p.pool, Name: p.pool})
		}
		if p.bench == "" {
			continue
		}
		if !reached[p.pool+p.bench] {
			reached[p.pool+p.bench] = true
			v.Plan.Pools[index[p.pool]].Reached++
		}
		v.Plan.Comparisons = append(v.Plan.Comparisons, study.Comparison{
			Benchmark: p.bench, Isolated: p.isolated, Pool: &study.PoolUse{ID: p.pool, Form: p.form, Gets: 1, Hits: 1},
		})
		v.Results = append(v.Results, study.Result{
			Benchmark: p.bench, Verdict: p.verdict, Launches: 4, Deciding: study.Estimate{Effect: p.effect, Launches: 4},
		})
	}
	return v
}

func TestAPoolIsComparedWithTheBestProgramWithoutIt(t *testing.T) {
	for name, test := range map[string]struct {
		asked    []pooled
		want     study.Verdict
		isolated bool
		open     int
		form     string // of the first deciding comparison
	}{
		"slower than the stack, faster than New": {[]pooled{
			{"p", "B", "plain", study.Positive, -0.5, false}, {"p", "B", "written", study.Negative, 0.3, false}}, study.Negative, false, 0, "written"},
		"the other order": {[]pooled{
			{"p", "B", "written", study.Negative, 0.3, false}, {"p", "B", "plain", study.Positive, -0.5, false}}, study.Negative, false, 0, "written"},
		"both positive, the smaller saving counts": {[]pooled{
			{"p", "B", "written", study.Positive, -0.5, false}, {"p", "B", "plain", study.Positive, -0.2, false}}, study.Positive, false, 0, "plain"},
		"open against the better form": {[]pooled{
			{"p", "B", "plain", study.Positive, -0.5, false}, {"p", "B", "written", study.Inconclusive, -0.1, false}}, study.Inconclusive, false, 1, "written"},
		"nothing in one benchmark, a saving in another": {[]pooled{
			{"p", "B", "plain", study.NoChange, 0, false}, {"p", "C", "plain", study.Positive, -0.5, false}}, study.Positive, false, 0, "plain"},
		"benchmarks disagree": {[]pooled{
			{"p", "B", "plain", study.Negative, 0.2, false}, {"p", "C", "plain", study.Positive, -0.5, false}}, study.TradeOff, false, 0, "plain"},
		"an isolated benchmark does not decide beside another": {[]pooled{
			{"p", "B", "plain", study.Positive, -0.9, true}, {"p", "C", "plain", study.NoChange, 0, false}}, study.NoChange, false, 0, "plain"},
		"isolated benchmarks alone": {[]pooled{
			{"p", "B", "plain", study.Positive, -0.9, true}}, study.Positive, true, 0, "plain"},
		"a decided benchmark beside an open one": {[]pooled{
			{"p", "B", "plain", study.Negative, 0.2, false}, {"p", "C", "plain", study.Inconclusive, 0.1, false}}, study.Negative, false, 1, "plain"},
		"its tests fail without the pool": {[]pooled{{"p", "B", "plain", study.Invalid, 0, false}}, study.Invalid, false, 1, "plain"},
		"never reached":                   {[]pooled{{pool: "p"}}, "", false, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			all := stat.Pools(verdictOf(test.asked...))
			if len(all) != 1 {
				t.Fatalf("%d answers", len(all))
			}
			a := all[0]
			if a.Verdict != test.want || a.Isolated != test.isolated || a.Open != test.open {
				t.Errorf("%q, isolated %t, %d open; want %q, %t, %d", a.Verdict, a.Isolated, a.Open, test.want, test.isolated, test.open)
			}
			if test.form != "" && a.Uses[0].Form != test.form {
				t.Errorf("it rests on the form %s, want %s", a.Uses[0].Form, test.form)
			}
		})
	}
}

func TestTheLeastUsefulPoolComesFirst(t *testing.T) {
	one := verdictOf(
		pooled{"much", "B", "plain", study.Positive, -0.5, false}, pooled{"little", "B", "plain", study.Positive, -0.1, false},
		pooled{pool: "never"}, pooled{"open", "B", "plain", study.Inconclusive, 0, false},
		pooled{"nothing", "B", "plain", study.NoChange, 0, false}, pooled{"harm", "B", "plain", study.Negative, 0.2, false},
		pooled{"elsewhere", "", "", "", 0, false})
	two := verdictOf(pooled{"elsewhere", "B", "plain", study.Negative, 0.5, false}, pooled{"much", "D", "plain", study.Positive, -0.6, false})
	var got []string
	for _, a := range stat.Pools(one, two) {
		got = append(got, a.ID)
		if a.ID == "much" && (a.Reached != 2 || len(a.Deciding) != 2) {
			t.Errorf("a pool that two packages reach has %d benchmarks and %d results", a.Reached, len(a.Deciding))
		}
	}
	want := []string{"elsewhere", "harm", "nothing", "open", "little", "much", "never"}
	if len(got) != len(want) {
		t.Fatalf("%q", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%q, want %q", got, want)
		}
	}
}

func TestAPoolHasAnAnswerForEachBuild(t *testing.T) {
	v := verdictOf(pooled{"p", "B", "plain", study.Positive, -0.5, false}, pooled{"p", "B", "plain", study.Negative, 0.2, false})
	for i, builds := range []string{"GOTOOLCHAIN=go1.24.9", "GOTOOLCHAIN=go1.26.8"} {
		v.Plan.Comparisons[i].Cell = []string{builds, "GOGC=50"}
		v.Results[i].Cell = v.Plan.Comparisons[i].Cell
	}
	all := stat.Pools(v)
	if len(all) != 2 || all[0].Verdict != study.Negative || all[0].Builds[0] != "GOTOOLCHAIN=go1.26.8" || all[1].Verdict != study.Positive || len(all[1].Deciding) != 1 {
		t.Errorf("%+v", all)
	}
}
