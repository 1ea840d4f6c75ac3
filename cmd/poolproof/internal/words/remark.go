package words

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Remark is something to say about comparisons. What is the same for several
// is said once.
type Remark struct {
	About []string // names of the comparisons
	Text  string
	Lines []string // the compiler's, to be shown as they are
}

// mostNames is how many comparisons a remark names on the terminal; VERDICT.md
// names them all.
const mostNames = 12

// Names lists the comparisons for the terminal.
func (r Remark) Names() string {
	if len(r.About) <= mostNames {
		return strings.Join(r.About, ", ")
	}
	first := mostNames - 2
	return fmt.Sprintf("%s and %d more (VERDICT.md names them)", strings.Join(r.About[:first], ", "), len(r.About)-first)
}

// Remarks are in the order in which they were first made.
type Remarks []Remark

// Add says a text about a comparison, beside others of which the same was said.
func (rs *Remarks) Add(about, text string, lines []string) {
	i := slices.IndexFunc(*rs, func(r Remark) bool { return r.Text == text && slices.Equal(r.Lines, lines) })
	if i < 0 {
		*rs = append(*rs, Remark{Text: text, Lines: lines})
		i = len(*rs) - 1
	}
	(*rs)[i].About = append((*rs)[i].About, about)
}

// Because explains the verdicts of the rows that which selects. What was not
// measured has a place of its own.
func Because(rs []Row, which func(Row) bool) Remarks {
	var out Remarks
	cells := SeveralCells(rs)
	for _, r := range rs {
		if r.Verdict == study.NotMeasured || !which(r) {
			continue
		}
		var lines []string
		if r.Verdict == study.Invalid {
			lines = r.Plan.Escape
		}
		said := slices.DeleteFunc(Reasons(r.Result), func(s string) bool { return slices.Contains(lines, s) })
		text := Clauses(said)
		if need := r.Need(); need != "" {
			text = strings.TrimLeft(text+" "+need, " ")
		}
		if text == "" && len(lines) == 0 {
			continue // the row says all
		}
		out.Add(r.Name(cells), string(r.Verdict)+": "+text, lines)
	}
	return out
}

// Doubts say why comparisons are not decided, without the figures that stand in
// their rows: of INVALID and UNSAFE all that was said, of INCONCLUSIVE what the
// rule misses besides a narrower interval.
func Doubts(rs []Row) Remarks {
	var out Remarks
	cells := SeveralCells(rs)
	for _, r := range rs {
		reasons, lines := r.Reasons, []string(nil)
		switch r.Verdict {
		case study.Invalid:
			lines = r.Plan.Escape
		case study.Unsafe:
		case study.Inconclusive:
			reasons = slices.DeleteFunc(slices.Clone(reasons), standsInRow)
		default:
			continue
		}
		said := slices.DeleteFunc(sentences(r.Result, reasons), func(s string) bool { return slices.Contains(lines, s) })
		if len(said)+len(lines) > 0 {
			out.Add(r.Name(cells), string(r.Verdict)+": "+Clauses(said), lines)
		}
	}
	return out
}

// standsInRow reports whether a table's row has what a reason says, or a sentence
// that follows from it.
func standsInRow(why study.Reason) bool {
	return slices.Contains([]study.ReasonCode{study.ReasonTime, study.ReasonMemory, study.ReasonMetric, study.ReasonIsolated, study.ReasonPaddedConfirm, study.ReasonLongDecides, study.ReasonManyDecide}, why.Code)
}

// Need says what an undecided comparison could have shown, unless a reason says
// so, and what deciding it would take.
func (r Row) Need() string {
	if r.Verdict != study.Inconclusive || !r.Timed() {
		return ""
	}
	var parts []string
	said := func(why study.Reason) bool {
		return why.Code == study.ReasonTime && why.Class == study.Unresolved && why.Estimate.Launches >= 2
	}
	if r.Detectable > 0 && !slices.ContainsFunc(r.Reasons, said) {
		parts = append(parts, fmt.Sprintf("An effect of %s could have been seen.", share(r.Detectable)))
	}
	if time.Duration(r.NeedTime) > longestNeed {
		parts = append(parts, fmt.Sprintf("Not decidable here: it would take more than %s of measuring.", Duration(study.Duration(longestNeed))))
	} else if r.NeedTime > 0 {
		parts = append(parts, fmt.Sprintf("Deciding needs about %s of measuring; %s was spent.", Duration(r.NeedTime), Duration(r.Spent)))
	}
	return strings.Join(parts, " ")
}

