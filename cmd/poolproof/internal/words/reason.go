package words

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Reasons puts the reasons of a result into sentences without their full stop,
// the most important first.
func Reasons(r study.Result) []string { return sentences(r, r.Reasons) }

// Notes puts the remarks on a result's launches into sentences.
func Notes(r study.Result) []string { return sentences(r, r.Notes) }

func sentences(r study.Result, list []study.Reason) []string {
	var out []string
	for _, why := range list {
		out = append(out, sentence(r, why))
	}
	return out
}

// sentence words one reason of a result.
func sentence(r study.Result, why study.Reason) string {
	switch why.Code {
	case study.ReasonTime:
		return timeSentence(why)
	case study.ReasonClockTooCoarse:
		return "the clock could not measure a burst"
	case study.ReasonMemory:
		return memorySentence(r, why.Alone)
	case study.ReasonMetric:
		for _, m := range r.Metrics {
			if m.Unit == why.Unit {
				return MetricSentence(m)
			}
		}
	case study.ReasonClocksDisagree:
		return fmt.Sprintf("wall and CPU time move in opposite directions: %s changes by %s, %s by %s",
			why.Estimator, Change(why.Estimate.Effect), why.Other, Change(why.OtherEstimate.Effect))
	case study.ReasonClocksDiffer:
		return fmt.Sprintf("the clocks differ: %s changes by %s, %s by %s",
			why.Estimator, Change(why.Estimate.Effect), why.Other, Change(why.OtherEstimate.Effect))
	case study.ReasonIsolated:
		return "isolated: not a reason to pool by itself"
	case study.ReasonSaid, study.NoteLaunch:
		return why.Text
	case study.ReasonFailed:
		return study.Failure{Side: why.Side, Text: why.Text}.String()
	case study.ReasonNotReached:
		return "the budget did not reach it"
	}
	if s := invalidSentence(why); s != "" {
		return s
	}
	if s := printedSentence(why); s != "" {
		return s
	}
	if s := machinesSentence(r, why); s != "" {
		return s
	}
	if s := claimSentence(r, why); s != "" {
		return s
	}
	return guardSentence(r, why)
}

// invalidSentence says why there is nothing to judge.
func invalidSentence(why study.Reason) string {
	switch why.Code {
	case study.ReasonBaselineAllocatesTooLittle:
		return fmt.Sprintf("the baseline does not allocate: nothing could be removed (allocs/op is %s, at least %d was expected)", number(why.Counter.Baseline), why.Count)
	case study.ReasonNothingRemoved:
		return "nothing was removed: " + moved(why.Unit, *why.Counter)
	case study.ReasonNotRaised:
		return "the arm should raise " + why.Unit + ": " + moved(why.Unit, *why.Counter)
	case study.ReasonNotReported:
		return fmt.Sprintf("the %s does not report %s in %d of %d launches", sideName(why.Side), why.Unit, why.Counts[0], why.Counts[1])
	}
	return ""
}

