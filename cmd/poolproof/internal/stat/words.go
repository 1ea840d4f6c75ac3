package stat

import (
	"fmt"
	"math"
	"strconv"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// explain writes the reasons, the most important first: what decided the
// verdict, the other half, then what was doubted or confirmed.
func (t *trial) explain(r ruling, allocs, bytes count, against string) {
	timeWords, memoryWords, figures := t.timeWords(r), t.memoryWords(allocs, bytes), t.figureWords()
	say := func(s string) { t.res.Reasons = append(t.res.Reasons, s) }
	sayAll := func(list []string) { t.res.Reasons = append(t.res.Reasons, list...) }
	moved := r.time == study.Better || r.time == study.Worse
	decidedByMemory := !moved && (t.res.Verdict == study.Positive || t.res.Verdict == study.Negative || t.res.Verdict == study.TradeOff)
	if against != "" {
		say("wall and CPU time move in opposite directions: " + against)
	}
	switch {
	case decidedByMemory && t.res.Memory == study.Same:
		sayAll(figures)
		say(memoryWords)
		say(timeWords)
	case decidedByMemory:
		if t.res.Verdict == study.Positive {
			memoryWords = "memory only: " + memoryWords
		}
		say(memoryWords)
		sayAll(figures)
		say(timeWords)
	default:
		if resolved(r.time) && t.res.Verdict == study.Inconclusive { // a figure left it open
			sayAll(figures)
			figures = nil
		}
		if r.time != r.class && len(r.guards) > 0 { // taken back: the reason first
			last := len(r.guards) - 1
			say(r.guards[last])
			r.guards = r.guards[:last]
		}
		say(timeWords)
		say(memoryWords)
		sayAll(figures)
	}
	for _, g := range r.guards {
		say(g)
	}
	if t.c.Isolated {
		say("isolated: never alone a reason to pool")
	}
}

func (t *trial) timeWords(r ruling) string {
	if t.res.Deciding.Launches == 0 {
		return "the clock could not measure a slice"
	}
	what := "time"
	if t.main == study.FormRate {
		what = "CPU time"
	}
	words := estimateWords(t.res.Deciding, t.res.Metric)
	switch r.class {
	case study.Better:
		return what + " falls: " + words
	case study.Worse:
		return what + " rises: " + words
	case study.Same:
		return fmt.Sprintf("%s stays within %s: %s", what, share(t.rule.Band), words)
	case study.NotWorse:
		return fmt.Sprintf("%s does not rise by more than %s: %s", what, share(t.rule.Band), words)
	}
	if r.n < 2 {
		return what + " is unresolved: one launch has no interval"
	}
	return fmt.Sprintf("%s is unresolved: %s; an effect of %s could have been seen", what, words, share(r.half()))
}

// figureWords gives a sentence on each figure that has a say.
func (t *trial) figureWords() (list []string) {
	for _, f := range t.res.Metrics {
		if f.Decides {
			list = append(list, metricWords(f))
		}
	}
	return list
}

// metricWords says what became of a figure.
func metricWords(f study.MetricResult) string {
	switch {
	case f.Why != "":
		return f.Why
	case f.Exact:
		return counterWords(f.Unit, study.Counter{Old: f.Old, New: f.New, Equal: f.Class == study.Same, Unsteady: f.Class == study.Unresolved})
	case f.Estimate.Launches == 0:
		return fmt.Sprintf("%s is %s: %s -> %s", f.Unit, f.Class, number(f.Old), number(f.New))
	case f.Estimate.Launches < 2:
		return fmt.Sprintf("%s is %s: %s (1 launch)", f.Unit, f.Class, relative(f.Estimate.Effect))
	}
	return fmt.Sprintf("%s is %s: %s, %d launches", f.Unit, f.Class, intervalWords(f.Estimate), f.Estimate.Launches)
}

// intervalWords gives an estimate with its interval.
func intervalWords(e study.Estimate) string {
	return fmt.Sprintf("%s (%s to %s)", relative(e.Effect), relative(e.Lo), relative(e.Hi))
}

func (t *trial) memoryWords(allocs, bytes count) string {
	words := counterWords(bytesPerOp, bytes.counter()) + ", " + counterWords(allocsPerOp, allocs.counter())
	if t.res.Memory == study.Mixed {
		return "bytes and allocations move in opposite directions: " + words
	}
	return words
}

// estimateWords gives an estimate with its interval and origin.
func estimateWords(e study.Estimate, metric string) string {
	if e.Launches < 2 {
		return fmt.Sprintf("%s (%s, %d launch)", relative(e.Effect), metric, e.Launches)
	}
	return fmt.Sprintf("%s (%s to %s; %s, %d launches)", relative(e.Effect), relative(e.Lo), relative(e.Hi), metric, e.Launches)
}

// counterWords gives both sides of an exact counter.
func counterWords(name string, c study.Counter) string {
	if c.Equal {
		if number(c.Old) == number(c.New) {
			return fmt.Sprintf("%s is %s", name, number(c.Old))
		}
		return fmt.Sprintf("%s is %s and %s, equal within the tolerance", name, number(c.Old), number(c.New))
	}
	verb := "falls"
	if c.New > c.Old {
		verb = "rises"
	}
	s := fmt.Sprintf("%s %s from %s to %s", name, verb, number(c.Old), number(c.New))
	if c.Old > 0 {
		s += fmt.Sprintf(" (%s)", relative(c.New/c.Old-1))
	}
	if c.Unsteady {
		s += ", which the launches do not agree on"
	}
	return s
}

// words gives an interval of log ratios.
func (iv interval) words() string {
	return fmt.Sprintf("%s (%s to %s)", percent(iv.mean), percent(iv.lo), percent(iv.hi))
}

// percent writes a log ratio as a relative change, share its size.
func percent(logRatio float64) string { return relative(math.Expm1(logRatio)) }

func share(logRatio float64) string {
	return strconv.FormatFloat(100*math.Expm1(logRatio), 'f', 1, 64) + " %"
}

// relative writes a relative change.
func relative(x float64) string {
	s := fmt.Sprintf("%+.1f %%", 100*x)
	if s == "-0.0 %" || s == "+0.0 %" {
		return "0.0 %"
	}
	return s
}

// number writes a counter with the digits that matter.
func number(x float64) string {
	digits := 0
	switch {
	case x == math.Trunc(x) || x >= 10000:
	case x >= 1:
		digits = 2
	case x > 0 && x < 0.001:
		return strconv.FormatFloat(x, 'g', 2, 64)
	default:
		digits = 4
	}
	return strconv.FormatFloat(x, 'f', digits, 64)
}
