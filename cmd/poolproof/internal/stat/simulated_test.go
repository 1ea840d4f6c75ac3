package stat

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

var update = flag.Bool("update", false, "write testdata/simulated.json again, with many runs")

// simulation is testdata/simulated.json: how often the rule is right on
// launches of known truth. Pairs of bursts differ by noise that is normal with
// 2 % in 85 of 100 pairs and with 10 % in the others; Serial is the
// correlation of neighbours; a launch adds an effect of its own. All shares
// are of Runs.
type simulation struct {
	Noise      string         `json:"noise"`
	Runs       int            `json:"runs"`        // of Rules and Coverage
	SpreadRuns int            `json:"spread_runs"` // of Spread
	Rules      []ruleCell     `json:"rules"`
	Coverage   []coverageCell `json:"coverage"`
	Spread     []spreadCell   `json:"spread"`
}

// conditions are the parameters that a cell is drawn with.
type conditions struct {
	Pairs    int     `json:"pairs"`
	Effect   float64 `json:"effect"`    // true log ratio
	LaunchSD float64 `json:"launch_sd"` // of the launch's own effect
	Serial   float64 `json:"serial"`
	Modes    float64 `json:"modes,omitempty"` // added to each third launch or so
}

// ruleCell is the sequential rule on one truth.
type ruleCell struct {
	Rule string `json:"rule"`
	conditions
	Better     float64 `json:"better"`
	Same       float64 `json:"same"`
	Worse      float64 `json:"worse"`
	NotWorse   float64 `json:"not_worse"`
	Unresolved float64 `json:"unresolved"`
	Launches   float64 `json:"launches"`     // mean number at the end
	OffZero    float64 `json:"crosses_zero"` // some look's interval excluded zero, whatever the band
}

// coverageCell is one interval after a fixed number of launches, at 95 %.
type coverageCell struct {
	Launches int `json:"launches"`
	conditions
	Covered float64 `json:"covered"`
	Half    float64 `json:"half_width"` // mean, log ratio
}

// spreadCell is the check of launches against their slices.
type spreadCell struct {
	conditions
	SE      float64   `json:"within_se"` // mean
	Factor  []float64 `json:"factor"`    // launches vary three times as much as their bursts explain, after 4, 5, ... 12
	Decided float64   `json:"decided"`   // the rule decided
	Doubted float64   `json:"doubted"`   // and was doubted
}

// draw makes one launch.
func (c conditions) draw(rng *rand.Rand) []pair {
	shift := c.Effect + c.LaunchSD*rng.NormFloat64()
	if c.Modes != 0 && rng.IntN(3) == 0 {
		shift += c.Modes
	}
	ps := make([]pair, c.Pairs)
	e := 0.0
	for i := range ps {
		sd := 0.02
		if rng.Float64() < 0.15 {
			sd = 0.10
		}
		z := sd * rng.NormFloat64()
		if i == 0 {
			e = z
		} else {
			e = c.Serial*e + math.Sqrt(1-c.Serial*c.Serial)*z
		}
		ps[i] = pair{window: [2]float64{1e6, 1e6 * math.Exp(shift+e)}}
	}
	return ps
}

func (c conditions) units(rng *rand.Rand, n int) []float64 {
	us := make([]float64, n)
	for i := range us {
		us[i] = mutator(c.draw(rng))
	}
	return us
}

var simulatedRules = []struct {
	name string
	rule study.Rule
}{
	{"to 12 launches", upTo(12)},
	{"to 60 launches", upTo(60)},
}

// upTo is the rule in a budget for so many launches.
func upTo(most int) study.Rule {
	r := DefaultRule()
	for i, n := range r.Looks {
		if n > most {
			r.Looks = r.Looks[:i]
			break
		}
	}
	return r
}

