package words

import (
	"fmt"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat/rank"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// TitleOf is the title of a run.
func TitleOf(v study.VerdictFile) string {
	for _, t := range []string{FileOf(v).Title, v.Plan.Title, v.Plan.Package} {
		if t != "" {
			return t
		}
	}
	return "Verdict"
}

// FileOf is the study file of a run, zero where it has none.
func FileOf(v study.VerdictFile) study.File {
	if v.Plan.Study != nil {
		return *v.Plan.Study
	}
	return study.File{}
}

// StatusOf says how much of the question is answered.
func StatusOf(v study.VerdictFile) string {
	rs := Rows(v)
	open, failing := map[study.Verdict]int{}, 0
	for _, r := range rs {
		open[r.Verdict]++
		if r.Failed != nil {
			failing++
		}
	}
	s := decidedWords(rs)
	if c := open[study.Inconclusive]; c > 0 {
		s += fmt.Sprintf(", %d INCONCLUSIVE", c)
	}
	if c := open[study.DiffersByMachine]; c > 0 {
		s += fmt.Sprintf(", %d DIFFERS BY MACHINE", c)
	}
	if failing > 0 {
		s += fmt.Sprintf(", %d failed", failing)
	}
	if c := open[study.NotMeasured] - failing; c > 0 {
		s += fmt.Sprintf(", %d not measured", c)
	}
	if v.Interrupted {
		s += "; the run was interrupted"
	}
	return s
}

// decidedWords is how a note's status begins. An INVALID comparison decides
// nothing: it says that the experiment does not ask the question.
func decidedWords(rs []Row) string {
	open, invalid := 0, 0
	for _, r := range rs {
		switch r.Verdict {
		case study.Inconclusive, study.DiffersByMachine, study.NotMeasured:
			open++
		case study.Invalid:
			invalid++
		}
	}
	words := fmt.Sprintf("%d of %s decided", len(rs)-open-invalid, Plural(len(rs), "comparison", "comparisons"))
	if invalid > 0 {
		words += fmt.Sprintf(", %d INVALID", invalid)
	}
	return words
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
