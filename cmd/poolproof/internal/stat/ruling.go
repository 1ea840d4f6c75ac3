package stat

import "github.com/poolproof/poolproof/cmd/poolproof/internal/study"

// ruling is the state of the judgement of time: the class, and the doubts about it.
type ruling struct {
	decision                // of the metric, by the looks
	metric   metric         // that decides
	time     study.Class    // decision.class, unless a guard took it back
	used     []*launch      // that the decision rests on
	bursts   []*launch      // of the main form, where used are stretches
	other    interval       // of the same kind on the other clock; n is 0 where there is none
	padded   interval       // over the padded builds so far, while more are wanted
	doubted  bool           // a guard took the class back
	guards   []study.Reason // why a class was taken back, or stands
	want     *study.Want    // the next launch, nil if none is needed
	missing  float64        // seconds that the guards still ask for
	hopeless bool           // more launches would not help
}

// doubt takes the class back.
func (r *ruling) doubt(why study.Reason) {
	r.time, r.doubted = study.Unresolved, true
	r.guards = append(r.guards, why)
}

// resolved tells whether a class says better, same or worse.
func resolved(c study.Class) bool { return c == study.Better || c == study.Same || c == study.Worse }
