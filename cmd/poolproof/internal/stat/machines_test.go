package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// recordedOn measures a world on a machine of a kind, as a shard.
func recordedOn(t *testing.T, w world, cpu string, index, of, seed int) study.Recorded {
	t.Helper()
	p := withoutLayout(testPlan())
	p.Machine.CPU, p.Shard = cpu, &study.Shard{Index: index, Of: of, Host: "host"}
	var rs []study.Record
	for {
		res := judgeC(t, p, rs)
		if res.Want == nil {
			return study.Recorded{Dir: fmt.Sprint("d", index), Plan: p, Records: rs}
		}
		r := w.record(p, "c", res.Want.Form, res.Want.Layout, res.Want.Launch+1e6*seed)
		r.Launch = res.Want.Launch
		rs = append(rs, r)
	}
}

// costing is a world whose candidate takes so much time.
func costing(candidate float64) world {
	w := plainWorld()
	w.op[1], w.noise, w.launch = candidate, 0.01, 0.002
	return w
}

func TestMachinesAreALevel(t *testing.T) {
	type machine struct {
		candidate float64
		cpu       string
	}
	repeat := func(n int, m ...machine) (list []machine) {
		for range n {
			list = append(list, m...)
		}
		return list
	}
	for _, tt := range []struct {
		name     string
		machines []machine
		want     study.Verdict
	}{
		{"two that agree", repeat(2, machine{1100, "a"}), study.Negative},
		{"two of different kinds that agree", []machine{{1100, "a"}, {1120, "b"}}, study.Negative},
		{"two kinds that disagree", []machine{{1100, "a"}, {1000, "b"}}, study.DiffersByMachine},
		{"two kinds that are opposite", []machine{{1100, "a"}, {900, "b"}}, study.DiffersByMachine},
		{"two of a kind that disagree", []machine{{1100, "a"}, {1000, "a"}}, study.DiffersByMachine},
		{"one decides, the other cannot", []machine{{1100, "a"}, {1020, "a"}}, study.Inconclusive},
		{"four of a kind", repeat(4, machine{1100, "a"}), study.Negative},
		{"four of a kind that spread", []machine{{1100, "a"}, {1000, "a"}, {1200, "a"}, {900, "a"}}, study.Inconclusive},
		{"five kinds' worth of one, one of another", append(repeat(4, machine{1000, "a"}), machine{1100, "b"}), study.DiffersByMachine},
		{"three kinds, of which two disagree", []machine{{1000, "a"}, {1100, "b"}, {1000, "c"}}, study.DiffersByMachine},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var runs []study.Recorded
			for i, m := range tt.machines {
				runs = append(runs, recordedOn(t, costing(m.candidate), m.cpu, i+1, len(tt.machines), i))
			}
			v, err := JudgeMachines(runs)
			if err != nil {
				t.Fatal(err)
			}
			r := v.Results[0]
			if r.Verdict != tt.want || len(r.Machines) != len(runs) || r.Want != nil {
				t.Errorf("%s of %+v", r.Verdict, r.Machines)
			}
			if r.Verdict == study.DiffersByMachine && r.Timed() {
				t.Error("machines that disagree have an average")
			}
			launches := 0
			for _, x := range runs {
				launches += len(x.Records)
			}
			if r.Launches != launches || v.Launches != launches {
				t.Errorf("%d and %d launches of %d", r.Launches, v.Launches, launches)
			}
		})
	}
}

// TestManyMachinesNeedConfirmation has machines that together differ, but of which too few have
// shown it alone, and machines whose counts are not the same.
func TestManyMachinesNeedConfirmation(t *testing.T) {
	ms := func(times ...study.Class) (list []machineResult) {
		for i, c := range times {
			r := study.Result{Verdict: study.Inconclusive, Time: c, Memory: study.Same, Launches: 4}
			r.Deciding = study.Estimate{Effect: 0.1 + 0.001*float64(i), Launches: 4}
			list = append(list, machineResult{Result: r, cpu: "a"})
		}
		return list
	}
	w, u := study.Worse, study.Unresolved
	for name, tt := range map[string]struct {
		list []machineResult
		want study.Verdict
	}{
		"half have shown it":       {ms(w, w, u, u), study.Negative},
		"one of four has shown it": {ms(w, u, u, u), study.Inconclusive},
		"one has shown otherwise":  {ms(w, w, w, study.Better), study.Inconclusive},
	} {
		if got := ofKind(DefaultRule(), tt.list); got.Verdict != tt.want {
			t.Errorf("%s: %s, %+v", name, got.Verdict, got.Reasons)
		}
	}
	list := ms(w, w, w, w)
	list[2].Memory = study.Better
	if got := ofKind(DefaultRule(), list); got.Memory != study.Unresolved {
		t.Errorf("machines that count otherwise: memory %s", got.Memory)
	}
}