// longestNeed is the longest measuring time that is named: an estimate of more
// is a guess.
const longestNeed = 2 * time.Hour

// NotMeasured lists what there is no verdict on. An arm that was left out in
// several cells for one reason is named once.
func NotMeasured(rs []Row) Remarks {
	var out Remarks
	missing, _ := Split(rs)
	missing = slices.DeleteFunc(missing, func(r Row) bool { return r.Failed != nil }) // see failed
	for len(missing) > 0 {
		first, text := missing[0], Clauses(Reasons(missing[0].Result))
		like := func(r Row) bool {
			return r.Name(false) == first.Name(false) && Clauses(Reasons(r.Result)) == text
		}
		var n int
		for _, r := range missing {
			if like(r) {
				n++
			}
		}
		name := first.Name(SeveralCells(rs))
		if n > 1 {
			of := OfBenchmark(rs, first.Benchmark)
			cells := slices.DeleteFunc(of, func(r Row) bool { return r.Arm != first.Arm })
			name = fmt.Sprintf("%s (%d of %d cells)", first.Name(false), n, len(cells))
		}
		out.Add(name, text, nil)
		missing = slices.DeleteFunc(missing, like)
	}
	return out
}

// Split separates what there is no verdict on from the rest.
func Split(rs []Row) (missing, rest []Row) {
	for _, r := range rs {
		if r.Verdict == study.NotMeasured {
			missing = append(missing, r)
		} else {
			rest = append(rest, r)
		}
	}
	return missing, rest
}

// Unexpected lists the verdicts that the study does not expect.
func Unexpected(rs []Row) Remarks {
	return each(rs, func(r Row) string {
		if r.AsExpected == nil || *r.AsExpected {
			return ""
		}
		return fmt.Sprintf("%s, expected %s.", r.Verdict, Alternatives(r.Expect))
	})
}

// each remarks on the rows of which there is something to say.
func each(rs []Row, say func(Row) string) (out Remarks) {
	cells := SeveralCells(rs)
	for _, r := range rs {
		if text := say(r); text != "" {
			out.Add(r.Name(cells), text, nil)
		}
	}
	return out
}

// Disturbed lists what was measured while other programs used the machine.
func Disturbed(rs []Row) Remarks {
	return each(rs, func(r Row) string {
		if r.Foreign <= busy || !r.Timed() {
			return ""
		}
		return fmt.Sprintf("other programs used %.0f %% of the machine.", 100*r.Foreign)
	})
}

// Waiting lists verdicts on the time of benchmarks that mostly wait: a change of
// what their code costs can hardly be seen there.
func Waiting(rs []Row) Remarks {
	return each(rs, func(r Row) string {
		if r.Waits == 0 || !r.Timed() || r.Estimator.Clock == study.CPU || r.Time == study.Better || r.Time == study.Worse {
			return ""
		}
		text := fmt.Sprintf("it waits %.0f %% of its time, in which a change of what its code costs can hardly be seen.", 100*r.Waits)
		if cpu := r.CPU(); cpu.Launches > 1 {
			text += " CPU time: " + interval(cpu) + "."
		}
		return text
	})
}

// Empty lists benchmarks whose operations are shorter than any can be.
func Empty(rs []Row) Remarks {
	return each(rs, func(r Row) string {
		if r.Timed() && r.PerOp() != Dash && r.Paced == nil && min(r.BaselineTime, r.CandidateTime) < cycle {
			return "an operation takes less than a cycle of the processor: either the benchmark does not run b.N of them, as a loop over b.Loop does, or the compiler has removed its work."
		}
		return ""
	})
}

// Clauses joins what the judge says into one sentence.
func Clauses(texts []string) string {
	var parts []string
	for _, t := range texts {
		if t = strings.TrimRight(strings.TrimSpace(t), "."); t != "" {
			parts = append(parts, t)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, "; ") + "."
}

// Failed lists the benchmarks that fail, each with what it said: those of the
// comparisons, and those that belong to none.
func Failed(v study.VerdictFile, rs []Row) Remarks {
	out := each(rs, func(r Row) string {
		if r.Failed == nil {
			return ""
		}
		return Clauses([]string{r.Failed.String()})
	})
	for _, f := range v.Plan.Failed {
		out.Add(f.Benchmark, Clauses([]string{f.Text}), nil)
	}
	return out
}
