package stat_test

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestVariantsAreJudgedTogether(t *testing.T) {
	var v study.VerdictFile
	add := func(id string, isolated bool, verdict study.Verdict) {
		v.Plan.Comparisons = append(v.Plan.Comparisons, study.Comparison{Variant: id, Isolated: isolated})
		v.Results = append(v.Results, study.Result{Verdict: verdict})
	}
	for _, id := range []string{"none", "unsafe", "alone", "both", "pays", "costs", "idle"} {
		v.Plan.Variants = append(v.Plan.Variants, study.ListedVariant{ID: id})
	}
	v.Plan.Variants[0].None = "nothing"
	add("unsafe", false, study.Unsafe)
	add("alone", true, study.Positive)
	add("both", true, study.Positive) // does not decide
	add("both", false, study.NoChange)
	add("pays", false, study.Positive)
	add("pays", false, study.Invalid)
	add("costs", false, study.Positive)
	add("costs", false, study.Inconclusive) // and takes memory
	v.Results[len(v.Results)-1].Memory = study.Worse
	add("idle", false, study.Invalid)
	var got []string
	for _, a := range stat.Variants(v) {
		text := a.ID + " " + string(a.Verdict)
		if a.Isolated {
			text += " (isolated)"
		}
		got = append(got, text)
	}
	want := "pays POSITIVE, alone POSITIVE (isolated), costs TRADE-OFF, both NO CHANGE, unsafe UNSAFE, idle INVALID, none "
	if strings.Join(got, ", ") != want {
		t.Errorf("%q, want %q", strings.Join(got, ", "), want)
	}
}
