package words

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat/rank"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// TitleOf is the title of a run.
func TitleOf(v study.VerdictFile) string {
	return cmp.Or(FileOf(v).Title, v.Plan.Title, v.Plan.Package, "Verdict")
}

// FileOf is the study file of a run, zero where it has none.
func FileOf(v study.VerdictFile) study.File {
	if v.Plan.Study != nil {
		return *v.Plan.Study
	}
	return study.File{}
}

// StatusOf says how much of the question is answered. An INVALID comparison decides
// nothing: it says that the experiment does not ask the question.
func StatusOf(v study.VerdictFile) string {
	count, failing := map[study.Verdict]int{}, 0
	for _, r := range v.Results {
		count[r.Verdict]++
		if r.Failed != nil {
			failing++
		}
	}
	decided := len(v.Results) - count[study.Inconclusive] - count[study.DiffersByMachine] - count[study.NotMeasured] - count[study.Invalid]
	s := fmt.Sprintf("%d of %s decided", decided, Plural(len(v.Results), "comparison", "comparisons"))
	for _, part := range []struct {
		n    int
		what string
	}{
		{count[study.Invalid], "INVALID"}, {count[study.Inconclusive], "INCONCLUSIVE"}, {count[study.DiffersByMachine], "DIFFERS BY MACHINE"},
		{failing, "failed"}, {count[study.NotMeasured] - failing, "not measured"},
	} {
		if part.n > 0 {
			s += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	if v.Interrupted {
		s += "; the run was interrupted"
	}
	return s
}

// Tally counts the verdicts: "2 POSITIVE, 1 NEGATIVE".
func Tally(rs []study.Result) string {
	var parts []string
	for _, v := range rank.Order {
		c := 0
		for _, r := range rs {
			if r.Verdict == v {
				c++
			}
		}
		if c > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c, v))
		}
	}
	return strings.Join(parts, ", ")
}

// JudgedAnew says that the rule is another one than that which a run was
// measured for; "" where it is the same.
func JudgedAnew(v study.VerdictFile) string {
	if was := v.Plan.Rule.Version; v.Judged > 0 && was != v.Judged {
		return fmt.Sprintf("Version %d of the rule judged this; it was measured for version %d, whose numbers of launches may be too few now.", v.Judged, was)
	}
	return ""
}

// Whole is an arm over all its benchmarks: the verdict of the whole, and the
// geometric mean of the changes of time that were measured.
type Whole struct {
	rank.Arm
	mean     float64 // geometric mean of candidate/baseline, as a change
	measured int     // results in the mean
}

// Wholes sums up each arm that has several comparisons, best first.
func Wholes(rs []study.Result) []Whole {
	var list []Whole
	for _, a := range rank.Arms(rs) {
		w := Whole{Arm: a}
		w.mean, w.measured = a.Change()
		if w.measured >= 2 && a.Name != a.Baseline { // -aa compares each benchmark with itself
			list = append(list, w)
		}
	}
	return list
}

// String is "pool against make: time -12.3 % in the geometric mean of 5".
func (w Whole) String() string {
	s := fmt.Sprintf("%s against %s: time %s %% in the geometric mean of %s", w.Name, w.Baseline, Percent(w.mean), Plural(w.measured, "comparison", "comparisons"))
	if w.Failed > 0 {
		s += fmt.Sprintf("; it fails in %d of %d", w.Failed, len(w.Results))
	}
	open := 0
	for _, r := range w.Results {
		if r.Verdict == study.Inconclusive {
			open++
		}
	}
	if open > 0 {
		s += fmt.Sprintf("; %d not decided", open)
	}
	return s
}