// simulate is deterministic: each cell has a seed of its own, and fewer runs
// are the first of many.
func simulate(runs, spreadRuns int) simulation {
	s := simulation{Noise: "85 % N(0, 2 %) + 15 % N(0, 10 %)", Runs: runs, SpreadRuns: spreadRuns}
	seed := uint64(0)
	next := func() *rand.Rand { seed++; return rand.New(rand.NewPCG(seed, 99)) }
	for _, r := range simulatedRules {
		for _, serial := range []float64{0, 0.3} {
			for _, sd := range []float64{0, 0.005} {
				for _, percent := range []float64{0, 1, 2, 3, 5} {
					c := conditions{Pairs: 16, Effect: math.Log1p(percent / 100), LaunchSD: sd, Serial: serial}
					s.Rules = append(s.Rules, simulateRule(r.name, r.rule, c, runs, next()))
				}
			}
		}
	}
	for _, serial := range []float64{0, 0.3} {
		for _, sd := range []float64{0, 0.005} {
			for _, n := range []int{3, 4, 8, 12} {
				s.Coverage = append(s.Coverage, simulateCoverage(n, conditions{Pairs: 16, LaunchSD: sd, Serial: serial}, runs, next()))
			}
		}
	}
	for _, serial := range []float64{0, 0.3} {
		for _, sd := range []float64{0, 0.005, 0.010} {
			s.Spread = append(s.Spread, simulateSpread(conditions{Pairs: 200, Effect: math.Log(1.03), LaunchSD: sd, Serial: serial}, spreadRuns, next()))
		}
	}
	s.Spread = append(s.Spread, simulateSpread(conditions{Pairs: 200, Effect: math.Log(1.01), Modes: math.Log(1.06)}, spreadRuns, next()))
	return s
}

func simulateRule(name string, r study.Rule, c conditions, runs int, rng *rand.Rand) ruleCell {
	cell := ruleCell{Rule: name, conditions: c}
	count := map[study.Class]float64{}
	for range runs {
		us := c.units(rng, r.Looks[len(r.Looks)-1])
		tr := &trial{e: &evidence{rule: r}}
		d := replay(r.Looks, len(us), r.Band, func(n int) interval { return over(us[:n], tr.e.alpha(n)) })
		count[d.class] += 1 / float64(runs)
		cell.Launches += float64(d.n) / float64(runs)
		for _, n := range r.Looks {
			if iv := over(us[:n], tr.e.alpha(n)); iv.lo > 0 || iv.hi < 0 {
				cell.OffZero += 1 / float64(runs)
				break
			}
		}
	}
	cell.Better, cell.Same, cell.Worse = count[study.Better], count[study.Same], count[study.Worse]
	cell.NotWorse, cell.Unresolved = count[study.NotWorse], count[study.Unresolved]
	return cell
}

func simulateCoverage(n int, c conditions, runs int, rng *rand.Rand) coverageCell {
	cell := coverageCell{Launches: n, conditions: c}
	for range runs {
		iv := over(c.units(rng, n), 0.05)
		if iv.lo <= c.Effect && c.Effect <= iv.hi {
			cell.Covered += 1 / float64(runs)
		}
		cell.Half += iv.half() / float64(runs)
	}
	return cell
}

func simulateSpread(c conditions, runs int, rng *rand.Rand) spreadCell {
	r := upTo(12)
	cell := spreadCell{conditions: c, Factor: make([]float64, len(r.Looks))}
	one := 1 / float64(runs)
	for range runs {
		ls := make([]*launch, r.Looks[len(r.Looks)-1])
		for i := range ls {
			ps := c.draw(rng)
			ls[i] = &launch{}
			ls[i].known[mWall], ls[i].value[mWall], ls[i].se[mWall] = true, mutator(ps), jackknife(ps, mutator)
		}
		cell.SE += one * withinSE(ls, mWall)
		for i, n := range r.Looks {
			if deviation(values(ls[:n], mWall)) > spreadFactor*withinSE(ls[:n], mWall) {
				cell.Factor[i] += one
			}
		}
		d := replay(r.Looks, len(ls), r.Band, func(n int) interval { return over(values(ls[:n], mWall), r.Alpha) })
		if d.decided == 0 {
			continue
		}
		cell.Decided += one
		rul := ruling{decision: d, metric: mWall, time: d.class, used: ls[:d.n]}
		(&trial{e: &evidence{rule: r}}).checkSpread(&rul)
		if rul.time == study.Unresolved {
			cell.Doubted += one
		}
	}
	return cell
}

const simulatedFile = "testdata/simulated.json"

