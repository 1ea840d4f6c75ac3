package stat

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestAClaimIsAnsweredByItsCell(t *testing.T) {
	in := func(cell string, class study.Class) study.Result {
		return study.Result{Arm: "pool", Benchmark: "work", Cell: strings.Fields(cell), Verdict: study.Positive, Time: class, Estimator: study.Estimator{Kind: "M", Clock: "wall"},
			Deciding: study.Estimate{Launches: 4}}
	}
	results := []study.Result{in("GOGC=25 GOMAXPROCS=1", study.Worse), in("GOGC=25 GOMAXPROCS=2", study.Better), in("GOGC=100 GOMAXPROCS=2", study.Same)}
	for _, tt := range []struct {
		cell     string
		want     study.Outcome
		answered string
		class    study.Class
	}{
		{"", study.Reproduced, "GOGC=25 GOMAXPROCS=1", study.Worse},
		{"GOMAXPROCS=2", study.Reproduced, "GOGC=25 GOMAXPROCS=2", study.Better},
		{"GOMAXPROCS=2 GOGC=100", study.Reproduced, "GOGC=100 GOMAXPROCS=2", study.Same},
		{"GOGC=50", study.NotJudgeable, "GOGC=50", study.Same},
	} {
		got := claim(study.Claim{Arm: "pool", Benchmark: "work", Cell: tt.cell, Metric: "time", Class: tt.class}, results, 0.02)
		if got.Outcome != tt.want || strings.Join(got.Cell, " ") != tt.answered {
			t.Errorf("%q: %+v", tt.cell, got)
		}
		if tt.cell == "GOGC=50" && got.Because.Code != study.ClaimNoCell {
			t.Errorf("%+v", got.Because)
		}
	}
}
