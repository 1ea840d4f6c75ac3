package words_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/note"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/term"
)

func TestWhatWasNotMeasuredIsNamedOnceAnArm(t *testing.T) {
	result := func(arm, cell string, v study.Verdict, why string) study.Result {
		return study.Result{Benchmark: "work", Arm: arm, Baseline: "make", Cell: []string{cell}, Verdict: v, Reasons: study.Said(why)}
	}
	const late, broken = "the budget of 3s does not reach it", "its benchmark fails"
	v := study.VerdictFile{Results: []study.Result{
		result("pool", "GOGC=50", study.NoChange, ""),
		result("stack", "GOGC=50", study.NoChange, ""),
		result("pool", "GOGC=100", study.NoChange, ""),
		result("stack", "GOGC=100", study.NotMeasured, late),
		result("stack", "GOGC=200", study.NotMeasured, late),
		result("stack", "GOGC=400", study.NotMeasured, broken),
		result("pool", "GOGC=200", study.NotMeasured, late),
	}}
	var b strings.Builder
	if err := term.Table(&b, v, 50); err != nil {
		t.Fatal(err)
	}
	rows, rest, _ := strings.Cut(b.String(), "\n\n")
	if want := strings.TrimSpace(`
  arm    verdict    time  B/op  allocs/op
work  GOGC=50
  pool   NO CHANGE  -     -     -
  stack  NO CHANGE  -     -     -
work  GOGC=100
  pool   NO CHANGE  -     -     -`); strings.TrimSpace(rows) != want {
		t.Errorf("rows are\n%s\nwant\n%s", rows, want)
	}
	if strings.Count(rest, late) != 1 {
		t.Errorf("one reason is given several times:\n%s", rest)
	}
	if strings.Contains(rest, "not measured") {
		t.Errorf("the table of cells repeats it:\n%s", rest)
	}
	for _, want := range []string{"work stack (2 of 4 cells)", "work pool (GOGC=200)", "work stack (GOGC=400): " + broken} {
		if !strings.Contains(strings.Join(strings.Fields(rest), " "), want) {
			t.Errorf("%q is missing:\n%s", want, rest)
		}
	}
}

func TestALongListOfNamesIsCutOnTheTerminal(t *testing.T) {
	for _, tt := range []struct {
		missing int
		last    string
		more    string // after the names
	}{{12, "Bench12", ""}, {13, "Bench10", " and 3 more (VERDICT.md names them)"}} {
		v := study.VerdictFile{Plan: study.Plan{Kind: study.KindBase}, Results: []study.Result{{Benchmark: "First", Arm: "head", Baseline: "base", Verdict: study.NoChange}}}
		for i := range tt.missing {
			v.Results = append(v.Results, study.Result{
				Benchmark: "Bench" + strconv.Itoa(i+1), Arm: "head", Baseline: "base", Verdict: study.NotMeasured, Reasons: study.Said("the budget does not reach it"),
			})
		}
		var table, md strings.Builder
		if err := term.Table(&table, v, 0); err != nil {
			t.Fatal(err)
		}
		if want := tt.last + tt.more + ": the budget does not reach it."; !strings.Contains(strings.Join(strings.Fields(table.String()), " "), want) {
			t.Errorf("%q is missing in\n%s", want, table.String())
		}
		if err := note.Write(&md, v, note.Versions{}); err != nil {
			t.Fatal(err)
		}
		if last := "Bench" + strconv.Itoa(tt.missing); !strings.Contains(md.String(), last) {
			t.Errorf("the note does not name %s:\n%s", last, md.String())
		}
	}
}

func TestWhereNothingWasMeasuredEachRowIsShown(t *testing.T) {
	v := study.VerdictFile{Results: []study.Result{{Benchmark: "work", Arm: "pool", Baseline: "make", Verdict: study.NotMeasured}}}
	var b strings.Builder
	if err := term.Table(&b, v, 0); err != nil {
		t.Fatal(err)
	}
	if rows, _, _ := strings.Cut(b.String(), "\n\n"); !strings.Contains(rows, "pool  not measured") {
		t.Errorf("the row is missing:\n%s", b.String())
	}
}

func TestTheIndexCountsClaimsThatNothingWasMeasuredOf(t *testing.T) {
	for _, tt := range []struct {
		claims int
		want   string
	}{{3, "claim 2"}, {4, "4 more claims"}} {
		s := study.VerdictFile{Results: []study.Result{{Benchmark: "work", Arm: "pool", Verdict: study.Positive}}, Claims: []study.ClaimResult{{Benchmark: "work", Arm: "pool", Text: "first"}}}
		for i := range tt.claims {
			late := []string{"work", "late" + strconv.Itoa(i)}
			s.Results = append(s.Results, study.Result{Benchmark: late[0], Arm: late[1], Verdict: study.NotMeasured})
			s.Claims = append(s.Claims, study.ClaimResult{Benchmark: late[0], Arm: late[1], Text: "claim " + strconv.Itoa(i)})
		}
		var b strings.Builder
		if err := note.Index(&b, []note.Entry{{Dir: "d", Title: "t", Verdict: &s}}, note.Versions{Rule: 2, Engine: 1}); err != nil {
			t.Fatal(err)
		}
		if collapsed := strings.Contains(b.String(), "more claim"); !strings.Contains(b.String(), tt.want) || collapsed == strings.Contains(b.String(), "claim 2") || !strings.Contains(b.String(), "first") {
			t.Errorf("%d claims:\n%s", tt.claims, b.String())
		}
	}
}

// A verdict of NO CHANGE on code that sleeps says little of what the code costs.
func TestABenchmarkThatMostlyWaitsIsSaid(t *testing.T) {
	r := study.Result{
		Benchmark: "Poll", Arm: "pool", Baseline: "make", Verdict: study.NoChange, Time: study.Same, Waits: 0.97,
		Estimator: study.Estimator{Kind: study.Mutator}, Deciding: study.Estimate{Effect: 0.001, Lo: -0.002, Hi: 0.004, Launches: 4},
		MCPU: study.Estimate{Effect: -0.21, Lo: -0.25, Hi: -0.17, Launches: 4},
	}
	said := func(r study.Result) string {
		var b strings.Builder
		if err := term.Table(&b, study.VerdictFile{Results: []study.Result{r}}, 200); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if got := said(r); !strings.Contains(got, "it waits 97 % of its time") || !strings.Contains(got, "CPU time: -21.0 % [-25.0, -17.0].") {
		t.Errorf("nothing is said of waiting:\n%s", got)
	}
	working, changed, byCPU := r, r, r
	working.Waits = 0
	changed.Verdict, changed.Time = study.Positive, study.Better
	byCPU.Estimator.Clock = study.CPU
	for _, r := range []study.Result{working, changed, byCPU} {
		if got := said(r); strings.Contains(got, "waits") {
			t.Errorf("waiting is said of %+v:\n%s", r, got)
		}
	}
}
