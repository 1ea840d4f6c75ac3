package stat

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

const goldenRule = "testdata/rule.txt"

// judgements are what the rule says of programs of all kinds, a line each:
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
	for _, price := range []float64{50e3, 1.2e6} {
		w := seldom(price)
		w.op[1] = 1100
		line(fmt.Sprintf("few collections of %g ns", price), withoutLayout(testPlan()), w)
	}
	return b.String()
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
