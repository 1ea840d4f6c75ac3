package stat

import (
	"math"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// explain orders the reasons, the most important first: what decided the
// verdict, the other half, then what was doubted or confirmed.
func (t *trial) explain(r ruling, against *study.Reason) {
	say := func(reasons ...study.Reason) { t.res.Reasons = append(t.res.Reasons, reasons...) }
	time, figures := t.timeReason(r), t.figureReasons()
	memory := study.Reason{Code: study.ReasonMemory}
	moved := r.time == study.Better || r.time == study.Worse
	decidedByMemory := !moved && (t.res.Verdict == study.Positive || t.res.Verdict == study.Negative || t.res.Verdict == study.TradeOff)
	if against != nil {
		say(*against)
	}
	switch {
	case decidedByMemory && t.res.Memory == study.Same:
		say(figures...)
		say(memory, time)
	case decidedByMemory:
		memory.Alone = t.res.Verdict == study.Positive
		say(memory)
		say(figures...)
		say(time)
	default:
		if resolved(r.time) && t.res.Verdict == study.Inconclusive { // a figure left it open
			say(figures...)
			figures = nil
		}
		if r.doubted && len(r.guards) > 0 { // taken back: the reason first
			last := len(r.guards) - 1
			say(r.guards[last])
			r.guards = r.guards[:last]
		}
		say(time, memory)
		say(figures...)
	}
	say(r.guards...)
	if t.e.c.Isolated {
		say(study.Reason{Code: study.ReasonIsolated})
	}
}

func (t *trial) timeReason(r ruling) study.Reason {
	if t.res.Deciding.Launches == 0 {
		return study.Reason{Code: study.ReasonClockTooCoarse}
	}
	e := t.res.Deciding
	why := study.Reason{Code: study.ReasonTime, Class: r.class, Estimator: t.res.Estimator, Estimate: &e, Share: math.Expm1(t.e.rule.Band)}
	if first := t.e.looks()[0]; r.n < first {
		why.Count = first
	}
	return why
}

// figureReasons names each figure that has a say.
func (t *trial) figureReasons() (list []study.Reason) {
	for _, f := range t.res.Metrics {
		if f.Decides {
			list = append(list, study.Reason{Code: study.ReasonMetric, Unit: f.Unit})
		}
	}
	return list
}

// effect is an interval of log ratios as relative changes, without a class.
func effect(iv interval) *study.Estimate {
	e := estimate(decision{interval: iv}, math.NaN())
	return &e
}
