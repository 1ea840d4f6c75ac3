package stat

import (
	"math"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// T on the wall clock charges a collection for what it adds to the bursts in
// which it runs. What it does after a burst, while the process waits for it to
// end, is on no wall clock. Usually the phase of collections is spread over the
// bursts and little is lost. But where a burst allocates a whole fraction of
// what lies between two collections, each collection of each launch may begin
// as a burst ends; then all launches agree on a total that has not been paid.

// unpaidShare is the part of a side's collections that fell after its bursts
// above which the reader is told.
const unpaidShare = 0.75

// unpaid says that most of what the collections of a side cost fell after its
// bursts, and what T would be with it. It decides nothing.
func (e *evidence) unpaid(r ruling) []study.Reason {
	if r.metric != tWall || r.time != r.class || r.time == study.Unresolved {
		return nil
	}
	after := make([]float64, len(r.used))
	var shares [2]float64
	for i, l := range r.used {
		ps := withDrain(l.rec)
		if ps == nil {
			return nil
		}
		after[i] = totalOf(ps)(ps)
		for side := range shares {
			shares[side] += afterBursts(l.rec, study.Sides[side]) / float64(len(r.used))
		}
	}
	side := study.Baseline
	if shares[1] > shares[0] {
		side = study.Candidate
	}
	share, with := shares[side], mean(after)
	if !(share > unpaidShare) || math.IsNaN(with) || math.Abs(with-r.mean) <= e.rule.Band {
		return nil
	}
	return []study.Reason{{Code: study.ReasonUnpaid, Side: side.String(), Share: share, Estimator: r.metric.estimator(), Bound: math.Expm1(with)}}
}

// withDrain reads a launch on the wall clock as if the program had had to wait
// for what its collections did after a burst; nil if that was not measured.
func withDrain(r *study.Record) []pair {
	ps := pairsOf(r, wall)
	for side := range 2 {
		if !addDrain(ps, r, side, 1) {
			return nil
		}
	}
	return ps
}

// addDrain adds a share of what a side waited after its bursts; false if that was not measured.
func addDrain(ps []pair, r *study.Record, side int, share float64) bool {
	c, n := r.Columns(study.Sides[side]), float64(r.Ops(study.Sides[side]))
	if len(c.DrainW) != len(ps) {
		return false
	}
	for i, ns := range c.DrainW {
		ps[i].total[side] += share * float64(ns) / n
	}
	return true
}

// afterBursts is the part of what a side's collections cost that fell after its
// bursts, 0 to 1: the CPU time of the drains beside what the bursts with a
// collection took longer than the typical one without. 0 where there is no
// burst of either kind.
func afterBursts(r *study.Record, side study.Side) float64 {
	c := r.Columns(side)
	var quiet, touched []float64
	drain := 0.0
	for i, ns := range c.Wall {
		if i < len(c.GCs) && c.GCs[i] > 0 {
			touched = append(touched, float64(ns))
			drain += float64(c.Drain[i])
		} else {
			quiet = append(quiet, float64(ns))
		}
	}
	if len(quiet) == 0 || len(touched) == 0 {
		return 0
	}
	inside := max(0, (mean(touched)-median(quiet))*float64(len(touched)))
	if drain+inside == 0 {
		return 0
	}
	return drain / (drain + inside)
}