// guardSentence says why a class of time is doubted, or stands.
func guardSentence(r study.Result, why study.Reason) string {
	switch why.Code {
	case study.ReasonSpread:
		return fmt.Sprintf("launches differ more than the bursts inside them explain: their standard deviation is %s, %s was to be expected", share(why.Share), share(why.Bound))
	case study.ReasonDrift:
		return fmt.Sprintf("the difference changes while the processes run, from %s in the first third of a launch to %s in the last: no one number stands for it", Change(why.Share), Change(why.Bound))
	case study.ReasonDependsOnN:
		return fmt.Sprintf("bursts of more operations gainsay it: the difference is %s at %d operations a call and %s at %d", Change(why.Share), why.Counts[0], Change(why.Bound), why.Counts[1])
	case study.ReasonCheap:
		return fmt.Sprintf("the garbage differs, but the collector took %s of the time at most (%d and %d collections were seen): the time between collections decides, and that share is added to its interval",
			share(why.Share), why.Counts[0], why.Counts[1])
	case study.ReasonOpposed:
		return fmt.Sprintf("between collections (%s) time is %s, with them (%s) it is %s", why.Other, why.OtherClass, why.Estimator, why.Class)
	case study.ReasonRare:
		return fmt.Sprintf("the %s spends %s of its time in work that comes too rarely to be in a typical burst", sideName(why.Side), share(why.Share))
	case study.ReasonSums:
		return fmt.Sprintf("the sums of all bursts, with rare work and disturbances in them, give %s", Change(why.Share))
	case study.ReasonLongCollections:
		return fmt.Sprintf("a collection takes %s beyond its burst of %s", time.Duration(why.Took).Round(10*time.Microsecond), time.Duration(why.Slot))
	case study.ReasonFewCollections:
		return fmt.Sprintf("short bursts saw %d and %d collections, fewer than %d", why.Counts[0], why.Counts[1], why.Count)
	case study.ReasonFewEvenLong:
		return fmt.Sprintf("fewer than %d collections were seen, the long form included: their price is not known", why.Count)
	case study.ReasonLongDecides:
		return "the long form decides: " + strings.Join(sentences(r, why.Because), "; ")
	case study.ReasonManyDecide:
		return "bursts of many operations decide: " + strings.Join(sentences(r, why.Because), "; ")
	case study.ReasonOnlyLong:
		what := "could tell which is right"
		switch why.Because[0].Code {
		case study.ReasonFewCollections:
			what = "could see enough of them"
		case study.ReasonRare:
			what = "can tell what that makes"
		}
		return sentence(r, why.Because[0]) + ": only the long form " + what
	case study.ReasonLongOpen:
		return fmt.Sprintf("the class of %s stands; the long form did not decide", why.Estimator)
	case study.ReasonPaddedMissing:
		return fmt.Sprintf("not confirmed on padded builds: %.0f s more", math.Ceil(time.Duration(why.Took).Seconds()))
	case study.ReasonPaddedConfirm:
		return fmt.Sprintf("%d padded builds confirm it: as built it is %s", why.Count, withInterval(*why.Estimate))
	case study.ReasonPaddedDoubt:
		return fmt.Sprintf("code layout alone could explain the difference: as built it is %s, and %d padded builds do not confirm that", withInterval(*why.Estimate), why.Count)
	case study.ReasonSameDirection:
		return fmt.Sprintf("only %d and %d collections were seen, but the side that takes less time makes less garbage too", why.Counts[0], why.Counts[1])
	case study.NoteCoarse:
		clock := string(why.Estimator.Clock)
		if why.Estimator.Clock == study.CPU {
			clock = "CPU"
		}
		return fmt.Sprintf("the %s clock was too coarse for %d of %d pairs", clock, why.Counts[0], why.Counts[1])
	case study.NoteMachines:
		return fmt.Sprintf("launches of %d machines", why.Count)
	case study.ReasonUnpaid:
		return fmt.Sprintf("%.0f %% of what the collections of the %s cost fell after its bursts, where %s does not count it: with it, the difference would be %s %%",
			100*why.Share, why.Side, why.Estimator, Percent(why.Bound))
	}
	return string(why.Code) // of a later version of this program
}

// sideName is how a sentence calls a side.
func sideName(side string) string {
	if side == study.Candidate.String() {
		return "arm"
	}
	return side
}

// timeSentence says what became of time.
func timeSentence(why study.Reason) string {
	what := "time"
	if why.Estimator.Kind == study.AtRate {
		what = "CPU time"
	}
	e := *why.Estimate
	words := estimateWords(e, why.Estimator)
	switch why.Class {
	case study.Better:
		return what + " falls: " + words
	case study.Worse:
		return what + " rises: " + words
	case study.Same:
		return fmt.Sprintf("%s stays within %s: %s", what, share(why.Share), words)
	case study.NotWorse:
		return fmt.Sprintf("%s does not rise by more than %s: %s", what, share(why.Share), words)
	}
	if e.Launches < why.Count {
		return fmt.Sprintf("%s is unresolved: %s; the rule begins with %d launches", what, words, why.Count)
	}
	return fmt.Sprintf("%s is unresolved: %s; an effect of %s could have been seen", what, words, share(halfWidth(e)))
}

func memorySentence(r study.Result, alone bool) string {
	s := counterWords("B/op", r.Bytes) + ", " + counterWords("allocs/op", r.Allocs)
	if r.Memory == study.Mixed {
		s = "bytes and allocations move in opposite directions: " + s
	}
	if alone {
		s = "memory only: " + s
	}
	return s
}

