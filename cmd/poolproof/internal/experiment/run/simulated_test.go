package run

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// benchmark is one of a simulated package.
type benchmark struct {
	effect   float64 // of the source, log ratio
	layout   float64 // standard deviation over layouts of either side, log
	launch   float64 // standard deviation of launches of one build, log
	burst    float64 // standard deviation of a burst of either side, log
	disturb  float64 // share of bursts that take half as long again
	threads  bool    // several, so that the sides share no processor
	allocate bool
	bytes    float64 // of the candidate, of 100
}

// What a launch takes beside its bursts: starting and ending two processes,
// calibrating with the question whether the work is that of one thread; and what a
// burst of a millisecond takes with what the server does around it. They are near what
// an idle machine with two processors takes.
const (
	starts    = 45 * time.Millisecond
	calibrate = 120 * time.Millisecond
	burstTime = 1150 * time.Microsecond
	linkTime  = 550 * time.Millisecond // of two builds at once, each
)

// simulation measures without a clock: launches of drawn figures, judged by the rule.
type simulation struct {
	*Run
	benchmarks []benchmark
	rng        *rand.Rand
	layouts    map[string]float64 // log effect of a build
	linked     time.Duration
	first      time.Duration // when the first verdict fell, builds counted
}

// packageOf is a package that changed in some places: half of its benchmarks run the same
// code as before, laid out in another way.
func packageOf(n int, rng *rand.Rand) (all []benchmark) {
	for i := range n {
		b := benchmark{
			layout: []float64{0.002, 0.005, 0.01, 0.03}[i%4], launch: []float64{0.002, 0.003, 0.006}[i%3],
			burst: []float64{0.01, 0.02, 0.04, 0.08}[i/2%4], disturb: 0.02, allocate: i%3 > 0, threads: i%13 == 0, bytes: 100,
		}
		switch i % 8 {
		case 1:
			b.effect = 0.05 * rng.NormFloat64()
		case 3:
			b.effect = 0.3 * rng.NormFloat64()
		case 5:
			b.effect = 0.02 * rng.NormFloat64()
		case 7:
			b.effect = 0.1 * rng.NormFloat64()
			b.bytes = 80
		}
		if b.threads {
			b.launch *= 4
		}
		all = append(all, b)
	}
	return all
}

func simulated(t *testing.T, n int, budget time.Duration, seed uint64) *simulation {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 31))
	p := planOf(namesUpTo(n)...)
	p.Kind, p.Toolchain = study.KindBase, "go1.26.8 linux/amd64"
	p.Binaries = append(p.Binaries, study.Binary{ID: "base", SHA256: "bb"})
	for i := range p.Comparisons {
		p.Comparisons[i].BaselineBench.Binary = "base"
	}
	s := &simulation{Run: fakeRun(t, p, budget), benchmarks: packageOf(n, rng), rng: rng, layouts: map[string]float64{}}
	s.bs.Targets = []*build.Target{{ID: "test"}, {ID: "base"}}
	s.launchOne = s.simulate
	return s
}

