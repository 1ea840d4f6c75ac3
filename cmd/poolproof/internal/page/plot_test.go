package page

import (
	"math"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

func TestAllIntervalsAreDrawnOnOneScale(t *testing.T) {
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 0.11 {
			t.Errorf("%s is drawn at %v %%, want %v", what, got, want)
		}
	}
	with := func(effect, lo, hi float64) words.Row {
		r := words.Row{Result: study.Result{Verdict: study.Positive, Launches: 4, Estimator: study.Estimator{Kind: study.Mutator, Clock: study.Wall}}}
		r.Deciding = study.Estimate{Effect: effect, Lo: lo, Hi: hi, Launches: 4}
		return r
	}
	small, large := with(-0.01, -0.02, 0.01), with(1, 0.9, 1.1)
	p := newPlot([]words.Row{small, large})
	at := func(effect float64) float64 { return 50 + 50*math.Log1p(effect)/(1.05*math.Log(2.1)) }
	for _, r := range []words.Row{small, large} {
		l := p.line(r, nil)
		near("mean", l.X, at(r.Deciding.Effect))
		near("from", l.From, at(r.Deciding.Lo))
		near("to", l.From+l.Width, at(r.Deciding.Hi))
		if l.Left || l.Right || l.MeanOff {
			t.Errorf("%+v is marked as off the scale", l)
		}
	}
	huge := with(300, 200, math.MaxFloat64)
	p = newPlot([]words.Row{small, huge})
	if l := p.line(huge, nil); !l.Right || l.Left || !l.MeanOff || l.From+l.Width > 100.5 {
		t.Errorf("an interval beyond the scale: %+v", l)
	}
	if l := p.line(small, nil); l.X > 50 || l.X < 49 {
		t.Errorf("the mean of the small one: %+v", l)
	}
	for _, tick := range p.ticks() {
		if tick.Text == "2x" {
			near("the line of 2x", tick.X, 50+50*math.Log(2)/math.Log(16))
		}
	}
}