// MetricSentence says what became of a metric that the benchmark reports.
func MetricSentence(m study.MetricResult) string {
	switch {
	case m.Why != nil:
		return sentence(study.Result{}, *m.Why)
	case m.Exact:
		return counterWords(m.Unit, study.Counter{Baseline: m.Baseline, Candidate: m.Candidate, Equal: m.Class == study.Same, Unsteady: m.Class == study.Unresolved})
	case m.Estimate.Launches == 0:
		return fmt.Sprintf("%s is %s: %s -> %s", m.Unit, m.Class, number(m.Baseline), number(m.Candidate))
	case m.Estimate.Launches < 2:
		return fmt.Sprintf("%s is %s: %s (1 launch)", m.Unit, m.Class, Change(m.Estimate.Effect))
	}
	return fmt.Sprintf("%s is %s: %s, %d launches", m.Unit, m.Class, withInterval(m.Estimate), m.Estimate.Launches)
}

// estimateWords gives an estimate with its interval and origin.
func estimateWords(e study.Estimate, by study.Estimator) string {
	if e.Launches < 2 {
		return fmt.Sprintf("%s (%s, %s)", Change(e.Effect), by, Plural(e.Launches, "launch", "launches"))
	}
	return fmt.Sprintf("%s (%s to %s; %s, %d launches)", Change(e.Effect), Change(e.Lo), Change(e.Hi), by, e.Launches)
}

// withInterval gives an estimate with its interval.
func withInterval(e study.Estimate) string {
	return fmt.Sprintf("%s (%s to %s)", Change(e.Effect), Change(e.Lo), Change(e.Hi))
}

// counterWords gives both sides of an exact counter.
func counterWords(name string, c study.Counter) string {
	if c.Equal {
		if number(c.Baseline) == number(c.Candidate) {
			return fmt.Sprintf("%s is %s", name, number(c.Baseline))
		}
		return fmt.Sprintf("%s is %s and %s, equal within the tolerance", name, number(c.Baseline), number(c.Candidate))
	}
	verb := "falls"
	if c.Candidate > c.Baseline {
		verb = "rises"
	}
	s := fmt.Sprintf("%s %s from %s to %s", name, verb, number(c.Baseline), number(c.Candidate))
	if ratio, ok := CounterRatio(c); ok {
		s += fmt.Sprintf(" (%s)", Change(ratio-1))
	}
	if c.Unsteady {
		s += ", on which the launches do not agree"
	}
	return s
}

// moved says where a counter went that should have gone elsewhere.
func moved(name string, c study.Counter) string {
	switch {
	case c.Equal && number(c.Baseline) == number(c.Candidate):
		return fmt.Sprintf("%s is %s in both arms", name, number(c.Baseline))
	case c.Equal:
		return fmt.Sprintf("%s is %s and %s, equal within the tolerance", name, number(c.Baseline), number(c.Candidate))
	case c.Candidate > c.Baseline:
		return fmt.Sprintf("%s rose from %s to %s", name, number(c.Baseline), number(c.Candidate))
	}
	return fmt.Sprintf("%s fell from %s to %s", name, number(c.Baseline), number(c.Candidate))
}

// printedSentence says what lines that go test printed can tell; "" for another
// reason.
func printedSentence(why study.Reason) string {
	switch why.Code {
	case study.ReasonPrintedOnce:
		return "time is unresolved: one line a side has no interval; -count=10 prints ten"
	case study.ReasonPrintedElsewhere:
		return "time is not compared: " + why.Text
	case study.ReasonNoMemory:
		return fmt.Sprintf("the %s has no B/op and allocs/op: run both with -benchmem", why.Side)
	case study.ReasonPrinted:
		return printedTime(why)
	}
	return ""
}

// printedTime says what became of time.
func printedTime(why study.Reason) string {
	of := "processes"
	if why.Alone {
		of = "lines"
	}
	e := fmt.Sprintf("%s over %d and %d %s, with %s that the machine may have changed in between", withInterval(*why.Estimate), why.Counts[0], why.Counts[1], of, share(why.Share))
	switch why.Class {
	case study.Better:
		return fmt.Sprintf("time falls by more than a factor of %.0f: %s", why.Bound, e)
	case study.Worse:
		return fmt.Sprintf("time rises by more than a factor of %.0f: %s", why.Bound, e)
	case study.NotWorse:
		return "time does not rise: " + e
	}
	return "time is unresolved: " + e
}
