package history

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// run is a comparison of two revisions with an effect and the half-width of its interval.
type run struct {
	base, head   string
	effect, half float64
	dirty        bool
}

// keep writes runs into a folder, an hour apart.
func keep(t *testing.T, runs ...run) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "history")
	for i, r := range runs {
		v := study.VerdictFile{Schema: study.Schema, Judged: stat.Version, Started: time.Date(2026, 1, 2, i, 0, 0, 0, time.UTC),
			Plan: study.Plan{Schema: study.Schema, Kind: study.KindBase, Package: "m/p", Base: r.base, Revision: r.head, Dirty: r.dirty, Rule: stat.DefaultRule()}}
		e := study.Estimate{Effect: r.effect, Lo: math.Expm1(math.Log1p(r.effect) - r.half), Hi: math.Expm1(math.Log1p(r.effect) + r.half), Launches: 6}
		verdict, class := study.NoChange, study.Same
		if r.effect > 0.02 {
			verdict, class = study.Negative, study.Worse
		}
		if r.half == 0 {
			e, verdict = study.Estimate{}, study.NotMeasured
		}
		v.Results = []study.Result{{Comparison: "c", Benchmark: "BenchmarkX", Verdict: verdict, Time: class, Deciding: e, Launches: 6}}
		if _, err := Keep(dir, v); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func read(t *testing.T, dir string) History {
	t.Helper()
	h, err := Read(dir, stat.Version)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestEffectsAreChainedAlongRevisions(t *testing.T) {
	h := read(t, keep(t, run{"a", "b", 0.10, 0.03, false}, run{"b", "c", -0.20, 0.04, false}, run{"x", "y", 0.5, 0.01, false}, run{"y", "z", 0.01, 0.01, false}, run{"b", "d", 0.10, 0.04, false}))
	if len(h.Lines) != 1 || len(h.Lines[0].Points) != 5 || h.Runs != 5 {
		t.Fatalf("%+v", h)
	}
	for i, want := range []struct {
		root         string
		effect, half float64
	}{{"a", 0.10, 0.03}, {"a", 1.1*0.8 - 1, 0.05}, {"x", 0.5, 0.01}, {"x", 1.5*1.01 - 1, math.Sqrt(2) * 0.01}, {"a", 1.1*1.1 - 1, 0.05}} {
		p := h.Lines[0].Points[i]
		half := (math.Log1p(p.Chained.Hi) - math.Log1p(p.Chained.Lo)) / 2
		if p.Root != want.root || math.Abs(p.Chained.Effect-want.effect) > 1e-9 || math.Abs(half-want.half) > 1e-9 {
			t.Errorf("%d: since %s %+v, half %.4f; want %+v", i, p.Root, p.Chained, half, want)
		}
	}
}

func TestAChainBreaksWhereNothingIsKnown(t *testing.T) {
	h := read(t, keep(t, run{"a", "b", 0.1, 0.01, false}, run{"b", "c", 0, 0, false}, run{"c", "d", 0.01, 0.01, false}, run{"d", "e", 0.1, 0.01, true}, run{"e", "f", 0.1, 0.01, false}))
	var roots []string
	for _, p := range h.Lines[0].Points {
		roots = append(roots, p.Root)
	}
	// c was not measured against b, and e is the head of a tree that differed from its commit.
	if got := strings.Join(roots, " "); got != "a a c c e" {
		t.Errorf("roots %s", got)
	}
	if h.Lines[0].Points[3].Head != "e"+Dirty {
		t.Error(h.Lines[0].Points[3].Head)
	}
}

func TestSinceWhen(t *testing.T) {
	step := func(effect float64) []run {
		var runs []run
		for i := range 6 {
			e := 0.0
			if i == 3 {
				e = effect
			}
			runs = append(runs, run{fmt.Sprint("r", i), fmt.Sprint("r", i+1), e, 0.005, false})
		}
		return runs
	}
	creep := func() []run {
		var runs []run
		for i := range 6 {
			runs = append(runs, run{fmt.Sprint("r", i), fmt.Sprint("r", i+1), 0.012, 0.005, false})
		}
		return runs
	}
	other := append([]run{{"r0", "r1", 0.1, 0.005, false}, {"x", "y", 0.001, 0.005, false}}, run{"r1", "r2", 0.001, 0.005, false})
	mended := append(step(0.1), run{"r6", "r7", -0.09, 0.005, false})
	for name, tt := range map[string]struct {
		runs  []run
		since string
		now   study.Class
	}{
		"a step":                               {step(0.05), "r4", study.Worse},
		"a step for the good":                  {step(-0.05), "r4", study.Better},
		"no step":                              {step(0), "", study.Same},
		"small steps":                          {creep(), "r2", study.Worse},
		"a step that was undone":               {mended, "", study.Same},
		"a step with another chain in between": {other, "r1", study.Worse},
	} {
		l := read(t, keep(t, tt.runs...)).Lines[0]
		got := ""
		if l.Since != nil {
			got = l.Since.Head
		}
		if got != tt.since || l.Now != tt.now {
			t.Errorf("%s: %s since %q, want %s since %q", name, l.Now, got, tt.now, tt.since)
		}
	}
}

func TestFilesThatAreNotUsedAreNamed(t *testing.T) {
	dir := keep(t, run{"a", "b", 0.1, 0.01, false}, run{"b", "c", 0.1, 0.01, false}, run{"c", "d", 0.1, 0.01, false})
	names, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	edit := func(name, from, to string) {
		text, err := os.ReadFile(name)
		if err != nil || !strings.Contains(string(text), from) {
			t.Fatal(name, err)
		}
		if err := os.WriteFile(name, []byte(strings.Replace(string(text), from, to, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	edit(names[0], fmt.Sprintf(`"judged": %d`, stat.Version), fmt.Sprintf(`"judged": %d`, stat.Version-1))
	edit(names[1], `"kind": "base"`, `"kind": "aa"`)
	if err := os.WriteFile(filepath.Join(dir, "torn.json"), []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	h := read(t, dir)
	if h.Runs != 1 || len(h.Refused) != 3 {
		t.Fatalf("%+v", h)
	}
	for i, want := range []string{fmt.Sprintf("judged by version %d of the rule, this program judges by version %d; judge its run again with try -judge", stat.Version-1, stat.Version), "it is no comparison of revisions", "torn.json"} {
		if !strings.Contains(h.Refused[i], want) {
			t.Errorf("%q does not say %q", h.Refused[i], want)
		}
	}
	if _, err := Read(filepath.Join(dir, "nowhere"), stat.Version); err == nil {
		t.Error("a folder that is not there is read")
	}
	if _, err := Keep(dir, study.VerdictFile{}); err == nil {
		t.Error("what is no comparison of revisions is kept")
	}
}