// simulate is launch in a world of its own.
func (s *simulation) simulate(_ context.Context, i int) error {
	c, want, b := s.Plan.Comparisons[i], *s.Results[i].Want, s.benchmarks[i]
	if jobs := s.missing(i); len(jobs) > 0 {
		for _, j := range jobs {
			s.built[j.id()] = true
		}
		s.linked += time.Duration(len(jobs)) * linkTime
		s.linkTime = linkTime
	}
	shape := s.shapeOf(i)
	took, soak := starts, 0
	if shape == nil {
		pairs := s.Plan.Rule.PairsQuiet
		if b.allocate {
			pairs = s.Plan.Rule.Pairs
		}
		pair := 2 * burstTime
		soak = min(int(2*time.Duration(s.Plan.Rule.Soak)/pair), max(1, int(s.limit()/pair)))
		shape = &duet.Shape{N: [2]int{1000, 1000}, Pairs: pairs, Soak: soak, WarmUp: s.Plan.Rule.WarmUp, OneThread: !b.threads}
		if want.Form == study.FormStretch {
			shape = &duet.Shape{N: [2]int{1000, 1000}, Pairs: int(time.Duration(s.Plan.Rule.Stretch) / burstTime)}
			took += time.Duration(s.Plan.Rule.Head)
		}
		s.shapes[shapeKey(c.ID, want.Form)] = *shape
		took += calibrate
	}
	pairs := max(shape.Pairs, soak)
	rec := study.Record{
		Schema: study.Schema, Plan: s.digest, Comparison: c.ID, Form: want.Form, Layout: want.Layout, Launch: want.Launch, Status: study.StatusOK,
		Go: "go1.26.8", N: shape.N[0], CandidateFirst: make([]bool, pairs),
	}
	key := fmt.Sprint(c.ID, want.Layout)
	if _, known := s.layouts[key]; !known {
		s.layouts[key] = b.layout * (s.rng.NormFloat64() - s.rng.NormFloat64())
	}
	times := rec.N / 1000 // bursts of many operations take longer
	ratio := b.effect + s.layouts[key] + b.launch*s.rng.NormFloat64()
	for _, side := range study.Sides {
		for range pairs {
			rec.Columns(side).Append(s.burst(b, side, ratio, times))
		}
		if soak > 0 {
			rec.Pairs = shape.Pairs
			for range 4 {
				rec.Columns(side).Manifold = append(rec.Columns(side).Manifold, s.burst(b, side, ratio, study.Manifold).Wall)
			}
			took += 4 * study.Manifold * burstTime
		}
	}
	warm := shape.WarmUp
	if soak > 0 && shape.OneThread {
		warm = 4
	}
	took += time.Duration(2*(warm+pairs)*times) * burstTime
	rec.Seconds = took.Seconds()
	s.Records = append(s.Records, rec)
	s.took(rec)
	if err := s.judge(i); err != nil {
		return err
	}
	if s.first == 0 && s.Results[i].Want == nil {
		s.first = s.spent + s.linked
	}
	return nil
}

func (s *simulation) burst(b benchmark, side study.Side, ratio float64, times int) study.Burst {
	ns, bytes, allocs := 1e6*float64(times)*math.Exp(b.burst/math.Sqrt(float64(times))*s.rng.NormFloat64()), 100.0, uint64(0)
	if s.rng.Float64() < b.disturb {
		ns *= 1.5
	}
	if side == study.Candidate {
		ns *= math.Exp(ratio)
		bytes = b.bytes
	}
	if b.allocate {
		allocs = uint64(1000 * times)
	} else {
		bytes = 0
	}
	return study.Burst{Seen: study.SeenInside, Wall: int64(ns), CPU: int64(ns), Allocs: allocs, Bytes: uint64(1000 * float64(times) * bytes)}
}

// verdicts counts what was decided, and what of it falsely: a difference of time against
// the sign of the source's effect, or where that is within half of the band.
func (s *simulation) verdicts() (decided, wrong int) {
	for i, r := range s.Results {
		effect, half := s.benchmarks[i].effect, s.Plan.Rule.Band/2
		if r.Verdict.Decided() {
			decided++
		}
		if r.Time == study.Worse && effect < half || r.Time == study.Better && effect > -half {
			wrong++
		}
	}
	return decided, wrong
}

// What 180 s decide of 65 benchmarks, without a clock, in ten packages: 394 of 650 where a first
// launch took twice its share of the budget.
func TestABudgetOfASimulatedPackage(t *testing.T) {
	all := 0
	for seed := uint64(1); seed <= 10; seed++ {
		s := simulated(t, 65, 180*time.Second, seed)
		if err := s.Measure(t.Context()); err != nil {
			t.Fatal(err)
		}
		decided, wrong := s.verdicts()
		all += decided
		t.Logf("%d of %d decided, %d falsely, by %d launches in %.1f s; %.1f s of linking; the first verdict after %.1f s",
			decided, len(s.Results), wrong, len(s.Records), s.spent.Seconds(), s.linked.Seconds(), s.first.Seconds())
		if wrong > 0 || s.spent > s.o.Budget+time.Second {
			t.Errorf("seed %d: %d false verdicts, %s spent", seed, wrong, s.spent)
		}
	}
	if all < 410 {
		t.Errorf("%d decided: that is worse than it was", all)
	}
}