// TestOneMachineIsJudgedAsEver has the same result alone and as the only shard.
func TestOneMachineIsJudgedAsEver(t *testing.T) {
	run := recordedOn(t, costing(1100), "a", 1, 1, 0)
	v, err := JudgeMachines([]study.Recorded{run})
	if err != nil {
		t.Fatal(err)
	}
	alone := judgeC(t, run.Plan, run.Records)
	if got := v.Results[0]; got.Verdict != alone.Verdict || got.Deciding != alone.Deciding {
		t.Errorf("%s %+v, alone %s %+v", got.Verdict, got.Deciding, alone.Verdict, alone.Deciding)
	}
}

// TestMachinesOfAProgramAgainstItself draws machines that each have a luck of their own, as
// by their memory layout.
func TestMachinesOfAProgramAgainstItself(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	const runs = 60
	wrong := 0
	for run := range runs {
		var list []study.Recorded
		for i := range 8 {
			list = append(list, recordedOn(t, costing(1000*math.Exp(0.01*rng.NormFloat64())), "a", i+1, 8, 10*run+i))
		}
		v, err := JudgeMachines(list)
		if err != nil {
			t.Fatal(err)
		}
		if r := v.Results[0]; r.Verdict != study.NoChange && r.Verdict != study.Inconclusive {
			wrong++
		}
	}
	if wrong > 3 {
		t.Errorf("%d of %d are called different", wrong, runs)
	}
}

func TestShardsThatCannotBePutTogether(t *testing.T) {
	a, b := recordedOn(t, costing(1000), "a", 1, 2, 0), recordedOn(t, costing(1000), "a", 2, 2, 1)
	for name, tt := range map[string]struct {
		edit func(*study.Recorded)
		want string
	}{
		"another toolchain": {func(r *study.Recorded) { r.Plan.Toolchain = "go1.25.1 linux/amd64" }, `d1 and d2 are of different plans: the toolchain is "go1.26.8 linux/amd64" and "go1.25.1 linux/amd64"`},
		"another number":    {func(r *study.Recorded) { r.Plan.Shard = &study.Shard{Index: 2, Of: 3} }, `the number of shards is "2" and "3"`},
		"other comparisons": {func(r *study.Recorded) {
			r.Plan.Comparisons = append([]study.Comparison{{ID: "d"}}, r.Plan.Comparisons...)
		}, `the comparisons is "c" and "d, c"`},
		"another binary":        {func(r *study.Recorded) { r.Plan.Binaries = []study.Binary{{ID: "test", SHA256: "2"}} }, "different plans"},
		"another rule":          {func(r *study.Recorded) { r.Plan.Rule.Band = 0.3 }, "different plans: the rule or the settings"},
		"the same shard, other": {func(r *study.Recorded) { r.Plan.Shard = &study.Shard{Index: 1, Of: 2} }, "d1 and d2 are both shard 1/2, and differ"},
		"a launch is missing":   {func(r *study.Recorded) { r.Records = r.Records[1:] }, "d2: comparison \"c\", launch 0 of form \"bursts\" is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			c := b
			c.Plan.Comparisons = append([]study.Comparison(nil), b.Plan.Comparisons...)
			tt.edit(&c)
			if _, err := JudgeMachines([]study.Recorded{a, c}); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %s", err, tt.want)
			}
		})
	}
	if v, err := JudgeMachines([]study.Recorded{a, a, b}); err != nil || len(v.Results[0].Machines) != 2 {
		t.Errorf("the same shard twice: %v, %+v", err, v.Results)
	}
}
