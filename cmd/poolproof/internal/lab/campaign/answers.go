package campaign

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// answer compares a verdict with the known truth.
type answer string

const (
	right     answer = "right"
	otherSize answer = "right, other size" // by a factor of two
	falseWay  answer = "**false**"         // a claim against the truth, or where there is nothing
	missed    answer = "**missed**"        // NO CHANGE where there is something
	open      answer = "open"
	uncertain answer = "not clear" // not right, but the long runs do not exclude it
)

// answers are all of them, in the order of the table.
var answers = []answer{right, otherSize, falseWay, missed, open, uncertain}

// band is practical equality.
const band = 0.02

// claimed returns the class of time that a result claims. Where memory is the same its verdict
// says it; where memory differs, its class of time.
func claimed(r Result) study.Class {
	switch {
	case r.Verdict == study.NoChange:
		return study.Same
	case r.Verdict != study.Positive && r.Verdict != study.Negative && r.Verdict != study.TradeOff:
		return study.Unresolved
	case r.Memory != "" && r.Memory != study.Same:
		return r.Time
	case r.Verdict == study.Positive:
		return study.Better
	case r.Verdict == study.Negative:
		return study.Worse
	}
	return study.Unresolved // both clocks, in opposite directions
}

// answerOf compares what a result claims with the truth, which is an effect with
// its interval.
func answerOf(r, truth Result) answer {
	claim, real := claimed(r), truth.Effect
	meet := r.Lo <= truth.Hi && truth.Lo <= r.Hi
	var wrong answer
	switch {
	case claim != study.Better && claim != study.Worse && claim != study.Same:
		return open
	case claim == study.Same && math.Abs(real) > 2*band:
		wrong = missed
	case claim == study.Worse && real <= band, claim == study.Better && real >= -band:
		wrong = falseWay
	}
	switch {
	case wrong != "" && meet:
		return uncertain
	case wrong != "":
		return wrong
	case claim != study.Same && !meet && math.Abs(math.Log2(math.Log1p(r.Effect)/math.Log1p(real))) > 1:
		return otherSize
	}
	return right
}

// truthOf is the answer to a question: that of its long runs, or what the pair was
// built to differ by. ok is false while the long runs are not done.
func (s Summary) truthOf(t Task) (truth Result, ok bool) {
	if t.Pair == "" {
		return Result{Effect: *t.Known, Lo: *t.Known, Hi: *t.Known}, true
	}
	truth, ok = s.done[t.Pair]
	return truth, ok
}

// whole tabulates the questions about whole costs, kind by kind, and all of them.
func (s Summary) whole(b *strings.Builder) {
	b.WriteString("\n## Questions about whole costs\n\nFalse is a claim, POSITIVE or NEGATIVE, against the sign of the truth or where the truth lies within the band of 2 %. " +
		"Missed is NO CHANGE where the truth lies beyond twice the band. Where the interval of a false or missed verdict meets that of the truth, it counts as not clear. " +
		"Other size is a right sign with less than half or more than twice the effect, as logarithms. The truth is the median of six pairs of long runs of the uninstrumented binary, " +
		"with the least and the largest, or else what the pair was built to differ by. Time is that of a whole run, builds included.\n\n" +
		"| kind | questions | right | right, other size | false | missed | open | not clear | measured | whole run |\n|---|---|---|---|---|---|---|---|---|---|\n")
	var rows strings.Builder
	all := map[answer]int{}
	var allSpent, allWhole time.Duration
	for _, kind := range wholeKinds {
		count := map[answer]int{}
		var spent, whole time.Duration
		for _, t := range s.tasks {
			r, ok := s.done[t.ID]
			if t.Section != SectionAsk || t.Kind != kind.name || !ok {
				continue
			}
			truth, known := s.truthOf(t)
			if !known {
				continue
			}
			if len(count) == 0 {
				fmt.Fprintf(&rows, "\n## %s\n\n%s\n\n| pair | budget | built | long runs | verdict | found | by | answer |\n|---|---|---|---|---|---|---|---|\n", kind.title, kind.text)
			}
			a := answerOf(r, truth)
			count[a]++
			all[a]++
			spent, whole = spent+time.Duration(r.Spent), whole+time.Duration(r.Whole)
			fmt.Fprintf(&rows, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", t.Bench, t.Budget, builtBy(t), longRuns(t, truth), verdictOf(r), foundBy(r), r.Estimator, a)
		}
		tally(b, kind.title, count, spent, whole)
		allSpent, allWhole = allSpent+spent, allWhole+whole
	}
	tally(b, "**all**", all, allSpent, allWhole)
	b.WriteString(rows.String())
}

func tally(b *strings.Builder, name string, count map[answer]int, spent, whole time.Duration) {
	n := 0
	for _, a := range answers {
		n += count[a]
	}
	if n == 0 {
		return
	}
	fmt.Fprintf(b, "| %s | %d |", name, n)
	for _, a := range answers {
		fmt.Fprintf(b, " %d |", count[a])
	}
	fmt.Fprintf(b, " %.1f s | %.1f s |\n", (spent / time.Duration(n)).Seconds(), (whole / time.Duration(n)).Seconds())
}

func builtBy(t Task) string {
	if t.Known == nil {
		return ""
	}
	return fmt.Sprintf("%+.1f %%", 100**t.Known)
}

func longRuns(t Task, truth Result) string {
	if t.Pair == "" {
		return ""
	}
	return effectText(truth)
}

// verdictOf is the verdict, with the class of time where memory has a say in it.
func verdictOf(r Result) string {
	if r.Memory == "" || r.Memory == study.Same {
		return string(r.Verdict)
	}
	return fmt.Sprintf("%s, time %s", r.Verdict, r.Time)
}

func foundBy(r Result) string {
	if r.Estimator == (study.Estimator{}) {
		return ""
	}
	return effectText(r)
}

func effectText(r Result) string {
	return fmt.Sprintf("%+.1f %% (%+.1f to %+.1f)", 100*r.Effect, 100*r.Lo, 100*r.Hi)
}
