package page

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// plot is the scale that all rows of a forest plot share: log ratios from -most
// to +most.
type plot struct{ most float64 }

// The scale is wide enough for 5 % at least, and not wider than a factor of 16:
// an effect beyond that is marked, and leaves the others a place.
const (
	leastScale = 0.05
	mostScale  = 16.0
)

// newPlot makes the scale that holds all intervals, as far as a scale goes.
func newPlot(rs []words.Row) plot {
	p := plot{math.Log1p(leastScale)}
	for _, r := range rs {
		if r.Timed() {
			p.most = max(p.most, 1.05*size(r.Deciding.Lo), 1.05*size(r.Deciding.Hi))
		}
	}
	p.most = min(p.most, math.Log(mostScale))
	return p
}

// at is the place of a relative change, in percent of the plot, held inside.
func (p plot) at(effect float64) float64 {
	return math.Round(10*(50+50*max(-1, min(1, logOf(effect)/p.most)))) / 10
}

func (p plot) beyond(effect float64) bool { return size(effect) > p.most*(1+1e-9) }

// words say what the scale spans.
func (p plot) words() string {
	return fmt.Sprintf("from %s %% to %s %%, logarithmic", words.Percent(math.Expm1(-p.most)), words.Percent(math.Expm1(p.most)))
}

// tick is one line of the scale.
type tick struct {
	X           float64
	Text        string
	Zero, Minor bool // Minor: left out where there is little room
}

// ticks are round changes that lie apart.
func (p plot) ticks() []tick {
	list := []tick{{X: 50, Text: "0", Zero: true}}
	for _, ratio := range []float64{16, 8, 4, 2, 1.5, 1.25, 1.1, 1.05, 1.02} { // coarse ones first
		for _, x := range []float64{ratio, 1 / ratio} {
			t := tick{X: p.at(x - 1), Text: tickText(x)}
			near := func(o tick) bool { return math.Abs(o.X-t.X) < 9 }
			if p.beyond(x-1) || t.X < 3 || t.X > 97 || slices.ContainsFunc(list, near) {
				continue
			}
			t.Minor = slices.ContainsFunc(list, func(o tick) bool { return math.Abs(o.X-t.X) < 18 })
			list = append(list, t)
		}
	}
	slices.SortFunc(list, func(a, b tick) int { return int(math.Copysign(1, a.X-b.X)) })
	return list
}

// tickText names a ratio as a change in percent, or as a multiple from 2 on.
func tickText(ratio float64) string {
	switch {
	case ratio >= 2:
		return fmt.Sprintf("%.0fx", ratio)
	case ratio <= 0.5:
		return fmt.Sprintf("1/%.0f", 1/ratio)
	}
	return fmt.Sprintf("%+.0f %%", 100*(ratio-1))
}

// line draws one comparison.
func (p plot) line(r words.Row, records []study.Record) line {
	l := line{Arm: r.Arm, Cell: r.CellName(), Verdict: string(r.Verdict), Kind: kind(r.Verdict), Effect: r.Change()}
	if r.Arm != r.Baseline {
		l.Baseline = r.Baseline
	}
	if perOp := r.PerOp(); perOp != words.Dash {
		l.PerOp = perOp
	}
	if r.Timed() {
		l.Drawn = true
		l.X, l.From = p.at(r.Deciding.Effect), p.at(r.Deciding.Lo)
		l.Width = max(0.3, math.Round(10*(p.at(r.Deciding.Hi)-l.From))/10)
		l.Left = p.beyond(r.Deciding.Lo) && r.Deciding.Lo < 0
		l.Right = p.beyond(r.Deciding.Hi) && r.Deciding.Hi > 0
		l.MeanOff = p.beyond(r.Deciding.Effect)
		l.Launches = p.launches(r, records)
	}
	for _, why := range words.Reasons(r.Result) {
		l.Why = append(l.Why, words.Clauses([]string{why}))
	}
	if need := r.Need(); need != "" {
		l.Why = append(l.Why, need)
	}
	l.Facts = facts(r)
	if r.Verdict == study.Invalid {
		l.Lines = strings.Join(r.Plan.Escape, "\n")
	}
	return l
}

