package stat

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestWhichMetricDecides(t *testing.T) {
	garbage := func(w *world) { w.bytes[1] = 20 }
	for _, tt := range []struct {
		name string
		edit func(*world, *study.Plan)
		want string
	}{
		{"equal garbage", func(w *world, p *study.Plan) {}, "M wall"},
		{"other garbage", func(w *world, p *study.Plan) { garbage(w) }, "T wall"},
		{"other allocations of the same bytes", func(w *world, p *study.Plan) { w.allocs[1] = 1 }, "M wall"},
		{"parallel code", func(w *world, p *study.Plan) { w.cpu = [2]float64{3, 3} }, "M wall"},
		{"only the baseline is parallel", func(w *world, p *study.Plan) { w.cpu[0] = 1.4 }, "M wall"},
		{"only the arm is parallel", func(w *world, p *study.Plan) { w.cpu[1] = 1.4 }, "M wall"},
		{"code that sleeps on one side and is parallel on the other", func(w *world, p *study.Plan) { w.cpu = [2]float64{0.1, 3} }, "M wall"},
		{"code that sleeps beside neighbours", func(w *world, p *study.Plan) { garbage(w); w.cpu = [2]float64{0.2, 0.2}; w.foreign = 0.3 }, "T wall"},
		{"a little help from the runtime", func(w *world, p *study.Plan) { w.cpu = [2]float64{1.2, 1.2} }, "M wall"},
		{"parallel code with other garbage", func(w *world, p *study.Plan) { garbage(w); w.cpu = [2]float64{3, 3} }, "T wall"},
		{"neighbours", func(w *world, p *study.Plan) { garbage(w); w.foreign = 0.2 }, "T wall"},
		{"neighbours, equal garbage", func(w *world, p *study.Plan) { w.foreign = 0.2 }, "M cpu"},
		{"quiet neighbours", func(w *world, p *study.Plan) { w.foreign = 0.1 }, "M wall"},
		{"neighbours that nobody can see", func(w *world, p *study.Plan) { w.foreign = -1 }, "M wall"},
		{"neighbours, one side waits", func(w *world, p *study.Plan) { w.foreign = 0.2; w.cpu[1] = 0.95 }, "M wall"},
		{"neighbours, the other side waits", func(w *world, p *study.Plan) { w.foreign = 0.2; w.cpu[0] = 0.95 }, "M wall"},
		{"neighbours, windows so short that stopping the timer adds to them", func(w *world, p *study.Plan) { w.foreign = 0.2; w.cpu[0] = 1.1 }, "M wall"},
		{"wall is asked for", func(w *world, p *study.Plan) { p.Rule.Clock = "wall"; w.cpu = [2]float64{3, 3} }, "M wall"},
		{"wall is asked for, with neighbours", func(w *world, p *study.Plan) { p.Rule.Clock = "wall"; garbage(w); w.foreign = 0.9 }, "T wall"},
		{"CPU is asked for", func(w *world, p *study.Plan) { p.Rule.Clock = "cpu" }, "M cpu"},
		{"CPU is asked for, other garbage", func(w *world, p *study.Plan) { p.Rule.Clock = "cpu"; garbage(w) }, "T cpu"},
		{"CPU is asked for and was not measured", func(w *world, p *study.Plan) { p.Rule.Clock = "cpu"; w.noCPU = true }, "M wall"},
		{"whole processes have paid", func(w *world, p *study.Plan) {
			garbage(w)
			p.Engine = study.EnginePairs
			p.Rule.MinCycles = 20
			w.noCPU, w.noGC = true, true
		}, "M wall"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, w := withoutLayout(testPlan()), plainWorld()
			p.Rule.MinCycles = 0
			tt.edit(&w, &p)
			got := judgeC(t, p, w.launches(p, 4))
			if got.Estimator.String() != tt.want || got.Want != nil {
				t.Errorf("%s, want %s; %+v", got.Estimator, tt.want, got.Want)
			}
		})
	}
}

func TestWallAndCPUThatDisagreeAreATradeOff(t *testing.T) {
	for _, tt := range []struct {
		name   string
		op     float64 // wall of the arm
		cpu    float64 // CPU over wall of the arm
		cores  int
		metric string
		want   study.Verdict
	}{
		{"wall falls, CPU rises", 900, 1.25, 4, "wall", study.TradeOff},
		{"wall rises, CPU falls", 1100, 0.8, 4, "wall", study.TradeOff},
		{"wall falls, CPU stays", 900, 1 / 0.9, 4, "wall", study.Positive},
		{"wall falls, CPU rises, on one processor", 900, 1.25, 1, "wall", study.Positive},
		{"CPU decides and falls, wall rises", 1100, 0.8, 4, "cpu", study.TradeOff},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, w := withoutLayout(testPlan()), plainWorld()
			p.Rule.MinCycles, p.Machine.Cores, p.Rule.Clock = 0, tt.cores, tt.metric
			w.bytes[1], w.allocs[1] = 20, 1
			w.op[1], w.cpu[1] = tt.op, tt.cpu
			got := judgeC(t, p, w.launches(p, 4))
			if got.Verdict != tt.want {
				t.Errorf("%s, want %s: %q", got.Verdict, tt.want, said(got))
			}
			if got.Verdict == study.TradeOff && !has(said(got)[:1], "wall and CPU time move in opposite directions", "T wall", "T cpu", "changes by") {
				t.Errorf("reasons %q", said(got))
			}
		})
	}
	// With equal garbage too.
	p, w := withoutLayout(testPlan()), plainWorld()
	w.op[1], w.cpu[1] = 900, 1.25
	if got := judgeC(t, p, w.launches(p, 4)); got.Verdict != study.TradeOff || !has(said(got), "M wall changes by -10.0 %, M cpu by +12.5 %") {
		t.Errorf("%s: %q", got.Verdict, said(got))
	}
	// Beside neighbours too, where CPU time would decide if it were the same time.
	w.foreign = 0.3
	if got := judgeC(t, p, w.launches(p, 4)); got.Verdict != study.TradeOff {
		t.Errorf("%s: %q", got.Verdict, said(got))
	}
}

func TestOneProcessorIsThatOfTheCellThenOfTheEnvironment(t *testing.T) {
	for _, tt := range []struct {
		env, cell []string
		want      study.Verdict
	}{
		{nil, []string{"GOMAXPROCS=1"}, study.Positive},
		{[]string{"GOGC=50", "GOMAXPROCS=1"}, nil, study.Positive},
		{[]string{"GOMAXPROCS=1"}, []string{"GOMAXPROCS=2"}, study.TradeOff},
	} {
		p, w := withoutLayout(testPlan()), plainWorld()
		p.Rule.MinCycles, p.Env, p.Comparisons[0].Cell = 0, tt.env, tt.cell
		w.bytes[1], w.allocs[1], w.op[1], w.cpu[1] = 20, 1, 900, 1.25
		if got := judgeC(t, p, w.launches(p, 4)); got.Verdict != tt.want {
			t.Errorf("%v, cell %v: %s, want %s: %q", tt.env, tt.cell, got.Verdict, tt.want, said(got))
		}
	}
}