// TestSimulatedErrorRatesAreThoseOfTheFile draws a part of the file's runs
// again. -update draws all of them and writes the file.
func TestSimulatedErrorRatesAreThoseOfTheFile(t *testing.T) {
	if *update {
		data, err := json.MarshalIndent(rounded(simulate(4000, 1000)), "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(simulatedFile, append(data, '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if testing.Short() {
		t.Skip("takes seconds")
	}
	var want simulation
	data, err := os.ReadFile(simulatedFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	runs, spreadRuns := 500, 50
	got := simulate(runs, spreadRuns)
	if len(got.Rules) != len(want.Rules) || len(got.Coverage) != len(want.Coverage) || len(got.Spread) != len(want.Spread) {
		t.Fatal("the file holds other cells")
	}
	// Four standard errors of a share, and one run for shares near 0 and 1.
	shares := func(what string, n int, got, want float64) {
		t.Helper()
		near(t, what, got, want, 4*math.Sqrt(want*(1-want)/float64(n))+1.5/float64(n))
	}
	for i, w := range want.Rules {
		g, name := got.Rules[i], fmt.Sprintf("rule %s, %+v: ", w.Rule, w.conditions)
		shares(name+"better", runs, g.Better, w.Better)
		shares(name+"same", runs, g.Same, w.Same)
		shares(name+"worse", runs, g.Worse, w.Worse)
		shares(name+"not worse", runs, g.NotWorse, w.NotWorse)
		shares(name+"unresolved", runs, g.Unresolved, w.Unresolved)
		shares(name+"off zero", runs, g.OffZero, w.OffZero)
		near(t, name+"launches", g.Launches, w.Launches, 0.15*w.Launches)
	}
	for i, w := range want.Coverage {
		g, name := got.Coverage[i], fmt.Sprintf("%d launches, %+v: ", w.Launches, w.conditions)
		shares(name+"covered", runs, g.Covered, w.Covered)
		near(t, name+"half-width", g.Half, w.Half, 0.1*w.Half)
	}
	for i, w := range want.Spread {
		g, name := got.Spread[i], fmt.Sprintf("spread, %+v: ", w.conditions)
		shares(name+"doubted", spreadRuns, g.Doubted, w.Doubted)
		shares(name+"decided", spreadRuns, g.Decided, w.Decided)
		near(t, name+"standard error", g.SE, w.SE, 0.05*w.SE)
		for j := range w.Factor {
			shares(name+"factor", spreadRuns, g.Factor[j], w.Factor[j])
		}
	}
}

// TestTheRuleKeepsItsPromises reads the rates that users are told from the
// file.
func TestTheRuleKeepsItsPromises(t *testing.T) {
	var s simulation
	data, err := os.ReadFile(simulatedFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	if s.Runs < 4000 {
		t.Fatalf("%d runs", s.Runs)
	}
	for _, c := range s.Rules {
		effect := math.Round(100 * math.Expm1(c.Effect))
		name := fmt.Sprintf("rule %s, %+v", c.Rule, c.conditions)
		atMost := func(what string, got, limit float64) {
			if got > limit {
				t.Errorf("%s: %s in %.4f of the runs, at most %.4f promised", name, what, got, limit)
			}
		}
		switch {
		case effect == 0:
			atMost("a direction", c.Better+c.Worse, 0.01)
			atMost("an interval off zero at some look", c.OffZero, 0.075)
		case effect == 1:
			atMost("worse", c.Worse, 0.04)
		case effect >= 3:
			atMost("same", c.Same, 0.01)
			atMost("no decision", c.Unresolved+c.NotWorse, 0.05)
		}
		if effect > 0 {
			atMost("better", c.Better, 0.001)
		}
	}
	for _, c := range s.Coverage {
		if c.Covered < 0.94 || c.Covered > 0.96 {
			t.Errorf("%d launches, %+v: %.3f of the 95 %% intervals hold the truth", c.Launches, c.conditions, c.Covered)
		}
	}
}

// rounded keeps the file short.
func rounded(s simulation) simulation {
	r := func(x *float64) { *x = math.Round(*x*1e5) / 1e5 }
	for i := range s.Rules {
		c := &s.Rules[i]
		for _, x := range []*float64{&c.Better, &c.Same, &c.Worse, &c.NotWorse, &c.Unresolved, &c.Launches, &c.OffZero} {
			r(x)
		}
	}
	for i := range s.Coverage {
		r(&s.Coverage[i].Covered)
		r(&s.Coverage[i].Half)
	}
	for i := range s.Spread {
		c := &s.Spread[i]
		r(&c.SE)
		r(&c.Decided)
		r(&c.Doubted)
		for j := range c.Factor {
			r(&c.Factor[j])
		}
	}
	return s
}