// facts are the figures of a comparison.
func facts(r words.Row) []fact {
	var list []fact
	add := func(name, value string) {
		if value != words.Dash && value != "" {
			list = append(list, fact{name, value})
		}
	}
	add("time/op", r.PerOp())
	add("decided by", r.Estimator.String())
	add("wall", r.TimeBy(study.Wall))
	add("cpu", r.TimeBy(study.CPU))
	add("between collections", r.Between())
	add("B/op", r.BytesPerOp()+r.Changed(r.Bytes))
	add("allocs/op", r.AllocsPerOp()+r.Changed(r.Allocs))
	if r.Timed() {
		add("launches", fmt.Sprint(r.Launches))
		add("measured for", words.Duration(r.Spent))
	}
	for _, m := range r.Metrics {
		add(m.Unit, words.MetricSentence(m))
	}
	return list
}

// launches draws what the deciding estimate is made of, at most mostLaunches.
func (p plot) launches(r words.Row, records []study.Record) []launchLine {
	const mostLaunches = 24
	var list []launchLine
	for i, t := range r.Times {
		if i == mostLaunches {
			break
		}
		sides := t.Wall
		if r.Estimator.Clock == study.CPU {
			sides = t.CPU
		}
		if !(sides[0] > 0) || !(sides[1] > 0) {
			continue
		}
		effect := sides[1]/sides[0] - 1
		l := launchLine{Name: fmt.Sprintf("launch %d", t.Launch+1), Text: fmt.Sprintf("%s %%, %s", words.Percent(effect), words.Times(sides[0], sides[1])), X: p.at(effect)}
		for _, rec := range records {
			if rec.Comparison == r.Comparison && rec.Form == t.Form && rec.Layout == t.Layout && rec.Launch == t.Launch && rec.Status == study.StatusOK {
				l.Bursts = p.bursts(rec, r.Estimator.Clock)
			}
		}
		list = append(list, l)
	}
	return list
}

// bursts are the places of the pairs of a launch.
func (p plot) bursts(rec study.Record, clock study.Clock) []float64 {
	const mostBursts = 60
	baseline, candidate := rec.Baseline.Wall, rec.Candidate.Wall
	if clock == study.CPU {
		baseline, candidate = rec.Baseline.CPU, rec.Candidate.CPU
	}
	var list []float64
	for i := range min(len(baseline), len(candidate), mostBursts) {
		if baseline[i] > 0 && candidate[i] > 0 {
			list = append(list, p.at(float64(candidate[i])/float64(baseline[i])-1))
		}
	}
	return list
}

func logOf(effect float64) float64 { return math.Log1p(max(effect, -0.999999)) }

func size(effect float64) float64 { return math.Abs(logOf(effect)) }

// line is one comparison.
type line struct {
	Arm, Baseline, Cell, Verdict, Kind, Effect string
	PerOp                                      string  // time per operation on both sides, "" if there is none to show
	Drawn, Left, Right, MeanOff                bool    // Left, Right: the interval goes on beyond the scale
	X, From, Width                             float64 // of the mean and the interval, in percent of the plot
	Why                                        []string
	Facts                                      []fact
	Launches                                   []launchLine
	Lines                                      string // the compiler's
}

type fact struct{ Name, Value string }

// launchLine is one launch: its pairs of bursts and itself on the plot's scale.
type launchLine struct {
	Name, Text string
	X          float64
	Bursts     []float64
}

// kind is the class of a verdict in the page's style.
func kind(v study.Verdict) string {
	return strings.ToLower(strings.NewReplacer(" ", "", "-", "").Replace(string(v)))
}
