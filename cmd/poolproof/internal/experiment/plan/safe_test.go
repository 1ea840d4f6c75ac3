package plan

import (
	"errors"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/finding"
	misuse "github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// What was seen of one binary must not be forgotten because another one could
// not be watched.
func TestAMisuseCountsWhateverElseGoesWrong(t *testing.T) {
	one, other := part{binary: "test", leaves: []string{"B/arm=make", "B/arm=pool", "B/arm=late"}}, part{binary: "test+tag", leaves: []string{"B/arm=tag"}}
	late := &sanitize.Result{Findings: []*finding.Finding{{Reports: []*finding.Report{{
		Kind: "read-after-put", Severity: misuse.Error, Type: "app.T", Tests: []finding.Test{{Package: "app", Name: "B/arm=late"}},
	}}}}}
	var s safety
	s.add(one, late, nil)
	s.add(other, nil, errors.New("no such toolchain\nand more"))
	p := study.Plan{Comparisons: []study.Comparison{
		{BaselineBench: study.Bench{Binary: "test", Leaf: "B/arm=make"}, CandidateBench: study.Bench{Binary: "test", Leaf: "B/arm=pool"}},
		{BaselineBench: study.Bench{Binary: "test", Leaf: "B/arm=make"}, CandidateBench: study.Bench{Binary: "test", Leaf: "B/arm=late"}},
		{BaselineBench: study.Bench{Binary: "test", Leaf: "B/arm=late"}, CandidateBench: study.Bench{Binary: "test", Leaf: "B/arm=make"}},
		{BaselineBench: study.Bench{Binary: "test", Leaf: "B/arm=make"}, CandidateBench: study.Bench{Binary: "test+tag", Leaf: "B/arm=late"}},
	}}
	s.mark(&p)
	for i, want := range []bool{false, true, true, false} {
		if got := p.Comparisons[i].Unsafe != ""; got != want {
			t.Errorf("comparison %d is unsafe: %v, want %v", i, got, want)
		}
	}
	if want := "misuse of a pool in 1 of 3 benchmarks; 1 benchmark could not be watched to the end: no such toolchain"; p.Safety != want {
		t.Errorf("the plan says\n%s, want\n%s", p.Safety, want)
	}
}

func TestWhatWasNotWatchedIsNotCalledSafe(t *testing.T) {
	q := part{binary: "test", leaves: []string{"B/n=1/arm=make", "B/n=1/arm=pool", "C/arm=pool"}}
	failed := func(name string) *sanitize.Result {
		return &sanitize.Result{Failures: []sanitize.Failure{{Test: finding.Test{Package: "app", Name: name}, Class: sanitize.Reuse}}}
	}
	for name, tt := range map[string]struct {
		result *sanitize.Result
		err    error
		want   string
	}{
		"all ran":                     {&sanitize.Result{}, nil, "no misuse of a pool was seen in 3 benchmarks"},
		"one failed":                  {failed("C/arm=pool"), nil, "no misuse of a pool was seen in 2 benchmarks; 1 benchmark could not be watched to the end: C/arm=pool " + string(sanitize.Reuse)},
		"those below one name failed": {failed("B/n=1"), nil, "no misuse of a pool was seen in 1 benchmark; 2 benchmarks could not be watched to the end: B/n=1 " + string(sanitize.Reuse)},
		"the package failed":          {failed(""), nil, "not checked: app " + string(sanitize.Reuse)},
		"nothing could be built":      {nil, errors.New("no compiler"), "not checked: no compiler"},
	} {
		t.Run(name, func(t *testing.T) {
			var s safety
			s.add(q, tt.result, tt.err)
			if got := s.String(); got != tt.want {
				t.Errorf("it says\n%s, want\n%s", got, tt.want)
			}
		})
	}
	if got := new(safety).String(); got != "nothing that is built here uses a sync.Pool" {
		t.Errorf("without a pool it says %q", got)
	}
}
